// RUN: nova-opt %s --split-input-file --verify-diagnostics

// Every diagnostic of the dialect's verifiers, type inference and attributes. The rooms above it rely on what is
// refused here: sizes whose product overflows, shapes that don't belong together, attributes that name nothing.

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

func.func @element_type(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes) of f64, f32, f16 or bf16 values, but got 'tensor<4xi32>'}}
  %y = nova.exp %x : tensor<4xi32>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @below {{invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %y = nova.exp %x : tensor<*xf32>
  return
}

// -----

func.func @unranked_generic(%x: tensor<*xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor}}
  %y = "nova.exp"(%x) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @encoding(%x: tensor<4xf32, "sparse">) {
  // expected-error @below {{operand #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes) of f64, f32, f16, bf16, i8, i32 or i64 values}}
  %y = nova.neg %x : tensor<4xf32, "sparse">
  return
}

// -----

func.func @too_large(%x: tensor<4294967296x4294967296xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes)}}
  %y = nova.reshape %x : tensor<4294967296x4294967296xf32> -> tensor<0xf32>
  return
}

// -----

// An empty tensor has strides too.
func.func @too_large_though_empty(%x: tensor<0x4294967296x4294967296xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes)}}
  %y = nova.neg %x : tensor<0x4294967296x4294967296xf32>
  return
}

// -----

func.func @too_large_by_broadcasting(%x: tensor<2147483648x1xf32>, %y: tensor<2147483648xf32>) {
  // expected-error @below {{result #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes)}}
  %z = nova.add %x, %y : tensor<2147483648x1xf32>, tensor<2147483648xf32>
  return
}

// -----

func.func @mixed_element_types(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @below {{failed to verify that all of {lhs, rhs} have same element type}}
  %z = nova.add %x, %y : tensor<4xf32>, tensor<4xf16>
  return
}

// -----

func.func @inferred_type(%x: tensor<4xf32>) {
  // expected-error @below {{inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<5xf32>'}}
  // expected-error @below {{failed to infer returned types}}
  %y = "nova.neg"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

func.func @no_broadcast(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @below {{operands do not broadcast: axis 1 has sizes 3 and 2; sizes must be equal or 1}}
  %z = nova.add %x, %y : tensor<2x3xf32>, tensor<2xf32>
  return
}

// -----

func.func @select_condition(%x: tensor<4xf32>) {
  // expected-error @below {{operand #0 must be ranked tensor (no encoding but a layout, below 2^63 bytes) of i1 values}}
  %z = nova.select %x, %x, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @cast_shape(%x: tensor<4xf32>) {
  // expected-error @below {{requires the same shape for all operands and results}}
  %z = nova.cast %x : tensor<4xf32> -> tensor<5xf16>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

func.func @constant_vector() {
  // expected-error @below {{expected the elements of a ranked tensor, found 'vector<2xf32>'}}
  %c = nova.constant dense<1.0> : vector<2xf32>
  return
}

// -----

func.func @constant_sparse() {
  // expected-error @below {{expected dense or dense_resource elements, found sparse<0, 1.000000e+00> : tensor<2xf32>}}
  %c = nova.constant sparse<0, 1.0> : tensor<2xf32>
  return
}

// -----

func.func @iota_axis() {
  // expected-error @below {{expected an axis below the rank 1, found 1}}
  %i = nova.iota 1 : tensor<4xi32>
  return
}

// -----

func.func @iota_negative_axis() {
  // expected-error @below {{attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %i = nova.iota -1 : tensor<4xi32>
  return
}

// -----

func.func @origin(%at: index) {
  // expected-error @below {{expected 1 origin indices after `at`, found 2}}
  %i = nova.iota 0 at %at, %at : tensor<4xi32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Broadcast, reshape, transpose
//===----------------------------------------------------------------------===//

func.func @broadcast_dims(%x: tensor<4xf32>) {
  // expected-error @below {{expected one entry of dims for each of the operand's 1 axes, found 2}}
  %y = nova.broadcast_in_dim %x dims = [0, 1] : tensor<4xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @broadcast_order(%x: tensor<4x2xf32>) {
  // expected-error @below {{expected dims in rising order below the result's rank 2, found [1, 0]}}
  %y = nova.broadcast_in_dim %x dims = [1, 0] : tensor<4x2xf32> -> tensor<2x4xf32>
  return
}

// -----

func.func @broadcast_beyond_rank(%x: tensor<4xf32>) {
  // expected-error @below {{expected dims in rising order below the result's rank 1, found [1]}}
  %y = nova.broadcast_in_dim %x dims = [1] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @broadcast_size(%x: tensor<4xf32>) {
  // expected-error @below {{expected axis 0 to have size 1 or 8, found 4}}
  %y = nova.broadcast_in_dim %x dims = [1] : tensor<4xf32> -> tensor<2x8xf32>
  return
}

// -----

func.func @reshape(%x: tensor<4x2xf32>) {
  // expected-error @below {{expected as many elements as the operand's 8, found 9}}
  %y = nova.reshape %x : tensor<4x2xf32> -> tensor<9xf32>
  return
}

// -----

func.func @transpose_repeats(%x: tensor<4x2xf32>) {
  // expected-error @below {{expected a permutation of the operand's 2 axes, found [1, 1]}}
  %y = nova.transpose %x [1, 1] : tensor<4x2xf32>
  return
}

// -----

func.func @transpose_rank(%x: tensor<4x2xf32>) {
  // expected-error @below {{expected a permutation of the operand's 2 axes, found [0]}}
  %y = nova.transpose %x [0] : tensor<4x2xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Slice, pad, concat
//===----------------------------------------------------------------------===//

func.func @slice_rank(%x: tensor<4x2xf32>) {
  // expected-error @below {{expected starts, limits, strides and the result to have the operand's rank 2}}
  %y = nova.slice %x starts = [0] limits = [4] strides = [1] : tensor<4x2xf32> -> tensor<4x2xf32>
  return
}

// -----

func.func @slice_limit(%x: tensor<4xf32>) {
  // expected-error @below {{expected 0 <= start <= limit <= size and a positive stride on axis 0, found start 0, limit 5, size 4 and stride 1}}
  %y = nova.slice %x starts = [0] limits = [5] strides = [1] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @slice_negative_start(%x: tensor<4xf32>) {
  // expected-error @below {{expected 0 <= start <= limit <= size and a positive stride on axis 0, found start -9223372036854775808}}
  %y = nova.slice %x starts = [-9223372036854775808] limits = [4] strides = [1] : tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @slice_stride(%x: tensor<4xf32>) {
  // expected-error @below {{expected 0 <= start <= limit <= size and a positive stride on axis 0, found start 0, limit 4, size 4 and stride 0}}
  %y = nova.slice %x starts = [0] limits = [4] strides = [0] : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @slice_size(%x: tensor<4xf32>) {
  // expected-error @below {{expected the result to have size 2 on axis 0, found 3}}
  %y = nova.slice %x starts = [0] limits = [4] strides = [2] : tensor<4xf32> -> tensor<3xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>) {
  // expected-error @below {{expected a scalar to pad with, found 'tensor<4xf32>'}}
  %y = nova.pad %x, %x low = [0] high = [1] interior = [0] : tensor<4xf32>, tensor<4xf32> -> tensor<5xf32>
  return
}

// -----

func.func @pad_rank(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @below {{expected low, high, interior and the result to have the operand's rank 1}}
  %y = nova.pad %x, %v low = [0] high = [1, 1] interior = [0] : tensor<4xf32>, tensor<f32> -> tensor<5xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @below {{expected padding of at least 0 on axis 0, found low -1, high 1 and interior 0; use nova.slice to make a tensor smaller}}
  %y = nova.pad %x, %v low = [-1] high = [1] interior = [0] : tensor<4xf32>, tensor<f32> -> tensor<4xf32>
  return
}

// -----

func.func @pad_size(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @below {{expected the result to have size 9 on axis 0, found 8}}
  %y = nova.pad %x, %v low = [1] high = [1] interior = [1] : tensor<4xf32>, tensor<f32> -> tensor<8xf32>
  return
}

// -----

func.func @pad_overflow(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @below {{expected the result to have size 18446744073709551615 on axis 0, found 2}}
  %y = nova.pad %x, %v low = [9223372036854775807] high = [9223372036854775807] interior = [9223372036854775807]
    : tensor<4xf32>, tensor<f32> -> tensor<2xf32>
  return
}

// -----

func.func @concat_nothing() {
  // expected-error @below {{expected at least one operand}}
  %y = nova.concat axis = 0 : () -> tensor<0xf32>
  return
}

// -----

func.func @concat_axis(%x: tensor<4xf32>) {
  // expected-error @below {{expected an axis below the rank 1, found 1}}
  %y = nova.concat %x, %x axis = 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_element_type(%x: tensor<4xf32>, %y: tensor<4xf16>) {
  // expected-error @below {{expected operand 1 to have the result's rank and element type, found 'tensor<4xf16>'}}
  %z = nova.concat %x, %y axis = 0 : (tensor<4xf32>, tensor<4xf16>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_other_axis(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error @below {{expected operand 1 to have size 2 on axis 1, found 3}}
  %z = nova.concat %x, %y axis = 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @concat_dynamic(%x: tensor<4xf32>, %y: tensor<?xf32>) {
  // expected-error @below {{expected operand 1 to have a static size along the axis}}
  %z = nova.concat %x, %y axis = 0 : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @concat_size(%x: tensor<4xf32>) {
  // expected-error @below {{expected the result to have size 8 on axis 0, found 9}}
  %z = nova.concat %x, %x axis = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<9xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Gather, scatter_add
//===----------------------------------------------------------------------===//

func.func @gather_axis(%table: tensor<4x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{expected an axis below the table's rank 2, found 2}}
  %x = nova.gather %table[%ids] {axis = 2 : i64} : tensor<4x3xf32>, tensor<2xi32>
  return
}

// -----

func.func @gather_negative_axis(%table: tensor<4x3xf32>, %ids: tensor<2xi32>) {
  // expected-error @below {{attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %x = nova.gather %table[%ids] {axis = -1 : i64} : tensor<4x3xf32>, tensor<2xi32>
  return
}

// -----

func.func @gather_from_scalar(%table: tensor<f32>, %ids: tensor<2xi32>) {
  // expected-error @below {{expected an axis below the table's rank 0, found 0}}
  %x = nova.gather %table[%ids] : tensor<f32>, tensor<2xi32>
  return
}

// -----

func.func @gather_indices(%table: tensor<4x3xf32>, %ids: tensor<2xi8>) {
  // expected-error @below {{operand #1 must be ranked tensor (no encoding but a layout, below 2^63 bytes) of i32 or i64 values}}
  %x = nova.gather %table[%ids] : tensor<4x3xf32>, tensor<2xi8>
  return
}

// -----

func.func @scatter_into_scalar(%into: tensor<f32>, %ids: tensor<2xi32>, %updates: tensor<2xf32>) {
  // expected-error @below {{expected a tensor of rank 1 or more to add into, found 'tensor<f32>'}}
  %x = nova.scatter_add %into[%ids], %updates : tensor<f32>, tensor<2xi32>, tensor<2xf32>
  return
}

// -----

func.func @scatter_updates(%into: tensor<4x3xf32>, %ids: tensor<2xi32>, %updates: tensor<3x3xf32>) {
  // expected-error @below {{expected updates of the shape of the indices followed by that of a row, 'tensor<2x3xf32>', found 'tensor<3x3xf32>'}}
  %x = nova.scatter_add %into[%ids], %updates : tensor<4x3xf32>, tensor<2xi32>, tensor<3x3xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

func.func @reduce_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected distinct axes in rising order below the rank 2, found [2]}}
  %y = nova.reduce sum %x over [2] : tensor<2x3xf32>
  return
}

// -----

func.func @reduce_negative_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected distinct axes in rising order below the rank 2, found [-1]}}
  %y = nova.reduce sum %x over [-1] : tensor<2x3xf32>
  return
}

// -----

func.func @reduce_twice(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected distinct axes in rising order below the rank 2, found [1, 1]}}
  %y = nova.reduce sum %x over [1, 1] : tensor<2x3xf32>
  return
}

// -----

func.func @reduce_truth_values(%x: tensor<2x3xi1>) {
  // expected-error @below {{expected elements other than i1 for sum, found 'i1'}}
  %y = nova.reduce sum %x over [0] : tensor<2x3xi1>
  return
}

// -----

func.func @reduce_any(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected elements i1 for any, found 'f32'}}
  %y = nova.reduce any %x over [0] : tensor<2x3xf32>
  return
}

// -----

func.func @reduce_mean(%x: tensor<2x3xi32>) {
  // expected-error @below {{expected float elements for mean, found 'i32'; use nova.cast first}}
  %y = nova.reduce mean %x over [0] : tensor<2x3xi32>
  return
}

// -----

func.func @reduce_nothing(%x: tensor<2x0xf32>) {
  // expected-error @below {{max over no element (axis 1 has size 0) has no value}}
  %y = nova.reduce max %x over [1] : tensor<2x0xf32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{expected an axis of a tensor of rank 2, found -3}}
  %y = nova.softmax %x {axis = -3 : i64} : tensor<2x3xf32>
  return
}

// -----

func.func @softmax_scalar(%x: tensor<f32>) {
  // expected-error @below {{expected an axis of a tensor of rank 0, found -1}}
  %y = nova.softmax %x : tensor<f32>
  return
}

// -----

func.func @softmax_grad_types(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error @below {{failed to verify that all of {result_grad, y} have same type}}
  %z = nova.softmax_grad %x, %y : tensor<2x3xf32>, tensor<3xf32>
  return
}

// -----

func.func @matmul_rank(%x: tensor<3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{expected operands of rank 2 or more, found 'tensor<3xf32>' and 'tensor<3x4xf32>'}}
  %y = nova.matmul %x, %w : tensor<3xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @matmul_depth(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) {
  // expected-error @below {{expected the operands to agree on the summed axis, found 3 in 'tensor<2x3xf32>' and 4 in 'tensor<4x3xf32>'}}
  %y = nova.matmul %x, %w : tensor<2x3xf32>, tensor<4x3xf32>
  return
}

// -----

func.func @matmul_batch(%x: tensor<5x2x3xf32>, %w: tensor<4x3x2xf32>) {
  // expected-error @below {{leading axes do not broadcast: axis 0 has sizes 5 and 4}}
  %y = nova.matmul %x, %w : tensor<5x2x3xf32>, tensor<4x3x2xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

func.func @attention_rank(%q: tensor<3x4x8xf32>) {
  // expected-error @below {{expected q, k and v of rank 4 [batch, head, position, head size], found 'tensor<3x4x8xf32>'}}
  %o:2 = nova.attention %q, %q, %q : tensor<3x4x8xf32>, tensor<3x4x8xf32>, tensor<3x4x8xf32>
  return
}

// -----

func.func @attention_heads(%q: tensor<2x3x4x8xf32>, %k: tensor<2x2x4x8xf32>) {
  // expected-error @below {{expected the heads of k and v to be as many, and to divide those of q, found 2, 2 and 3}}
  %o:2 = nova.attention %q, %k, %k : tensor<2x3x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32>
  return
}

// -----

// What k leaves open doesn't hide that q and v disagree.
func.func @attention_dynamic(%q: tensor<2x3x4x8xf32>, %k: tensor<?x3x4x8xf32>, %v: tensor<1x3x4x8xf32>) {
  // expected-error @below {{expected q, k and v to agree on axis 0}}
  %o:2 = nova.attention %q, %k, %v : tensor<2x3x4x8xf32>, tensor<?x3x4x8xf32>, tensor<1x3x4x8xf32>
  return
}

// -----

func.func @attention_depth(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x4x7xf32>) {
  // expected-error @below {{expected q and k of one head size, found 8 and 7}}
  %o:2 = nova.attention %q, %k, %k : tensor<2x3x4x8xf32>, tensor<2x3x4x7xf32>, tensor<2x3x4x7xf32>
  return
}

// -----

func.func @attention_keys(%q: tensor<2x3x4x8xf32>, %v: tensor<2x3x5x8xf32>) {
  // expected-error @below {{expected as many keys as values, found 4 and 5}}
  %o:2 = nova.attention %q, %q, %v : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x5x8xf32>
  return
}

// -----

func.func @attention_scale(%q: tensor<2x3x4x8xf32>) {
  // expected-error @below {{expected a finite scale}}
  %o:2 = nova.attention %q, %q, %q {scale = 0x7FF0000000000000 : f64}
    : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>
  return
}

// -----

func.func @attention_grad_result(%q: tensor<2x3x4x8xf32>, %y: tensor<2x3x4x7xf32>, %lse: tensor<2x3x4xf32>) {
  // expected-error @below {{expected the shape of attention's result, 'tensor<2x3x4x8xf32>', found 'tensor<2x3x4x7xf32>'}}
  %d:3 = nova.attention_grad %y, %q, %q, %q, %y, %lse : tensor<2x3x4x7xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>,
    tensor<2x3x4x8xf32>, tensor<2x3x4x7xf32>, tensor<2x3x4xf32>
  return
}

// -----

func.func @attention_grad_lse(%q: tensor<2x3x4x8xf32>, %lse: tensor<2x3x5xf32>) {
  // expected-error @below {{expected a number for each query, 'tensor<2x3x4xf32>', found 'tensor<2x3x5xf32>'}}
  %d:3 = nova.attention_grad %q, %q, %q, %q, %q, %lse : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>,
    tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x5xf32>
  return
}

// -----

func.func @attention_grad_lse_type(%q: tensor<2x3x4x8xbf16>, %lse: tensor<2x3x4xbf16>) {
  // expected-error @below {{expected a log-sum-exp of type 'tensor<2x3x4xf32>', found 'tensor<2x3x4xbf16>'}}
  %d:3 = nova.attention_grad %q, %q, %q, %q, %q, %lse : tensor<2x3x4x8xbf16>, tensor<2x3x4x8xbf16>,
    tensor<2x3x4x8xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x4x8xbf16>, tensor<2x3x4xbf16>
  return
}

// -----

func.func @attention_grad_delta(%q: tensor<2x3x4x8xf32>, %lse: tensor<2x3x4xf32>, %delta: tensor<4xf32>) {
  // expected-error @below {{expected a number for each query, 'tensor<2x3x4xf32>', found 'tensor<4xf32>'}}
  %d = nova.attention_grad_query %q, %q, %q, %q, %lse, %delta : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>,
    tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @attention_grad_key_value(%q: tensor<2x3x4x8xf32>, %dy: tensor<8xf32>, %lse: tensor<2x3x4xf32>) {
  // expected-error @below {{expected the shape of attention's result, 'tensor<2x3x4x8xf32>', found 'tensor<8xf32>'}}
  %d:2 = nova.attention_grad_key_value %dy, %q, %q, %q, %lse, %lse : tensor<8xf32>, tensor<2x3x4x8xf32>,
    tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Layer norm, cross entropy
//===----------------------------------------------------------------------===//

func.func @norm_of_scalar(%x: tensor<f32>, %w: tensor<1xf32>) {
  // expected-error @below {{expected x of rank 1 or more, found 'tensor<f32>'}}
  %y = nova.layer_norm %x, %w, %w : tensor<f32>, tensor<1xf32>, tensor<1xf32>
  return
}

// -----

func.func @norm_weight(%x: tensor<2x4xf32>, %w: tensor<3xf32>) {
  // expected-error @below {{expected weight to have the size of the last axis, 4, found 'tensor<3xf32>'}}
  %y = nova.layer_norm %x, %w, %w : tensor<2x4xf32>, tensor<3xf32>, tensor<3xf32>
  return
}

// -----

func.func @norm_bias(%x: tensor<2x4xf32>, %w: tensor<4xf32>, %b: tensor<1x4xf32>) {
  // expected-error @below {{expected bias to have the size of the last axis, 4, found 'tensor<1x4xf32>'}}
  %y = nova.layer_norm %x, %w, %b : tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>
  return
}

// -----

func.func @norm_eps(%x: tensor<2x4xf32>, %w: tensor<4xf32>) {
  // expected-error @below {{expected a finite eps of at least 0, found -1}}
  %y = nova.layer_norm %x, %w, %w {eps = -1.0 : f64} : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_grad_type(%x: tensor<2x4xf32>, %dy: tensor<4xf32>, %w: tensor<4xf32>) {
  // expected-error @below {{expected the gradient of the result to have the type of x, 'tensor<2x4xf32>', found 'tensor<4xf32>'}}
  %d:3 = nova.layer_norm_grad %dy, %x, %w : tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @norm_grad_partials(%x: tensor<2x4xf32>, %w: tensor<4xf32>) {
  // expected-error @below {{expected fewer partial axes than the rank 2, found 2}}
  %d:3 = nova.layer_norm_grad %x, %x, %w {partials = 2 : i64} : tensor<2x4xf32>, tensor<2x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @targets(%x: tensor<2x4xf32>, %ids: tensor<3xi32>) {
  // expected-error @below {{expected targets of the shape of the logits without the last axis, found 'tensor<2x4xf32>' and 'tensor<3xi32>'}}
  %l = nova.cross_entropy %x, %ids : tensor<2x4xf32>, tensor<3xi32>
  return
}

// -----

func.func @logits_of_rank_0(%x: tensor<f32>, %ids: tensor<i32>) {
  // expected-error @below {{expected targets of the shape of the logits without the last axis}}
  %l = nova.cross_entropy %x, %ids : tensor<f32>, tensor<i32>
  return
}

// -----

func.func @loss_grad(%x: tensor<2x4xf32>, %ids: tensor<2xi32>, %dy: tensor<2xf32>) {
  // expected-error @below {{expected the gradient of the loss to have its type 'tensor<f32>', found 'tensor<2xf32>'}}
  %l = nova.cross_entropy_grad %dy, %x, %ids : tensor<2xf32>, tensor<2x4xf32>, tensor<2xi32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Parameters and training
//===----------------------------------------------------------------------===//

// expected-error @below {{expected a static shape, found 'tensor<?xf32>'}}
nova.parameter @w : tensor<?xf32> = #nova.constant<0.0>

// -----

// expected-error @below {{attribute 'type' failed to satisfy constraint}}
nova.parameter @w : tensor<4xi32> = #nova.constant<0.0>

// -----

// expected-error @below {{attribute 'init' failed to satisfy constraint: #nova.normal, #nova.uniform or #nova.constant}}
nova.parameter @w : tensor<4xf32> = 0.0

// -----

// expected-error @below {{expected a finite mean and a finite standard deviation of at least 0, found 0.000000e+00 and -1.000000e+00}}
nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = -1.0>

// -----

// expected-error @below {{expected finite bounds with low <= high, found 1.000000e+00 and -1.000000e+00}}
nova.parameter @w : tensor<4xf32> = #nova.uniform<low = 1.0, high = -1.0>

// -----

func.func @read() {
  // expected-error @below {{reads @w, which is no nova.parameter of this module}}
  %w = nova.read @w : tensor<4xf32>
  return
}

// -----

nova.parameter @w : tensor<4xf32> = #nova.constant<0.0>
func.func @read_type() {
  // expected-error @below {{expected the type of @w, 'tensor<4xf32>', found 'tensor<5xf32>'}}
  %w = nova.read @w : tensor<5xf32>
  return
}

// -----

func.func @no_such_function(%w: tensor<4xf32>) {
  // expected-error @below {{differentiates @loss, which is no function of this module}}
  %l:2 = nova.value_and_grad @loss(%w) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func private @loss(tensor<5xf32>) -> tensor<f32>
func.func @gradient_arguments(%w: tensor<4xf32>) {
  // expected-error @below {{expected the argument types of @loss}}
  %l:2 = nova.value_and_grad @loss(%w) wrt [0] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func private @loss(tensor<4xf32>) -> tensor<4xf32>
func.func @gradient_of_vector(%w: tensor<4xf32>) {
  // expected-error @below {{expected the first result of @loss to be a scalar float}}
  %l:2 = nova.value_and_grad @loss(%w) wrt [0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func private @loss(tensor<4xf32>) -> tensor<f32>
func.func @gradient_wrt(%w: tensor<4xf32>) {
  // expected-error @below {{expected wrt to name arguments below 1, found 1}}
  %l:2 = nova.value_and_grad @loss(%w) wrt [1] : (tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func private @loss(tensor<4xf32>) -> tensor<f32>
func.func @gradient_results(%w: tensor<4xf32>) {
  // expected-error @below {{expected the results of @loss, then the types of the arguments in wrt}}
  %l = nova.value_and_grad @loss(%w) wrt [0] : (tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @adamw_gradient(%p: tensor<4xf32>, %g: tensor<f32>, %lr: tensor<f32>, %step: tensor<i64>) {
  // expected-error @below {{expected a gradient of the parameter's shape 'tensor<4xf32>', found 'tensor<f32>'}}
  %p1:3 = nova.adamw %p, %g, %p, %p, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<4xf32>, tensor<f32>
  return
}

// -----

func.func @adamw_beta(%p: tensor<4xf32>, %lr: tensor<f32>, %step: tensor<i64>) {
  // expected-error @below {{expected 0 <= beta2 < 1, found 1}}
  %p1:3 = nova.adamw %p, %p, %p, %p, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 1.0, eps = 1.0e-8, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @adamw_eps(%p: tensor<4xf32>, %lr: tensor<f32>, %step: tensor<i64>) {
  // expected-error @below {{expected a finite eps of at least 0, found -1}}
  %p1:3 = nova.adamw %p, %p, %p, %p, lr %lr, step %step, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = -1.0, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @sgd_momentum(%p: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{expected 0 <= momentum < 1, found 1}}
  %p1:2 = nova.sgd %p, %p, %p, lr %lr, scale %lr {momentum = 1.0, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// expected-error @below {{expected a finite decay of at least 0, found -1}}
nova.parameter @w : tensor<4xf32> = #nova.constant<0.0> {decay = -1.0}

// -----

// expected-error @below {{expected a finite lr_factor of at least 0, found}}
nova.parameter @w : tensor<4xf32> = #nova.constant<0.0> {lr_factor = 0x7FF0000000000000 : f64}

// -----

// expected-error @below {{expected aliases that no parameter of the module has yet, found 'b'}}
nova.parameter @a : tensor<2xf32> = #nova.constant<0.0> {aliases = ["b"]}
nova.parameter @b : tensor<2xf32> = #nova.constant<0.0>

// -----

// expected-error @below {{attribute 'decay' failed to satisfy constraint: a bool or a float}}
nova.parameter @w : tensor<4xf32> = #nova.constant<0.0> {decay = "no"}

// -----

//===----------------------------------------------------------------------===//
// Kernels and launches
//===----------------------------------------------------------------------===//

// expected-error @below {{expected a body that ends with nova.return}}
"nova.kernel"() <{sym_name = "k", function_type = () -> (), family = #nova<family generic>}> ({
^bb0:
}) : () -> ()

// -----

// expected-error @below {{expected a body that ends with nova.return}}
nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %y = nova.neg %x : tensor<4xf32>
}

// -----

// expected-error @below {{expected arguments and results to be tensors of static shape, found 'tensor<?xf32>'}}
nova.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> family elementwise {
  nova.return %x : tensor<?xf32>
}

// -----

nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  // expected-error @below {{expected the kernel's result types 'tensor<4xf32>', found 'tensor<4xf32>', 'tensor<4xf32>'}}
  nova.return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{expected ::mlir::nova::Family to be one of: matmul, attention, row, column, elementwise, index, generic}}
// expected-error @below {{failed to parse Nova_FamilyAttr parameter 'value'}}
nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family convolution {
  nova.return %x : tensor<4xf32>
}

// -----

func.func @not_in_a_kernel(%x: tensor<4xf32>) {
  // expected-error @below {{expects parent op 'nova.kernel'}}
  nova.return %x : tensor<4xf32>
}

// -----

func.func @launch(%x: tensor<4xf32>) {
  // expected-error @below {{launches @k, which is no nova.kernel of this module}}
  %y = nova.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  nova.return %x : tensor<4xf32>
}
func.func @launch_type(%x: tensor<5xf32>) {
  // expected-error @below {{expected the argument and result types of @k, '(tensor<4xf32>) -> tensor<4xf32>'}}
  %y = nova.launch @k(%x) : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @below {{expected tile sizes of at least 0, found -1}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [-1], lanes = 1>}

// -----

// expected-error @below {{expected lanes to be a power of two up to 64, found 3}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [1], lanes = 3>}

// -----

// expected-error @below {{expected micro to hold rows and vectors, from 1 to 2048 each, found 6}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [1], lanes = 1, micro = [6]>}

// -----

// expected-error @below {{expected micro to hold rows and vectors, from 1 to 2048 each, found 4294967296, 4294967296}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [1], lanes = 1, micro = [4294967296, 4294967296]>}

// -----

// expected-error @below {{expected threads to be a multiple of 32 up to 1024, found 2048}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [1], lanes = 1, threads = 2048>}

// -----

// expected-error @below {{expected tile, lanes, micro, threads, pairs, tf32, strategy, intrinsic, depth or stages, found steps}}
func.func private @f() attributes {config = #nova.kernel_config<tile = [1], steps = 3>}

// -----

//===----------------------------------------------------------------------===//
// What arguments and results are for
//===----------------------------------------------------------------------===//

// expected-error @below {{expected nova.name to be a string, found 1}}
func.func @name(%x: tensor<4xf32> {nova.name = 1}) { return }

// -----

// expected-error @below {{expected nova.role to be one of parameter, m, v, accumulator, narrow, data, lr, step, seed, micro, loss, grad_norm and gradient, found "weight"}}
func.func @role(%x: tensor<4xf32> {nova.role = "weight"}) { return }

// -----

// expected-error @below {{expected nova.bound to be a positive i64, found 0}}
func.func @bound(%x: tensor<4xi32> {nova.bound = 0 : i64}) { return }

// -----

// expected-error @below {{expected nova.address to be a #nova.address, found 64}}
func.func @address(%x: tensor<4xf32> {nova.address = 64}) { return }

// -----

// expected-error @below {{expected an offset of at least 0, found -64}}
func.func @offset(%x: tensor<4xf32> {nova.address = #nova.address<arena + -64>}) { return }

// -----

// expected-error @below {{expected nova.donated to be the number of a result, an i64, found 1}}
func.func @donated(%x: tensor<4xf32> {nova.donated = 1 : i64}) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// expected-error @below {{unknown attribute nova.donatd; arguments and results take nova.name, nova.role, nova.bound, nova.donated and nova.address}}
func.func @unknown(%x: tensor<4xf32> {nova.donatd = 0 : i64}) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

func.func @narrow_sums(%x: tensor<2x3xf64>, %w: tensor<3x4xf64>) {
  // expected-error @below {{expected sums at least as wide as the elements, accumulate = f64, found 'f32'}}
  %y = nova.matmul %x, %w {accumulate = f32} : tensor<2x3xf64>, tensor<3x4xf64>
  return
}

// -----

func.func @sums_of_integers(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{attribute 'accumulate' failed to satisfy constraint: type attribute of 32-bit float or 64-bit float}}
  %y = nova.matmul %x, %w {accumulate = i32} : tensor<2x3xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @infinite_masked_value(%q: tensor<2x3x4x8xf32>) {
  // expected-error @below {{expected a finite masked_value; without one, what is hidden takes no part}}
  nova.attention %q, %q, %q {causal, masked_value = 0xFFF0000000000000 : f64}
    : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>
  return
}

// -----

func.func @masked_value_of_nothing(%q: tensor<2x3x4x8xf32>) {
  // expected-error @below {{expected masked_value with `causal` and without a mask, whose numbers say what is hidden}}
  nova.attention %q, %q, %q {masked_value = -1.0e4 : f64}
    : tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>
  return
}
