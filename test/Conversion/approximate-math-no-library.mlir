// What f64 functions and powers become where there is no math library, run on this machine against known values: the
// program's result is the number of values that are further off than 4 units in the last place.
// RUN: nova-opt %s --nova-approximate-math=no-library=true | FileCheck %s
// RUN: nova-opt %s --nova-approximate-math=no-library=true --convert-scf-to-cf --convert-math-to-llvm --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | lli

// CHECK-NOT: math.{{exp|log|tanh|erf|powf|sin|cos}}

func.func private @is_wrong(%x: f64, %y: f64) -> i32 {
  %tolerance = arith.constant 8.9e-16 : f64
  %difference = arith.subf %x, %y : f64
  %distance = math.absf %difference : f64
  %size = math.absf %y : f64
  %allowed = arith.mulf %size, %tolerance : f64
  %far = arith.cmpf ugt, %distance, %allowed : f64
  %unequal = arith.cmpf une, %x, %y : f64
  %x_number = arith.cmpf ord, %x, %x : f64
  %y_number = arith.cmpf ord, %y, %y : f64
  %a_number = arith.ori %x_number, %y_number : i1
  %0 = arith.andi %far, %unequal : i1
  %1 = arith.andi %0, %a_number : i1
  %result = arith.extui %1 : i1 to i32
  return %result : i32
}

llvm.mlir.global internal constant @exp_cases(dense<[
  [0.0, 1.0], [1.0, 2.718281828459045], [-1.0, 0.36787944117144233], [1.0e-09, 1.000000001],
  [0.3465, 1.4141094938303624], [-37.25, 6.64554417291507e-17], [709.5, 1.3549863193146328e+308], [-740.0, 4.2e-322],
  [710.0, 0x7FF0000000000000], [-800.0, 0.0], [0x7FF0000000000000, 0x7FF0000000000000], [0xFFF0000000000000, 0.0],
  [0x7FF8000000000000, 0x7FF8000000000000]
]> : tensor<13x2xf64>) : !llvm.array<13 x array<2 x f64>>
func.func private @exp() -> i32 {
  %table = llvm.mlir.addressof @exp_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 13 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<13 x array<2 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected = llvm.load %next : !llvm.ptr -> f64
    %y = math.exp %x : f64
    %bad = func.call @is_wrong(%y, %expected) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad : i32
    scf.yield %more : i32
  }
  return %wrong : i32
}

llvm.mlir.global internal constant @log_cases(dense<[
  [1.0, 0.0], [2.0, 0.6931471805599453], [0.7071067811865476, -0.3465735902799726],
  [1.0000000001, 1.000000082690371e-10], [1.0e+300, 690.7755278982137], [5.0e-324, -744.4400719213812],
  [0.0, 0xFFF0000000000000], [-1.0, 0x7FF8000000000000], [0x7FF0000000000000, 0x7FF0000000000000],
  [0x7FF8000000000000, 0x7FF8000000000000]
]> : tensor<10x2xf64>) : !llvm.array<10 x array<2 x f64>>
func.func private @log() -> i32 {
  %table = llvm.mlir.addressof @log_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 10 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<10 x array<2 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected = llvm.load %next : !llvm.ptr -> f64
    %y = math.log %x : f64
    %bad = func.call @is_wrong(%y, %expected) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad : i32
    scf.yield %more : i32
  }
  return %wrong : i32
}

llvm.mlir.global internal constant @tanh_cases(dense<[
  [0.0, 0.0], [1.0e-12, 1.0e-12], [0.1, 0.09966799462495582], [-0.174, -0.17226500051259905],
  [0.176, 0.17420497908433913], [1.0, 0.7615941559557649], [-3.5, -0.9981778976111987], [30.0, 1.0],
  [0x7FF0000000000000, 1.0], [0xFFF0000000000000, -1.0], [0x7FF8000000000000, 0x7FF8000000000000]
]> : tensor<11x2xf64>) : !llvm.array<11 x array<2 x f64>>
func.func private @tanh() -> i32 {
  %table = llvm.mlir.addressof @tanh_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 11 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<11 x array<2 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected = llvm.load %next : !llvm.ptr -> f64
    %y = math.tanh %x : f64
    %bad = func.call @is_wrong(%y, %expected) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad : i32
    scf.yield %more : i32
  }
  return %wrong : i32
}

llvm.mlir.global internal constant @erf_cases(dense<[
  [0.0, 0.0], [1.0e-12, 1.1283791670955126e-12], [0.1, 0.1124629160182849], [-0.5, -0.5204998778130465],
  [1.0, 0.8427007929497149], [2.5, 0.999593047982555], [-4.0, -0.9999999845827421], [5.9, 0.9999999999999999],
  [7.0, 1.0], [0x7FF0000000000000, 1.0], [0x7FF8000000000000, 0x7FF8000000000000]
]> : tensor<11x2xf64>) : !llvm.array<11 x array<2 x f64>>
func.func private @erf() -> i32 {
  %table = llvm.mlir.addressof @erf_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 11 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<11 x array<2 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected = llvm.load %next : !llvm.ptr -> f64
    %y = math.erf %x : f64
    %bad = func.call @is_wrong(%y, %expected) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad : i32
    scf.yield %more : i32
  }
  return %wrong : i32
}

// Angle, sine, cosine, tangent. The cosine of 5.3e255 is the closest to 0 that there is.
llvm.mlir.global internal constant @angle_cases(dense<[
  [0.0, 0.0, 1.0, 0.0], [1.0e-300, 1.0e-300, 1.0, 1.0e-300], [5.0e-324, 5.0e-324, 1.0, 5.0e-324],
  [-0.5, -0.479425538604203, 0.8775825618903728, -0.5463024898437905],
  [0.785398163397448, 0.7071067811865472, 0.7071067811865478, 0.9999999999999992],
  [1.0, 0.8414709848078965, 0.5403023058681398, 1.5574077246549023],
  [-3.141592653589793, -1.2246467991473532e-16, -1.0, 1.2246467991473532e-16],
  [355.0, -3.014435335948845e-05, -0.999999999545659, 3.0144353373184265e-05],
  [1073741824.0, -0.6173264150460421, 0.7867071229411882, -0.7846966133192005],
  [6381956970095103.0, -0.5818037467964668, 0.813329207771117, -0.7153361040492661],
  [5.319372648326541e+255, 1.0, -4.687165924254628e-19, -2.133485385753704e+18],
  [-1.0e+300, 0.8178819121159085, -0.5753861119575491, -1.4214488238747245],
  [1.7976931348623157e+308, 0.004961954789184062, -0.9999876894265599, -0.004962015874444895],
  [0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000],
  [0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]
]> : tensor<15x4xf64>) : !llvm.array<15 x array<4 x f64>>
func.func private @angles() -> i32 {
  %table = llvm.mlir.addressof @angle_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 15 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<15 x array<4 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %at_sine = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected_sine = llvm.load %at_sine : !llvm.ptr -> f64
    %at_cosine = llvm.getelementptr %at[2] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected_cosine = llvm.load %at_cosine : !llvm.ptr -> f64
    %at_tangent = llvm.getelementptr %at[3] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected_tangent = llvm.load %at_tangent : !llvm.ptr -> f64
    %sine = math.sin %x : f64
    %cosine = math.cos %x : f64
    %tangent = math.tan %x : f64
    %bad_sine = func.call @is_wrong(%sine, %expected_sine) : (f64, f64) -> i32
    %bad_cosine = func.call @is_wrong(%cosine, %expected_cosine) : (f64, f64) -> i32
    %bad_tangent = func.call @is_wrong(%tangent, %expected_tangent) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad_sine : i32
    %still_more = arith.addi %more, %bad_cosine : i32
    %most = arith.addi %still_more, %bad_tangent : i32
    scf.yield %most : i32
  }
  return %wrong : i32
}

// Base, exponent, power.
llvm.mlir.global internal constant @pow_cases(dense<[
  [2.0, 10.0, 1024.0], [0.5, -3.0, 8.0], [1.5, 20.25, 3680.00146484375], [3.0, -40.0, 8.225263645142244e-20],
  [-2.0, 3.0, -8.0], [-2.0, 4.0, 16.0], [-2.0, 0.5, 0x7FF8000000000000], [0.0, 0.0, 1.0],
  [0.0, -1.0, 0x7FF0000000000000], [-0.0, 3.0, -0.0], [0x7FF8000000000000, 0.0, 1.0], [1.0, 0x7FF8000000000000, 1.0],
  [0x7FF8000000000000, 1.0, 0x7FF8000000000000], [-1.0, 0x7FF0000000000000, 1.0], [0.5, 0x7FF0000000000000, 0.0],
  [2.0, 0xFFF0000000000000, 0.0], [0x7FF0000000000000, -1.0, 0.0], [0xFFF0000000000000, 3.0, 0xFFF0000000000000],
  [2.0, 200.0, 0x7FF0000000000000]
]> : tensor<19x3xf64>) : !llvm.array<19 x array<3 x f64>>
func.func private @pow() -> i32 {
  %table = llvm.mlir.addressof @pow_cases : !llvm.ptr
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = arith.constant 19 : i32
  %wrong = scf.for %i = %zero to %count step %one iter_args(%sum = %zero) -> i32 : i32 {
    %at = llvm.getelementptr %table[0, %i, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<19 x array<3 x f64>>
    %x = llvm.load %at : !llvm.ptr -> f64
    %next = llvm.getelementptr %at[1] : (!llvm.ptr) -> !llvm.ptr, f64
    %y = llvm.load %next : !llvm.ptr -> f64
    %last = llvm.getelementptr %at[2] : (!llvm.ptr) -> !llvm.ptr, f64
    %expected = llvm.load %last : !llvm.ptr -> f64
    %base = arith.truncf %x : f64 to f32
    %exponent = arith.truncf %y : f64 to f32
    %power = math.powf %base, %exponent : f32
    %wide = arith.extf %power : f32 to f64
    %bad = func.call @is_wrong(%wide, %expected) : (f64, f64) -> i32
    %more = arith.addi %sum, %bad : i32
    scf.yield %more : i32
  }
  return %wrong : i32
}

func.func @main() -> i32 {
  %exp = func.call @exp() : () -> i32
  %log = func.call @log() : () -> i32
  %tanh = func.call @tanh() : () -> i32
  %erf = func.call @erf() : () -> i32
  %pow = func.call @pow() : () -> i32
  %0 = arith.addi %exp, %log : i32
  %1 = arith.addi %tanh, %erf : i32
  %2 = arith.addi %0, %1 : i32
  %3 = arith.addi %2, %pow : i32
  %angles = func.call @angles() : () -> i32
  %wrong = arith.addi %3, %angles : i32
  return %wrong : i32
}
