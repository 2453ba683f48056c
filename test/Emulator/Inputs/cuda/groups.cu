// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Groups of a warp that meet by themselves, threads that exit before a barrier, and structs with padding.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ int threadOfGrid() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void labeled(int *out) {
  int i = threadOfGrid();
  auto group = cg::labeled_partition(cg::tiled_partition<32>(cg::this_thread_block()), i * 7 % 5);
  int sum = 0;
  for (int k = 0; k < (int)group.size(); ++k)
    sum += group.shfl(i, k);
  out[i] = sum * 100 + group.thread_rank() + (group.any(i % 32 == 9) ? 50 : 0) + cg::reduce(group, i, cg::plus<int>());
}

extern "C" __global__ void matched(int *out) {
  int i = threadOfGrid(), areEqual;
  unsigned peers = __match_any_sync(~0u, i % 3);
  int v = __shfl_sync(peers, i, __ffs(peers) - 1) + __popc(__ballot_sync(peers, i & 1)) + __reduce_add_sync(peers, i);
  v += __reduce_max_sync(peers, i) + __all_sync(peers, i >= 0) + __any_sync(peers, i == 5);
  v += __popc(__match_all_sync(peers, i % 3, &areEqual)) + __popc(__match_any_sync(peers, i % 2));
  __syncwarp(peers);
  out[i] = v + areEqual;
}

extern "C" __global__ void aggregated(int *count) {
  if (threadOfGrid() % 3 == 0)
    return;
  auto group = cg::coalesced_threads();
  int base = group.thread_rank() == 0 ? atomicAdd(count, (int)group.size()) : 0;
  if (group.shfl(base, 0) < 0)
    count[1] = 1;
}

extern "C" __global__ void halves_of_warps(int *out) {
  int i = threadOfGrid(), lane = i % 32, v = i;
  if (lane < 16) {
    for (int d = 8; d; d /= 2)
      v += __shfl_xor_sync(0xffff, v, d);
    __syncwarp(0xffff);
  } else {
    v = -v;
    for (int d = 8; d; d /= 2)
      v += __shfl_xor_sync(0xffff0000, v, d);
    __syncwarp(0xffff0000);
  }
  unsigned mine = lane < 16 ? 0xffff : 0xffff0000;
  for (int d = 8; d; d /= 2)
    v ^= __shfl_down_sync(mine, v, d, 16);
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  v += tile.shfl_down(v, 1);
  tile.sync();
  out[i] = v;
}

extern "C" __global__ void rounds(int *out) {
  int i = threadOfGrid(), lane = i % 32, v = i;
  for (int k = 0; k < lane % 4 + 1; ++k) {
    unsigned peers = __match_any_sync(__activemask(), k * 8 + lane % 8);
    v += __shfl_sync(peers, v, __ffs(peers) - 1);
  }
  out[i] = v;
}

extern "C" __global__ void early(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t * 3;
  if (t >= 64)
    return;
  __syncthreads();
  out[threadOfGrid()] = s[95 - t];
}

extern "C" __global__ void voted(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t * 3;
  if (t < 32)
    return;
  int n = __syncthreads_count(s[t] % 2 == 0);
  out[threadOfGrid()] = s[95 - t] + n + __syncthreads_or(t == 40) + __syncthreads_and(t < 32);
}

extern "C" __global__ void partly(int *out) {
  __shared__ int s[96];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 3 == 0 || t < 32)
    return;
  asm volatile("bar.sync 3, 96;" ::: "memory");
  out[threadOfGrid()] = s[95 - t];
}

struct Padded {
  char a;
  int b;
  char c;
  double d;
  short e;
};

__device__ __noinline__ int use(Padded p) { return p.a + p.b * 2 + p.c * 3 + (int)p.d + p.e; }
__device__ __noinline__ Padded make(int i) {
  Padded p;
  p.a = i, p.b = i + 1, p.c = i + 2, p.d = i + 3, p.e = i + 4;
  return p;
}
__device__ __noinline__ Padded pass(Padded p, int i) {
  if (i & 1)
    p.b += 1;
  return p;
}
__device__ __noinline__ void keep(Padded *to, Padded p) { *to = p; }

extern "C" __global__ void padded(int *out, Padded *all, Padded given) {
  int t = threadIdx.x;
  Padded passed = pass(make(t), t);
  keep(all + t, passed);
  out[t] = use(passed) + use(given) + use(all[t]);
}
