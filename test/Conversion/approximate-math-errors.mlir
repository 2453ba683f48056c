// RUN: nova-opt %s --nova-approximate-math=no-library=true --verify-diagnostics

func.func @sine(%x: f16) -> f16 {
  // expected-error@+1 {{has no code without a math library: expected a function of f32 or f64, found math.sin of 'f16'}}
  %y = math.sin %x : f16
  return %y : f16
}
