// Functions for FiniteDifferencesTest, one or more for every differentiable op. Arguments keep clear of the places where a
// function has no derivative: ties, zeros of abs, bounds of a domain.

!v = tensor<3x4xf64>
!s = tensor<f64>

// Elementwise.
func.func @one_operand(%x: !v, %p: !v {test.low = 0.2, test.high = 3.0})
    -> (!v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v) {
  %abs = nova.abs %x : !v
  %neg = nova.neg %x : !v
  %steps = nova.stop_gradient %x : !v
  %sign = nova.sign %steps : !v
  %square = nova.square %x : !v
  %sqrt = nova.sqrt %p : !v
  %rsqrt = nova.rsqrt %p : !v
  %reciprocal = nova.reciprocal %p : !v
  %exp = nova.exp %x : !v
  %log = nova.log %p : !v
  %tanh = nova.tanh %x : !v
  %erf = nova.erf %x : !v
  %relu = nova.relu %x : !v
  %sigmoid = nova.sigmoid %x : !v
  %silu = nova.silu %x : !v
  %constant = nova.constant dense<2.0> : !v
  %same = nova.mul %constant, %x : !v, !v
  %cast = nova.cast %same : !v -> !v
  return %abs, %neg, %sign, %square, %sqrt, %rsqrt, %reciprocal, %exp, %log, %tanh, %erf, %relu, %sigmoid, %silu, %same,
         %cast : !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v
}
func.func @gelu(%x: !v) -> (!v, !v) {
  %exact = nova.gelu exact %x : !v
  %tanh = nova.gelu tanh %x : !v
  return %exact, %tanh : !v, !v
}
func.func @gelu_grad(%dy: tensor<4xf64>, %x: !v) -> (!v, !v) {
  %exact = nova.gelu_grad exact %dy, %x : tensor<4xf64>, !v
  %tanh = nova.gelu_grad tanh %x, %dy : !v, tensor<4xf64>
  return %exact, %tanh : !v, !v
}
func.func @two_operands(%x: !v, %row: tensor<4xf64>, %column: tensor<3x1xf64>, %p: !v {test.low = 0.2, test.high = 3.0})
    -> (!v, !v, !v, !v, !v, !v, !v, !v) {
  %add = nova.add %x, %row : !v, tensor<4xf64>
  %sub = nova.sub %column, %x : tensor<3x1xf64>, !v
  %mul = nova.mul %row, %column : tensor<4xf64>, tensor<3x1xf64>
  %div = nova.div %x, %p : !v, !v
  %pow = nova.pow %p, %row : !v, tensor<4xf64>
  %max = nova.max %x, %row : !v, tensor<4xf64>
  %min = nova.min %column, %x : tensor<3x1xf64>, !v
  %zero = nova.constant dense<0.0> : !s
  %positive = nova.compare gt %x, %zero : !v, !s
  %select = nova.select %positive, %x, %row : tensor<3x4xi1>, !v, tensor<4xf64>
  return %add, %sub, %mul, %div, %pow, %max, %min, %select : !v, !v, !v, !v, !v, !v, !v, !v
}
func.func @functions(%x: !v, %p: !v {test.low = 0.2, test.high = 3.0}, %u: !v {test.low = -0.8, test.high = 0.8},
                     %a: !v {test.low = 1.2, test.high = 4.0}) -> (!v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v) {
  %exp2 = nova.exp2 %x : !v
  %expm1 = nova.expm1 %x : !v
  %sin = nova.sin %x : !v
  %cos = nova.cos %x : !v
  %atan = nova.atan %x : !v
  %sinh = nova.sinh %x : !v
  %cosh = nova.cosh %x : !v
  %asinh = nova.asinh %x : !v
  %floor = nova.floor %x : !v
  %ceil = nova.ceil %x : !v
  %round = nova.round %x : !v
  %log2 = nova.log2 %p : !v
  %log10 = nova.log10 %p : !v
  %log1p = nova.log1p %p : !v
  %tan = nova.tan %u : !v
  %asin = nova.asin %u : !v
  %acos = nova.acos %u : !v
  %atanh = nova.atanh %u : !v
  %acosh = nova.acosh %a : !v
  return %exp2, %expm1, %sin, %cos, %atan, %sinh, %cosh, %asinh, %floor, %ceil, %round, %log2, %log10, %log1p, %tan, %asin, %acos, %atanh, %acosh
    : !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v, !v
}
func.func @remainder_and_bounds(%x: !v, %y: tensor<4xf64> {test.low = 0.6, test.high = 2.0}, %low: tensor<3x1xf64> {test.low = -0.9, test.high = -0.1},
                                %high: !s {test.low = 0.2, test.high = 0.9}) -> (!v, !v) {
  %mod = nova.mod %x, %y : !v, tensor<4xf64>
  %clamp = nova.clamp %x, %low, %high : !v, tensor<3x1xf64>, !s
  return %mod, %clamp : !v, !v
}

// Movement.
func.func @movement(%x: !v, %y: tensor<3x2xf64>, %value: !s)
    -> (tensor<3x2x4xf64>, tensor<2x6xf64>, tensor<4x3xf64>, tensor<2x2xf64>, tensor<5x9xf64>, tensor<3x6xf64>) {
  %broadcast = nova.broadcast_in_dim %x dims = [0, 2] : !v -> tensor<3x2x4xf64>
  %reshape = nova.reshape %x : !v -> tensor<2x6xf64>
  %transpose = nova.transpose %x [1, 0] : !v
  %slice = nova.slice %x starts = [1, 0] limits = [3, 4] strides = [1, 3] : !v -> tensor<2x2xf64>
  %pad = nova.pad %x, %value low = [1, 0] high = [1, 2] interior = [0, 1] : !v, !s -> tensor<5x9xf64>
  %concat = nova.concat %x, %y axis = 1 : (!v, tensor<3x2xf64>) -> tensor<3x6xf64>
  return %broadcast, %reshape, %transpose, %slice, %pad, %concat
    : tensor<3x2x4xf64>, tensor<2x6xf64>, tensor<4x3xf64>, tensor<2x2xf64>, tensor<5x9xf64>, tensor<3x6xf64>
}
func.func @indices(%table: tensor<5x3xf64>, %i: tensor<2x3xi32> {test.bound = 5}, %j: tensor<4xi64> {test.bound = 3},
                   %updates: tensor<2x3x3xf64>) -> (tensor<2x3x3xf64>, tensor<5x4xf64>, tensor<5x3xf64>) {
  %gather = nova.gather %table[%i] : tensor<5x3xf64>, tensor<2x3xi32>
  %columns = nova.gather %table[%j] {axis = 1} : tensor<5x3xf64>, tensor<4xi64>
  %scatter = nova.scatter_add %table[%i], %updates : tensor<5x3xf64>, tensor<2x3xi32>, tensor<2x3x3xf64>
  return %gather, %columns, %scatter : tensor<2x3x3xf64>, tensor<5x4xf64>, tensor<5x3xf64>
}
func.func @dynamic_parts(%x: !v, %at: tensor<2xi64> {test.bound = 3}, %update: tensor<2x3xf64>) -> (tensor<2x3xf64>, !v) {
  %slice = nova.dynamic_slice %x[%at] sizes = [2, 3] : !v, tensor<2xi64> -> tensor<2x3xf64>
  %updated = nova.dynamic_update_slice %x[%at], %update : !v, tensor<2xi64>, tensor<2x3xf64> -> !v
  return %slice, %updated : tensor<2x3xf64>, !v
}
func.func @dropout(%x: !v, %seed: tensor<i64> {test.bound = 9}) -> !v {
  %y = nova.dropout %x, %seed, %seed {p = 0.4, stream = 2} : !v
  return %y : !v
}

// Reductions and contractions.
func.func @lines(%x: !v) -> (!v, !v, !v, !v, tensor<4xf64>, !s) {
  %cumsum = nova.cumsum %x : !v
  %reverse = nova.cumsum %x {axis = 0, reverse} : !v
  %last = nova.log_softmax %x : !v
  %first = nova.log_softmax %x {axis = 0} : !v
  %columns = nova.logsumexp %x over [0] : !v
  %all = nova.logsumexp %x over [0, 1] : !v
  return %cumsum, %reverse, %last, %first, %columns, %all : !v, !v, !v, !v, tensor<4xf64>, !s
}
func.func @conv2d(%x: tensor<2x4x5x4xf64>, %w: tensor<2x2x2x3xf64>) -> tensor<2x2x3x4xf64> {
  %y = nova.conv2d %x, %w strides = [2, 1] padding = [1, 1] {groups = 2} : tensor<2x4x5x4xf64>, tensor<2x2x2x3xf64>
  return %y : tensor<2x2x3x4xf64>
}
func.func @reduce(%x: tensor<2x3x4xf64>)
    -> (tensor<3xf64>, tensor<2x1x4xf64>, tensor<2xf64>, tensor<2x3xf64>, tensor<3x4xf64>) {
  %sum = nova.reduce sum %x over [0, 2] : tensor<2x3x4xf64>
  %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<2x3x4xf64>
  %max = nova.reduce max %x over [1, 2] : tensor<2x3x4xf64>
  %min = nova.reduce min %x over [2] : tensor<2x3x4xf64>
  %product = nova.reduce product %x over [0] : tensor<2x3x4xf64>
  return %sum, %mean, %max, %min, %product
    : tensor<3xf64>, tensor<2x1x4xf64>, tensor<2xf64>, tensor<2x3xf64>, tensor<3x4xf64>
}
func.func @softmax(%x: tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3x4xf64>) {
  %last = nova.softmax %x : tensor<2x3x4xf64>
  %middle = nova.softmax %x {axis = 1} : tensor<2x3x4xf64>
  return %last, %middle : tensor<2x3x4xf64>, tensor<2x3x4xf64>
}
func.func @softmax_grad(%dy: tensor<2x3x4xf64>, %y: tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3x4xf64>) {
  %last = nova.softmax_grad %dy, %y : tensor<2x3x4xf64>, tensor<2x3x4xf64>
  %middle = nova.softmax_grad %dy, %y {axis = 1} : tensor<2x3x4xf64>, tensor<2x3x4xf64>
  return %last, %middle : tensor<2x3x4xf64>, tensor<2x3x4xf64>
}
func.func @matmul(%a: tensor<2x3x4xf64>, %b: tensor<4x2xf64>, %c: tensor<2x3xf64>)
    -> (tensor<2x3x2xf64>, tensor<2x4x2xf64>) {
  %nn = nova.matmul %a, %b : tensor<2x3x4xf64>, tensor<4x2xf64>
  %tt = nova.matmul %a, %c {transpose_lhs, transpose_rhs} : tensor<2x3x4xf64>, tensor<2x3xf64>
  return %nn, %tt : tensor<2x3x2xf64>, tensor<2x4x2xf64>
}

// Transformers.
func.func @attention(%q: tensor<1x2x3x2xf64>, %k: tensor<1x2x4x2xf64>, %v: tensor<1x2x4x3xf64>)
    -> (tensor<1x2x3x3xf64>, tensor<1x2x3xf64>) {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<1x2x3x2xf64>, tensor<1x2x4x2xf64>, tensor<1x2x4x3xf64>
  return %y, %lse : tensor<1x2x3x3xf64>, tensor<1x2x3xf64>
}
func.func @masked_attention(%q: tensor<1x4x3x2xf64>, %k: tensor<1x2x4x2xf64>, %v: tensor<1x2x4x3xf64>, %m: tensor<3x4xf64>)
    -> tensor<1x4x3x3xf64> {
  %y, %lse = nova.attention %q, %k, %v mask %m {causal}
    : tensor<1x4x3x2xf64>, tensor<1x2x4x2xf64>, tensor<1x2x4x3xf64>, tensor<3x4xf64>
  return %y : tensor<1x4x3x3xf64>
}
func.func @log_sum_exp(%q: tensor<1x4x3x2xf64>, %k: tensor<1x2x4x2xf64>, %m: tensor<3x4xf64>)
    -> (tensor<1x4x3xf64>, tensor<1x4x3x2xf64>, tensor<1x4x3xf64>) {
  %y, %lse = nova.attention %q, %k, %k mask %m {scale = 0.7}
    : tensor<1x4x3x2xf64>, tensor<1x2x4x2xf64>, tensor<1x2x4x2xf64>, tensor<3x4xf64>
  %z, %only = nova.attention %q, %k, %k mask %m {scale = 0.3}
    : tensor<1x4x3x2xf64>, tensor<1x2x4x2xf64>, tensor<1x2x4x2xf64>, tensor<3x4xf64>
  return %lse, %y, %only : tensor<1x4x3xf64>, tensor<1x4x3x2xf64>, tensor<1x4x3xf64>
}
func.func @rms_norm(%x: tensor<2x3x4xf64>, %w: tensor<4xf64>) -> tensor<2x3x4xf64> {
  %y = nova.rms_norm %x, %w {eps = 1.0e-2} : tensor<2x3x4xf64>, tensor<4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @rotary_embedding(%x: tensor<2x3x6xf64>, %cos: tensor<3x2xf64>, %sin: tensor<3x2xf64>)
    -> (tensor<2x3x6xf64>, tensor<2x3x6xf64>) {
  %halves = nova.rotary_embedding %x, %cos, %sin : tensor<2x3x6xf64>, tensor<3x2xf64>, tensor<3x2xf64>
  %pairs = nova.rotary_embedding %x, %cos, %sin {interleaved} : tensor<2x3x6xf64>, tensor<3x2xf64>, tensor<3x2xf64>
  return %halves, %pairs : tensor<2x3x6xf64>, tensor<2x3x6xf64>
}
func.func @layer_norm(%x: tensor<2x3x4xf64>, %w: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<2x3x4xf64> {
  %y = nova.layer_norm %x, %w, %b {eps = 1.0e-2} : tensor<2x3x4xf64>, tensor<4xf64>, tensor<4xf64>
  return %y : tensor<2x3x4xf64>
}
func.func @losses(%x: !v, %p: !v {test.low = 0.2, test.high = 0.8}, %t: !v {test.low = 0.2, test.high = 0.8})
    -> (!s, !s, !v, tensor<3xf64>) {
  %mse = nova.mse %x, %t : !v, !v
  %mae = nova.mae %x, %t {reduction = #nova.reduction<sum>} : !v, !v
  %bce = nova.bce %p, %t {reduction = #nova.reduction<none>} : !v, !v
  %cce = nova.cce %x, %t {reduction = #nova.reduction<none>} : !v, !v
  return %mse, %mae, %bce, %cce : !s, !s, !v, tensor<3xf64>
}
func.func @cross_entropy(%x: !v, %t: tensor<3xi32> {test.bound = 4}) -> (!s, !s, tensor<3xf64>) {
  %mean = nova.cross_entropy %x, %t {ignore_index = 0} : !v, tensor<3xi32>
  %sum = nova.cross_entropy %x, %t {reduction = #nova.reduction<sum>} : !v, tensor<3xi32>
  %rows = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : !v, tensor<3xi32>
  return %mean, %sum, %rows : !s, !s, tensor<3xf64>
}

// Parameters have the first argument's values.
nova.parameter @p : tensor<3x4xf64> = #nova.constant<0.0>
func.func @read(%x: !v) -> !v {
  %p = nova.read @p : !v
  %y = nova.mul %p, %x : !v, !v
  return %y : !v
}
