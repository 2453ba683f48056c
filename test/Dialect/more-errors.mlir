// RUN: nova-opt %s --split-input-file --verify-diagnostics

// The rest of errors.mlir: the ops of more-ops.mlir.

func.func @starts(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @below {{expected a start for each of the operand's 2 axes, found 'tensor<3xi64>'}}
  %y = nova.dynamic_slice %x[%i] sizes = [2, 3] : tensor<4x8xf32>, tensor<3xi64> -> tensor<2x3xf32>
  return
}

// -----

func.func @part_rank(%x: tensor<4x8xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{expected the part to have the operand's rank 2, found 1}}
  %y = nova.dynamic_slice %x[%i] sizes = [2] : tensor<4x8xf32>, tensor<2xi64> -> tensor<2xf32>
  return
}

// -----

func.func @part_size(%x: tensor<4x8xf32>, %i: tensor<2xi64>, %u: tensor<2x9xf32>) {
  // expected-error @below {{expected the part to have a static size of at most 8 on axis 1, found 9}}
  %y = nova.dynamic_update_slice %x[%i], %u : tensor<4x8xf32>, tensor<2xi64>, tensor<2x9xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @part_result(%x: tensor<4x8xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{expected the result to have the sizes [2, 3], found 'tensor<2x4xf32>'}}
  %y = nova.dynamic_slice %x[%i] sizes = [2, 3] : tensor<4x8xf32>, tensor<2xi64> -> tensor<2x4xf32>
  return
}

// -----

func.func @updated_result(%x: tensor<4x8xf32>, %i: tensor<2xi64>) {
  // expected-error @below {{expected the result to have the operand's type 'tensor<4x8xf32>', found 'tensor<4x7xf32>'}}
  %y = nova.dynamic_update_slice %x[%i], %x : tensor<4x8xf32>, tensor<2xi64>, tensor<4x8xf32> -> tensor<4x7xf32>
  return
}

// -----

func.func @arg_axis(%x: tensor<4xf32>) {
  // expected-error @below {{expected an axis of a tensor of rank 1, found 1}}
  %y = nova.argmax %x {axis = 1} : tensor<4xf32>
  return
}

// -----

func.func @arg_of_none(%x: tensor<4x0xf32>) {
  // expected-error @below {{argmin over no element (axis 1 has size 0) has no value}}
  %y = nova.argmin %x : tensor<4x0xf32>
  return
}

// -----

func.func @cumsum_axis(%x: tensor<f32>) {
  // expected-error @below {{expected an axis of a tensor of rank 0, found -1}}
  %y = nova.cumsum %x : tensor<f32>
  return
}

// -----

func.func @logsumexp_axes(%x: tensor<4x8xf32>) {
  // expected-error @below {{expected distinct axes in rising order below the rank 2, found [1, 0]}}
  %y = nova.logsumexp %x over [1, 0] : tensor<4x8xf32>
  return
}

// -----

func.func @conv_ranks(%x: tensor<4x8x8xf32>, %w: tensor<4x8x3x3xf32>) {
  // expected-error @below {{expected images [N, C, H, W] and filters [O, C / groups, KH, KW], found 'tensor<4x8x8xf32>' and 'tensor<4x8x3x3xf32>'}}
  %y = nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] : tensor<4x8x8xf32>, tensor<4x8x3x3xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error @below {{expected two positive strides and dilations and two paddings of at least 0, found [0, 1], [1, 1] and [0, 0]}}
  %y = nova.conv2d %x, %w strides = [0, 1] padding = [0, 0] : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>
  return
}

// -----

func.func @conv_dynamic(%x: tensor<1x4x8x8xf32>, %w: tensor<?x4x3x3xf32>) {
  // expected-error @below {{expected static sizes of filters and channels, found 'tensor<1x4x8x8xf32>' and 'tensor<?x4x3x3xf32>'}}
  %y = nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] : tensor<1x4x8x8xf32>, tensor<?x4x3x3xf32>
  return
}

// -----

func.func @conv_groups(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error @below {{expected 2 groups to divide 4 channels and 4 filters, and filters of as many channels as a group has, found 'tensor<4x4x3x3xf32>'}}
  %y = nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] {groups = 2} : tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>
  return
}

// -----

func.func @conv_size(%x: tensor<1x4x2x8xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error @below {{expected filters of a size of at least 1 that fit the padded image, found 3 for 2 along axis 2}}
  %y = nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] : tensor<1x4x2x8xf32>, tensor<4x4x3x3xf32>
  return
}

// -----

func.func @random_tile(%s: tensor<i64>, %i: index) {
  // expected-error @below {{expected a tile of rank 0 or 1, found 'tensor<2x?xf32>'}}
  %y = nova.random_uniform %s, %s at %i, %i {stream = 0} : tensor<2x?xf32>
  return
}

// -----

func.func @random_stream(%s: tensor<i64>) {
  // expected-error @below {{attribute 'stream' failed to satisfy constraint}}
  %y = nova.random_normal %s, %s {stream = 16777216} : tensor<2xf32>
  return
}

// -----

func.func @dropout_p(%x: tensor<2xf32>, %s: tensor<i64>) {
  // expected-error @below {{expected a probability p between 0 and 1, found 1.5}}
  %y = nova.dropout %x, %s, %s {p = 1.5, stream = 0} : tensor<2xf32>
  return
}

// -----

func.func @rms_eps(%x: tensor<2x4xf32>, %w: tensor<4xf32>) {
  // expected-error @below {{expected a finite eps of at least 0, found -1}}
  %y = nova.rms_norm %x, %w {eps = -1.0} : tensor<2x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @rms_weight(%x: tensor<2x4xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{expected weight to have the size of the last axis, 4, found 'tensor<3xf32>'}}
  %y = nova.rms_norm %x, %w : tensor<2x4xf32>, tensor<3xf32>
  return
}

// -----

func.func @rotary_shapes(%x: tensor<2x4xf32>, %c: tensor<2x2xf32>, %s: tensor<2x1xf32>) {
  // expected-error @below {{expected cos and sin of one shape, found 'tensor<2x2xf32>' and 'tensor<2x1xf32>'}}
  %y = nova.rotary_embedding %x, %c, %s : tensor<2x4xf32>, tensor<2x2xf32>, tensor<2x1xf32>
  return
}

// -----

func.func @rotary_width(%x: tensor<2x4xf32>, %c: tensor<2x3xf32>) {
  // expected-error @below {{at most half of its size 4, found 'tensor<2x3xf32>'}}
  %y = nova.rotary_embedding %x, %c, %c : tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  return
}

// -----

func.func @rotary_rank(%x: tensor<4xf32>, %c: tensor<2x2xf32>) {
  // expected-error @below {{expected x of rank 1 or more and cos of no higher rank, found 'tensor<4xf32>' and 'tensor<2x2xf32>'}}
  %y = nova.rotary_embedding %x, %c, %c : tensor<4xf32>, tensor<2x2xf32>, tensor<2x2xf32>
  return
}

// -----

func.func @rotary_positions(%x: tensor<2x4xf32>, %c: tensor<3x2xf32>) {
  // expected-error @below {{expected cos to broadcast to x, found sizes 3 and 2 along axis 0 of x}}
  %y = nova.rotary_embedding %x, %c, %c : tensor<2x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>
  return
}

// -----

func.func @smoothing(%x: tensor<2x4xf32>, %t: tensor<2xi32>) {
  // expected-error @below {{expected a label_smoothing between 0 and 1, found 2}}
  %y = nova.cross_entropy %x, %t {label_smoothing = 2.0} : tensor<2x4xf32>, tensor<2xi32>
  return
}

// -----

func.func @cce_rank(%x: tensor<f32>) {
  // expected-error @below {{expected classes along the last axis, found 'tensor<f32>'}}
  %y = nova.cce %x, %x : tensor<f32>, tensor<f32>
  return
}

// -----

func.func @nesterov(%p: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{expected a positive momentum for nesterov, found 0}}
  %a, %b = nova.sgd %p, %p, %p, lr %lr, scale %lr {momentum = 0.0, weight_decay = 0.0, nesterov} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @momentum(%p: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{expected 0 <= momentum < 1, found 1}}
  %a, %b = nova.sgd %p, %p, %p, lr %lr, scale %lr {momentum = 1.0, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @groups(%q: tensor<1x4x2x8xf32>, %k: tensor<1x3x2x8xf32>) {
  // expected-error @below {{expected the heads of k and v to be as many, and to divide those of q, found 3, 3 and 4}}
  %y:2 = nova.attention %q, %k, %k : tensor<1x4x2x8xf32>, tensor<1x3x2x8xf32>, tensor<1x3x2x8xf32>
  return
}

// -----

func.func @mask(%q: tensor<1x4x2x8xf32>, %m: tensor<3x2xi1>) {
  // expected-error @below {{expected a mask that broadcasts to the shape of the scores, [1, 4, 2, 2], found 'tensor<3x2xi1>'}}
  %y:2 = nova.attention %q, %q, %q mask %m : tensor<1x4x2x8xf32>, tensor<1x4x2x8xf32>, tensor<1x4x2x8xf32>, tensor<3x2xi1>
  return
}

// -----

func.func @grouped_part(%q: tensor<1x4x2x8xf32>, %k: tensor<1x2x2x8xf32>, %r: tensor<1x4x2xf32>) {
  // expected-error @below {{expected as many heads of k as of q, found 2 and 4; --nova-split-launches repeats grouped ones}}
  %y = nova.attention_grad_query %q, %q, %k, %k, %r, %r : tensor<1x4x2x8xf32>, tensor<1x4x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x2x2x8xf32>, tensor<1x4x2xf32>, tensor<1x4x2xf32>
  return
}

// -----

func.func @rotary_pairs(%x: tensor<2x8xf32>, %cos: tensor<2x5xf32>) {
  // expected-error @below {{expected cos to have a column for each pair of the last axis of x, at most half of its size 8, found 'tensor<2x5xf32>'}}
  %y = nova.rotary_embedding %x, %cos, %cos : tensor<2x8xf32>, tensor<2x5xf32>, tensor<2x5xf32>
  return
}
