// Functions of f64 whose results are large, small or vanish, as GPUs compute them without a library; zeros with a sign, seen
// by their reciprocals; and gradients of gelu where cubes overflow.
// RUN: nova-run %s --device=reference --outputs %t.safetensors
// RUN: nova-run %s --device=cpu --expect %t.safetensors --rtol 8e-16 --atol 0 --quiet
// RUN: nova-run %s --device=cpu --mode=eager --expect %t.safetensors --rtol 8e-16 --atol 0 --quiet
// RUN: nova-run %s --device=emulator --expect %t.safetensors --rtol 8e-16 --atol 0 --quiet
// RUN: nova-run %s --device=emulator --mode=eager --expect %t.safetensors --rtol 8e-16 --atol 0 --quiet

!v = tensor<8xf64>
!f = tensor<6xf32>

func.func @functions() -> (!v, !v, !v, !v, !v, !v, !v, !f, !f, !f) {
  %base = nova.constant dense<[100.0, 1.0e10, 2.0, 2.0, 1.0000001, 0.3, -7.0, 5.0e-324]> : !v
  %exponent = nova.constant dense<[-149.0, 2.0, 1024.0, -1022.0, 1.0e9, 590.25, 333.0, 0.5]> : !v
  %pow = nova.pow %base, %exponent : !v, !v
  %two = nova.constant dense<[1024.0, 1023.9999999, 710.3, -1000.7, -1074.0, 0.1, 0x7FF0000000000000, 0xFFF0000000000000]> : !v
  %exp2 = nova.exp2 %two : !v
  %x = nova.constant dense<[-8.0, -100.0, 6.0, 5.9, 0x7FF0000000000000, 0xFFF0000000000000, 1.0e-300, 0.7]> : !v
  %erf = nova.erf %x : !v
  %far = nova.constant dense<[-1.0e10, -1.0e300, 10.0, 1.0e300, 9.0, 8.5, 1.0, -1.0e-3]> : !v
  %gelu = nova.gelu exact %far : !v
  %y = nova.constant dense<[0.99, 1.01, 1.0e-310, 1.7e308, 2.0, 0.5, 3.0, 123456.789]> : !v
  %log = nova.log %y : !v
  %zero = nova.constant dense<-0.0> : !v
  %erf0 = nova.erf %zero : !v
  %log0 = nova.log1p %zero : !v
  %both = nova.add %erf0, %log0 : !v, !v
  %sign = nova.reciprocal %both : !v
  %expm1 = nova.expm1 %zero : !v
  %sign2 = nova.reciprocal %expm1 : !v
  %zero32 = nova.constant dense<-0.0> : !f
  %erf32 = nova.erf %zero32 : !f
  %sign32 = nova.reciprocal %erf32 : !f
  %log32 = nova.log1p %zero32 : !f
  %sign33 = nova.reciprocal %log32 : !f
  %one = nova.constant dense<1.0> : !f
  %large = nova.constant dense<[1.0e13, 1.0e15, 1.0e18, -1.0e13, -1.0e15, -1.0e18]> : !f
  %slope = nova.gelu_grad tanh %one, %large : !f, !f
  return %pow, %exp2, %erf, %gelu, %log, %sign, %sign2, %sign32, %sign33, %slope : !v, !v, !v, !v, !v, !v, !v, !f, !f, !f
}
