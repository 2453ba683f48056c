// RUN: nova-opt %s --nova-approximate-math=no-library=true --verify-diagnostics

func.func @sine(%x: f64) -> f64 {
  // expected-error@+1 {{has no code without a math library: expected a function of f32, or of f64 other than sin, cos and tan, found math.sin of 'f64'}}
  %y = math.sin %x : f64
  return %y : f64
}
