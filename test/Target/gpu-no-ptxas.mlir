// The search for ptxas says where it looked. It ends at the first place that has one, so that this test can only run
// where none does.
// UNSUPPORTED: ptxas
// RUN: not nova-translate %s --nova-to-cubin -o %t.cubin 2>&1 | FileCheck %s
// RUN: not ls %t.cubin
// CHECK: error: ptxas not found; looked in PATH, CUDA_HOME
// CHECK-SAME: /usr/local/cuda/bin
// CHECK-SAME: nvidia-cuda-nvcc
module {
  gpu.module @kernels {
  }
}
