// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain CUDA C++ that nvcc compiles to the PTX of Inputs/cases (make-cases.py): an independent check of the emulator.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>

#if defined(CASE_reduce)
// The sum of each row by shuffles, warp sums through shared memory.
extern "C" __global__ void reduce_rows(const float *x, float *out, int columns) {
  __shared__ float partial[32];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += x[blockIdx.x * columns + i];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sum;
  }
}
#endif

#if defined(CASE_matmul)
// A tiled product with edges: C[m, n] = A[m, k] B[k, n].
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float ta[16][17], tb[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    ta[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.f;
    tb[threadIdx.y][threadIdx.x] = column < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + column] : 0.f;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}
#endif

#if defined(CASE_scan)
// Inclusive sums of a block's integers, then of the blocks' totals by a second kernel.
__device__ int scan_block(int value, int *warps) {
  int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d)
      value += other;
  }
  if (lane == 31)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  int before = 0;
  for (int w = 0; w < (int)threadIdx.x / 32; ++w)
    before += warps[w];
  __syncthreads();
  return value + before;
}
extern "C" __global__ void scan_blocks(const int *x, int *out, int *totals, int n) {
  __shared__ int warps[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = scan_block(i < n ? x[i] : 0, warps);
  if (i < n)
    out[i] = value;
  if (threadIdx.x == blockDim.x - 1)
    totals[blockIdx.x] = value;
}
extern "C" __global__ void scan_add(int *out, const int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
  for (int b = 0; b < (int)blockIdx.x; ++b)
    before += totals[b];
  if (i < n)
    out[i] += before;
}
#endif

#if defined(CASE_histogram)
// Counts in shared memory, added to global memory by atomics; a maximum by compare-and-swap, and floats added.
extern "C" __global__ void histogram_bytes(const uint8_t *x, unsigned *counts, float *sum, unsigned *greatest, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[x[i]], 1u);
    atomicMax(greatest, (unsigned)x[i]);
    atomicAdd(sum, (float)x[i]);
  }
  __syncthreads();
  if (local[threadIdx.x])
    atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}
#endif

#if defined(CASE_transpose)
extern "C" __global__ void transpose_tile(const double *x, double *out, int rows, int columns) {
  __shared__ double tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (column < columns && row + i < rows)
      tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * columns + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (column < rows && row + i < columns)
      out[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}
#endif

#if defined(CASE_mma)
// A 16 x 8 product of bf16 per warp over k, by ldmatrix, cp.async and mma.sync.
extern "C" __global__ void mma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int k) {
  __shared__ __align__(16) __nv_bfloat16 ta[2][16][24], tb[2][8][24];
  int lane = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  auto load = [&](int stage, int t) {
    int row = lane / 2, half = lane % 2;
    unsigned to = (unsigned)__cvta_generic_to_shared(&ta[stage][row][8 * half]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + row * k + t + 8 * half));
    if (row < 8) {
      to = (unsigned)__cvta_generic_to_shared(&tb[stage][row][8 * half]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(b + row * k + t + 8 * half));
    }
    asm volatile("cp.async.commit_group;");
  };
  load(0, 0);
  for (int t = 0; t < k; t += 16) {
    int stage = t / 16 % 2;
    if (t + 16 < k) {
      load(1 - stage, t + 16);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncwarp();
    unsigned fa[4], fb[2];
    unsigned from = (unsigned)__cvta_generic_to_shared(&ta[stage][lane % 16][8 * (lane / 16)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(from));
    from = (unsigned)__cvta_generic_to_shared(&tb[stage][lane % 8][8 * (lane / 8 % 2)]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(from));
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; ++i)
    c[(lane / 4 + 8 * (i / 2)) * 8 + 2 * (lane % 4) + i % 2] = d[i];
}
#endif

#if defined(CASE_norm)
// Layer norm of rows in half precision, a warp per row, packed arithmetic in the end.
extern "C" __global__ void layer_norm(const __half2 *x, const __half2 *scale, const __half2 *shift, __half2 *out,
                                      int pairs, float eps) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0, squares = 0;
  for (int i = lane; i < pairs; i += 32) {
    float2 v = __half22float2(x[row * pairs + i]);
    sum += v.x + v.y;
    squares += v.x * v.x + v.y * v.y;
  }
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, d);
    squares += __shfl_xor_sync(0xffffffff, squares, d);
  }
  float mean = sum / (2 * pairs), inverse = rsqrtf(squares / (2 * pairs) - mean * mean + eps);
  for (int i = lane; i < pairs; i += 32) {
    float2 v = __half22float2(x[row * pairs + i]);
    __half2 y = __floats2half2_rn((v.x - mean) * inverse, (v.y - mean) * inverse);
    out[row * pairs + i] = __hfma2(y, scale[i], shift[i]);
  }
}
#endif

#if defined(CASE_branches)
// Early exits, nested divergence, a loop of different length per thread and a switch.
__device__ __noinline__ int collatz(unsigned n) {
  int steps = 0;
  while (n != 1 && steps < 200) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}
extern "C" __global__ void branches_nested(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = x[i], r = 0;
  if (v < 0) {
    out[i] = -1;
    return;
  }
  switch (v % 7) {
  case 0: r = collatz(v + 1); break;
  case 1: for (int k = 0; k < v % 13; ++k) r += k * v; break;
  case 2: if (v % 2) { r = v / 3; if (v % 5 == 0) r = ~r; } else r = v << 3; break;
  case 3: r = __popc(v) * 100 + __clz(v); break;
  case 4: do { r += v % 10; v /= 10; } while (v); break;
  case 5: r = __brev(v) >> 5; break;
  default: r = v * v % 1013;
  }
  out[i] = r;
}
#endif

#if defined(CASE_special)
// Doubles and transcendental functions as nvcc inlines them, and 64-bit division.
extern "C" __global__ void special_functions(const double *x, double *out, const float *y, float *single,
                                             const long long *z, long long *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double v = x[i];
  out[6 * i] = exp(v);
  out[6 * i + 1] = log(fabs(v) + 1e-300);
  out[6 * i + 2] = sin(v);
  out[6 * i + 3] = sqrt(fabs(v)) / (1.0 + v * v);
  out[6 * i + 4] = tanh(v);
  out[6 * i + 5] = erf(v);
  float w = y[i];
  single[6 * i] = expf(w);
  single[6 * i + 1] = logf(fabsf(w));
  single[6 * i + 2] = sinf(w);
  single[6 * i + 3] = powf(fabsf(w), 1.7f);
  single[6 * i + 4] = tanhf(w);
  single[6 * i + 5] = erff(w);
  long long a = z[2 * i], b = z[2 * i + 1];
  wide[3 * i] = a / b;
  wide[3 * i + 1] = a % b;
  wide[3 * i + 2] = __mul64hi(a, b);
}
#endif
