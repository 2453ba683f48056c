// Results of every kind of kernel that are cast to fewer bits at once: what is stored is the cast. Found by random program
// 1215 of seed 1130.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 1e-6 --atol 1e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 1e-6 --atol 1e-6 --quiet

!x = tensor<4x5xf64>
!w = tensor<5xf64>
!q = tensor<1x2x4x5xf64>

func.func @narrowed(%x: !x, %w: !w, %dy: !x, %rows: tensor<5x3xf64>, %q: !q, %i: tensor<4xi32> {nova.bound = 4 : i64})
    -> (tensor<4x5xf32>, tensor<4x5xbf16>, tensor<4x5xf16>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>,
        tensor<4x3xf32>, tensor<1x2x4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<4xf32>) {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {eps = 0.1} : !x, !x, !w
  %layer = nova.cast %dx : !x -> tensor<4x5xf32>
  %ex, %ew = nova.rms_norm_grad %dy, %x, %w {eps = 0.1} : !x, !x, !w
  %rms = nova.cast %ex : !x -> tensor<4x5xbf16>
  %n = nova.layer_norm %x, %w, %w {eps = 0.1} : !x, !w, !w
  %norm = nova.cast %n : !x -> tensor<4x5xf16>
  %p = nova.softmax %x : !x
  %soft = nova.cast %p : !x -> tensor<4x5xf32>
  %dp = nova.softmax_grad %dy, %x : !x, !x
  %soft_grad = nova.cast %dp : !x -> tensor<4x5xf32>
  %c = nova.cumsum %x : !x
  %sums = nova.cast %c : !x -> tensor<4x5xf32>
  %m = nova.matmul %x, %rows : !x, tensor<5x3xf64>
  %product = nova.cast %m : tensor<4x3xf64> -> tensor<4x3xf32>
  %y, %lse = nova.attention %q, %q, %q : !q, !q, !q
  %attention = nova.cast %y : !q -> tensor<1x2x4x5xf32>
  %r = nova.reduce sum %x over [1] : !x
  %row = nova.cast %r : tensor<4xf64> -> tensor<4xf32>
  %s = nova.reduce max %x over [0] : !x
  %column = nova.cast %s : !w -> tensor<5xf32>
  %added = nova.scatter_add %x[%i], %dy : !x, tensor<4xi32>, !x
  %scattered = nova.cast %added : !x -> tensor<4x5xf32>
  %losses = nova.cross_entropy %x, %i {reduction = #nova.reduction<none>} : !x, tensor<4xi32>
  %loss = nova.cast %losses : tensor<4xf64> -> tensor<4xf32>
  return %layer, %rms, %norm, %soft, %soft_grad, %sums, %product, %attention, %row, %column, %scattered, %loss
    : tensor<4x5xf32>, tensor<4x5xbf16>, tensor<4x5xf16>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>,
      tensor<4x3xf32>, tensor<1x2x4x5xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<4xf32>
}
