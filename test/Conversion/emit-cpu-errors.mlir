// RUN: nova-opt %s --nova-emit-cpu --verify-diagnostics --split-input-file

// expected-error@+1 {{is not tiled; run --nova-select-kernel-config and --nova-tile first}}
nova.kernel @untiled(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// What needs a schedule of its own can't be computed element by element.
nova.kernel @softmax(%x: tensor<4x64xf32>) -> tensor<4x64xf32> family generic
    config #nova.kernel_config<tile = [4, 0], lanes = 16> {
  %init = tensor.empty() : tensor<4x64xf32>
  %r = scf.forall (%i) in (1) shared_outs(%out = %init) -> (tensor<4x64xf32>) {
    // expected-error@+1 {{has no code in a kernel of family generic; lib/Conversion/Elementwise.cpp has that of elementwise ops, TileEmitter::evalOp that of others}}
    %p = nova.softmax %x : tensor<4x64xf32>
    %y = nova.exp %p : tensor<4x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[0, 0] [4, 64] [1, 1] : tensor<4x64xf32> into tensor<4x64xf32>
    }
  }
  nova.return %r : tensor<4x64xf32>
}

// -----

nova.kernel @scalar(%x: tensor<f32>) -> tensor<1xf32> family elementwise
    config #nova.kernel_config<tile = [1], lanes = 1> {
  %init = tensor.empty() : tensor<1xf32>
  %r = scf.forall (%i) in (1) shared_outs(%out = %init) -> (tensor<1xf32>) {
    // expected-error@+1 {{has no code in a kernel of family elementwise}}
    %y = nova.reshape %x : tensor<f32> -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[0] [1] [1] : tensor<1xf32> into tensor<1xf32>
    }
  }
  nova.return %r : tensor<1xf32>
}
