// RUN: nova-opt %s --nova-approximate-math=no-library=true --verify-diagnostics

func.func @sine(%x: f64) -> f64 {
  // expected-error@+1 {{has no code without a math library: expected a function of f32 or f64 scalars among exp, log, tanh, erf and powf, found math.sin of 'f64'}}
  %y = math.sin %x : f64
  return %y : f64
}
