// RUN: nova-opt %s --nova-fuse-attention --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=nova-fuse-attention --remark-format=emitRemark | FileCheck %s
//
// Everything here is nearly attention; each function shows one guard, and the remark says why it holds.

// CHECK-NOT: nova.attention

func.func @future(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %m = nova.compare ge %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask is not causal: it hides the past, not the future}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// A token may not see itself: one off.
func.func @strictly_past(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %m = nova.compare lt %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{query t sees the keys up to t + -1, expected t}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// The first five keys for every query.
func.func @window(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %n = nova.constant dense<5> : tensor<i32>
  %m = nova.compare lt %j, %n : tensor<8x8xi32>, tensor<i32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask is not causal: it does not follow the diagonal}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// One zero too many below the diagonal: such a literal is no known mask.
func.func @literal_with_a_hole(%q: tensor<1x2x3x4xf32>, %k: tensor<1x2x3x4xf32>, %v: tensor<1x2x3x4xf32>)
    -> tensor<1x2x3x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %m = nova.constant dense<[[1, 0, 0], [1, 1, 0], [1, 0, 1]]> : tensor<3x3xi1>
  %x = nova.select %m, %s, %h : tensor<3x3xi1>, tensor<1x2x3x3xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x3x3xf32>
  // expected-remark @below {{the mask is not known when the program is compiled}}
  %y = nova.matmul %p, %v : tensor<1x2x3x3xf32>, tensor<1x2x3x4xf32>
  return %y : tensor<1x2x3x4xf32>
}

// -----

// Padding: what is hidden depends on the data.
func.func @data_mask(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>, %m: tensor<1x1x1x8xi1>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<1x1x1x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask is not known when the program is compiled}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

func.func @learned_bias(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>, %b: tensor<8x8xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %x = nova.add %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{what is added to the scores is not known when the program is compiled}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// ALiBi.
func.func @linear_bias(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %b = nova.iota 1 : tensor<8x8xf32>
  %x = nova.sub %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{a bias that varies with the position is added to the scores}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// A negative scale after the mask makes hidden keys the only ones.
func.func @negative_scale(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %c = nova.constant dense<-0.5> : tensor<f32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %k1 = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.mul %k1, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask gives hidden scores inf}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

func.func @mask_of_a_tensor(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>, %h: tensor<1x2x8x8xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask puts a tensor in the place of scores, not a known number}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

func.func @more_queries_than_keys(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x5x4xf32>, %v: tensor<1x2x5x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x5x4xf32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %i = nova.iota 0 : tensor<8x5xi32>
  %j = nova.iota 1 : tensor<8x5xi32>
  %three = nova.constant dense<3> : tensor<i32>
  %j3 = nova.add %j, %three : tensor<8x5xi32>, tensor<i32>
  %m = nova.compare le %j3, %i : tensor<8x5xi32>, tensor<8x5xi32>
  %x = nova.select %m, %s, %h : tensor<8x5xi1>, tensor<1x2x8x5xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x5xf32>
  // expected-remark @below {{query t sees the keys up to t + -3, expected t}}
  %y = nova.matmul %p, %v : tensor<1x2x8x5xf32>, tensor<1x2x5x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// Aligned to the last key, where nova.attention aligns to the first.
func.func @bottom_right(%q: tensor<1x2x5x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x5x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x5x4xf32>, tensor<1x2x8x4xf32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %i = nova.iota 0 : tensor<5x8xi32>
  %j = nova.iota 1 : tensor<5x8xi32>
  %d = nova.constant dense<3> : tensor<i32>
  %last = nova.add %i, %d : tensor<5x8xi32>, tensor<i32>
  %m = nova.compare le %j, %last : tensor<5x8xi32>, tensor<5x8xi32>
  %x = nova.select %m, %s, %h : tensor<5x8xi1>, tensor<1x2x5x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x5x8xf32>
  // expected-remark @below {{query t sees the keys up to t + 3, expected t}}
  %y = nova.matmul %p, %v : tensor<1x2x5x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x5x4xf32>
}

// -----

// A temperature that is an argument.
func.func @scale_of_data(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>, %t: tensor<f32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %x = nova.mul %s, %t : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the scale is not known when the program is compiled}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// Capped scores.
func.func @other_op(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %x = nova.tanh %s : tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the scores pass through nova.tanh}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// The probabilities are a result of the function: attention does not make them.
func.func @probabilities_used(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> (tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>) {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %c = nova.constant dense<0.5> : tensor<f32>
  %x = nova.mul %s, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the result of nova.softmax is used elsewhere too}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y, %p : tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>
}

// -----

func.func @scores_used(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> (tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>) {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %c = nova.constant dense<0.5> : tensor<f32>
  %x = nova.mul %s, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the result of nova.matmul is used elsewhere too}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y, %s : tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>
}

// -----

func.func @other_axis(%q: tensor<1x2x8x8xf32>, %v: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %s {axis = 2} : tensor<1x2x8x8xf32>
  // expected-remark @below {{softmax runs over axis 2, not over the keys, axis 3}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @transposed_probabilities(%q: tensor<1x2x8x8xf32>, %v: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %p = nova.softmax %s : tensor<1x2x8x8xf32>
  // expected-remark @below {{the probabilities are transposed before they meet the values}}
  %y = nova.matmul %p, %v {transpose_lhs} : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @no_product(%x: tensor<1x2x8x8xf32>, %v: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the scores are no product}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

// Softmax in f32, the products in bf16.
func.func @other_element_type(%q: tensor<1x2x8x4xbf16>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x8x4xbf16>, tensor<1x2x8x4xbf16>
  %x = nova.cast %s : tensor<1x2x8x8xbf16> -> tensor<1x2x8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %v = nova.cast %q : tensor<1x2x8x4xbf16> -> tensor<1x2x8x4xf32>
  // expected-remark @below {{the element type changes between the scores and the softmax}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

func.func @grouped_heads(%q: tensor<1x4x8x4xf32>, %k: tensor<1x1x8x4xf32>) -> tensor<1x4x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x4x8x4xf32>, tensor<1x1x8x4xf32>
  %p = nova.softmax %s : tensor<1x4x8x8xf32>
  // expected-remark @below {{queries, keys and values have different leading axes}}
  %y = nova.matmul %p, %k : tensor<1x4x8x8xf32>, tensor<1x1x8x4xf32>
  return %y : tensor<1x4x8x4xf32>
}

// -----

// The mask brings a batch that the scores do not have.
func.func @mask_with_batch(%q: tensor<8x4xf32>, %v: tensor<3x8x4xf32>) -> tensor<3x8x4xf32> {
  %i = nova.iota 1 : tensor<3x8x8xi32>
  %j = nova.iota 2 : tensor<3x8x8xi32>
  %m = nova.compare le %j, %i : tensor<3x8x8xi32>, tensor<3x8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<8x4xf32>, tensor<8x4xf32>
  %x = nova.select %m, %s, %h : tensor<3x8x8xi1>, tensor<8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<3x8x8xf32>
  // expected-remark @below {{the mask broadcasts the scores}}
  %y = nova.matmul %p, %v : tensor<3x8x8xf32>, tensor<3x8x4xf32>
  return %y : tensor<3x8x4xf32>
}

// -----

func.func @dynamic(%q: tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32> {
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>
  %p = nova.softmax %s : tensor<1x2x?x?xf32>
  // expected-remark @below {{shapes are dynamic; specialise them first}}
  %y = nova.matmul %p, %q : tensor<1x2x?x?xf32>, tensor<1x2x?x4xf32>
  return %y : tensor<1x2x?x4xf32>
}

// -----

// A product of something else than a softmax is no near miss.
func.func @no_softmax(%q: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %s = nova.matmul %q, %q {transpose_rhs} : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  %y = nova.matmul %s, %q : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>
  return %y : tensor<1x2x8x8xf32>
}

// -----

func.func @wide_scores(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {accumulate = f64, transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %p = nova.softmax %s : tensor<1x2x8x8xf32>
  // expected-remark @below {{the scores are summed in f64}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

func.func @wide_values(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %p = nova.softmax %s : tensor<1x2x8x8xf32>
  // expected-remark @below {{the values are summed in f64}}
  %y = nova.matmul %p, %v {accumulate = f64} : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// What is added to all scores rounds them.
func.func @uniform_1e8(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %h = nova.constant dense<1.0e8> : tensor<f32>
  %x = nova.add %s, %h : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{a number so large that it rounds the scores is added to all of them: 1e+08}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// The scores that are seen are shifted against those that are hidden.
func.func @added_to_seen_scores(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %c = nova.constant dense<3.0> : tensor<f32>
  %t = nova.add %s, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.select %m, %t, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{a number is added to the scores that are seen, not to hidden ones}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// Two numbers for what is hidden.
func.func @two_finite_masks(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %g = nova.constant dense<-1.0e3> : tensor<f32>
  %t = nova.select %m, %s, %g : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.select %m, %t, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{several masks hide keys, by finite numbers}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// No number.
func.func @mask_is_nan(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0x7FC00000> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  // expected-remark @below {{the mask gives hidden scores nan}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// -----

// The default scale would be infinite.
func.func @no_elements(%q: tensor<1x2x8x0xf32>, %k: tensor<1x2x8x0xf32>, %v: tensor<1x2x8x4xf32>)
    -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x0xf32>, tensor<1x2x8x0xf32>
  %p = nova.softmax %s : tensor<1x2x8x8xf32>
  // expected-remark @below {{the heads have no elements}}
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}
