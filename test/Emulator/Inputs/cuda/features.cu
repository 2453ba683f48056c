// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What else nvcc makes PTX of: structures by value, indexed branches, packed halves, vectors, permutations of bytes,
// calls of what the driver provides, clocks. Compiled with line numbers, and for debugging.

#include <cassert>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Parts {
  float factors[3];
  int count;
  double offset;
};
__constant__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int runs;

static __device__ __noinline__ float apply(Parts parts, int i) {
  return parts.factors[i % 3] * parts.count + static_cast<float>(parts.offset);
}

extern "C" __global__ void by_value(float *out) {
  Parts parts = {{1.5f, 2.5f, out ? 3.5f : 0.0f}, 2, 0.25};
  int i = threadIdx.x;
  out[i] = apply(parts, i) + table[i & 7];
  atomicAdd(&runs, 1);
}

extern "C" __global__ void halves(const __half2 *a, const __half2 *b, __half2 *sums, int *masks) {
  int i = threadIdx.x;
  __half2 x = a[i], y = b[i];
  sums[i] = __hadd2(__hmax2(x, y), __heq2(x, y));
  masks[i] = static_cast<int>(__hlt2_mask(x, y)) ^ (__hbge2(x, y) ? 1 : 0);
}

extern "C" __global__ void brains(const __nv_bfloat162 *a, const __nv_bfloat162 *b, __nv_bfloat162 *out) {
  int i = threadIdx.x;
  out[i] = __hadd2(__hmax2(a[i], b[i]), __hle2(a[i], b[i]));
}

extern "C" __global__ void switches(const int *in, int *out) {
  int i = threadIdx.x, v = in[i];
  switch (v) {
  case 0: out[i] = 5; break;
  case 1: out[i] = 7 * i; break;
  case 2: out[i] = i << 3; break;
  case 3: out[i] = -i; break;
  case 4: out[i] = i * i; break;
  case 5: out[i] = 11; break;
  case 6: out[i] = i ^ 3; break;
  case 7: out[i] = 100; break;
  default: out[i] = -1;
  }
}

extern "C" __global__ void bits(const unsigned *x, unsigned *out) {
  unsigned i = threadIdx.x, v = x[i];
  out[i] = __popc(v) + __clz(v) + __ffs(v) + __brev(v) + __byte_perm(v, i, 0x2143) + __funnelshift_l(v, i, 5) +
           __dp4a(v, v, i) + __vadd2(v, i) + __usad(v, i, 2) + __umulhi(v, v);
}

extern "C" __global__ void vectors(const float4 *a, float4 *b, const short4 *c, short4 *d, const uchar4 *e, uchar4 *f) {
  int i = threadIdx.x;
  float4 v = a[i];
  b[i] = make_float4(v.w, v.z, v.y, v.x);
  short4 s = c[i];
  d[i] = make_short4(s.x + 1, s.y, s.z, s.w - 1);
  uchar4 u = e[i];
  f[i] = make_uchar4(u.y, u.x, u.w, u.z);
}

extern "C" __global__ void reversed(float *out, int n) {
  extern __shared__ float s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

/// A list on the heap.
extern "C" __global__ void provided(int *out, int n) {
  struct Node {
    int value;
    Node *next;
  };
  int i = threadIdx.x;
  assert(i < n);
  Node *list = nullptr;
  for (int k = 0; k <= i % 4; ++k) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->value = k + i;
    node->next = list;
    list = node;
  }
  int sum = 0;
  while (list) {
    Node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  long long start = clock64();
  __nanosleep(20);
  out[i] = clock64() >= start ? sum : -1;
  if (i == 1)
    printf("thread %d of %s, %5.2f%%, %lld, %c\n", i, "block 0", 2.5, 1ll << 40, 'x');
}
