// RUN: nova-opt %s --nova-emit-gpu --verify-diagnostics --split-input-file

// expected-error@+1 {{is not tiled; run --nova-select-kernel-config and --nova-tile first}}
nova.kernel @untiled(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
  %y = nova.add %x, %x : tensor<64xf32>, tensor<64xf32>
  nova.return %y : tensor<64xf32>
}

// -----

// expected-error@+1 {{is configured for a CPU: expected threads in its #nova.kernel_config, found none; run --nova-select-kernel-config with a GPU as target}}
nova.kernel @cpu(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise
    config #nova.kernel_config<tile = [32], lanes = 16> {
  %init = tensor.empty() : tensor<64xf32>
  %r = scf.forall (%i) = (0) to (64) step (32) shared_outs(%out = %init) -> (tensor<64xf32>) {
    %t = tensor.extract_slice %x[%i] [32] [1] : tensor<64xf32> to tensor<32xf32>
    %y = nova.add %t, %t : tensor<32xf32>, tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i] [32] [1] : tensor<32xf32> into tensor<64xf32>
    }
  }
  nova.return %r : tensor<64xf32>
}

// -----

// expected-error@+1 {{has more blocks than a grid can have, 2147483647; a larger tile in its #nova.kernel_config makes fewer}}
nova.kernel @blocks(%x: tensor<4294967296xf32>) -> tensor<4294967296xf32> family elementwise
    config #nova.kernel_config<tile = [1], lanes = 1, threads = 32> {
  %init = tensor.empty() : tensor<4294967296xf32>
  %r = scf.forall (%i) in (4294967296) shared_outs(%out = %init) -> (tensor<4294967296xf32>) {
    %t = tensor.extract_slice %x[%i] [1] [1] : tensor<4294967296xf32> to tensor<1xf32>
    %y = nova.add %t, %t : tensor<1xf32>, tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %out[%i] [1] [1] : tensor<1xf32> into tensor<4294967296xf32>
    }
  }
  nova.return %r : tensor<4294967296xf32>
}

// -----

// bf16 sums can't be kept in the result.
// expected-error@+1 {{needs 160}}
nova.kernel @shared(%dy: tensor<1x2x20000xbf16>, %x: tensor<1x2x20000xbf16>, %w: tensor<20000xbf16>)
    -> (tensor<1x2x20000xbf16>, tensor<1x20000xbf16>, tensor<1x20000xbf16>) family row
    config #nova.kernel_config<tile = [1, 0, 0], lanes = 1, threads = 32> {
  %a = tensor.empty() : tensor<1x2x20000xbf16>
  %b = tensor.empty() : tensor<1x20000xbf16>
  %r:3 = scf.forall (%i) in (1) shared_outs(%o = %a, %p = %b, %q = %b)
      -> (tensor<1x2x20000xbf16>, tensor<1x20000xbf16>, tensor<1x20000xbf16>) {
    %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64}
      : tensor<1x2x20000xbf16>, tensor<1x2x20000xbf16>, tensor<20000xbf16>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %dx into %o[0, 0, 0] [1, 2, 20000] [1, 1, 1]
        : tensor<1x2x20000xbf16> into tensor<1x2x20000xbf16>
      tensor.parallel_insert_slice %dw into %p[0, 0] [1, 20000] [1, 1] : tensor<1x20000xbf16> into tensor<1x20000xbf16>
      tensor.parallel_insert_slice %db into %q[0, 0] [1, 20000] [1, 1] : tensor<1x20000xbf16> into tensor<1x20000xbf16>
    }
  }
  nova.return %r#0, %r#1, %r#2 : tensor<1x2x20000xbf16>, tensor<1x20000xbf16>, tensor<1x20000xbf16>
}
