// What PyTorch gives at special numbers (scripts/make_special_goldens.py), and what is documented where it gives nothing.
// RUN: nova-run %s --device=reference --inputs %S/Inputs/special-i1.safetensors --outputs %t.reference.safetensors --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/special-i1.safetensors --outputs %t.cpu.safetensors --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/special-i1.safetensors --outputs %t.eager.safetensors --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/special-i1.safetensors --outputs %t.gpu.safetensors --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/special-i1.safetensors --outputs %t.gpu-eager.safetensors --quiet
// RUN: %python %S/special.py check %S/Inputs/special-i1.safetensors %t.reference.safetensors \
// RUN:   %t.cpu.safetensors %t.eager.safetensors %t.gpu.safetensors %t.gpu-eager.safetensors
// Constants in place of inputs fold to the same values.
// RUN: %python %S/special.py fold %S/Inputs/special-i1.safetensors > %t.fold.mlir
// RUN: nova-opt %t.fold.mlir --canonicalize -o %t.folded.mlir
// RUN: nova-run %t.folded.mlir --device=reference --outputs %t.folded.safetensors --quiet
// RUN: %python %S/special.py check-fold %t.reference.safetensors %t.folded.safetensors

func.func @special(%x: tensor<2xi1> {nova.name = "x"}, %a: tensor<2x1xi1> {nova.name = "a"}, %c: tensor<2xi1> {nova.name = "c"})
    -> (tensor<2xi1> {nova.name = "result.not"},
        tensor<2x2xi1> {nova.name = "result.and"},
        tensor<2x2xi1> {nova.name = "result.or"},
        tensor<2x2xi1> {nova.name = "result.xor"},
        tensor<2x2xi1> {nova.name = "result.compare eq"},
        tensor<2x2xi1> {nova.name = "result.compare ne"},
        tensor<2x2xi1> {nova.name = "result.compare lt"},
        tensor<2x2xi1> {nova.name = "result.compare le"},
        tensor<2x2xi1> {nova.name = "result.compare gt"},
        tensor<2x2xi1> {nova.name = "result.compare ge"},
        tensor<2x2xi1> {nova.name = "result.select"},
        tensor<2xf64> {nova.name = "result.cast f64"},
        tensor<2xf32> {nova.name = "result.cast f32"},
        tensor<2xf16> {nova.name = "result.cast f16"},
        tensor<2xbf16> {nova.name = "result.cast bf16"},
        tensor<2xi8> {nova.name = "result.cast i8"},
        tensor<2xi32> {nova.name = "result.cast i32"},
        tensor<2xi64> {nova.name = "result.cast i64"}) {
  %not.y = nova.not %x : tensor<2xi1>
  %and.y = nova.and %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %or.y = nova.or %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %xor.y = nova.xor %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_eq.y = nova.compare eq %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_ne.y = nova.compare ne %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_lt.y = nova.compare lt %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_le.y = nova.compare le %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_gt.y = nova.compare gt %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %compare_ge.y = nova.compare ge %a, %x : tensor<2x1xi1>, tensor<2xi1>
  %select.y = nova.select %c, %a, %x : tensor<2xi1>, tensor<2x1xi1>, tensor<2xi1>
  %cast_f64.y = nova.cast %x : tensor<2xi1> -> tensor<2xf64>
  %cast_f32.y = nova.cast %x : tensor<2xi1> -> tensor<2xf32>
  %cast_f16.y = nova.cast %x : tensor<2xi1> -> tensor<2xf16>
  %cast_bf16.y = nova.cast %x : tensor<2xi1> -> tensor<2xbf16>
  %cast_i8.y = nova.cast %x : tensor<2xi1> -> tensor<2xi8>
  %cast_i32.y = nova.cast %x : tensor<2xi1> -> tensor<2xi32>
  %cast_i64.y = nova.cast %x : tensor<2xi1> -> tensor<2xi64>
  return %not.y, %and.y, %or.y, %xor.y, %compare_eq.y, %compare_ne.y, %compare_lt.y, %compare_le.y, %compare_gt.y, %compare_ge.y, %select.y, %cast_f64.y, %cast_f32.y, %cast_f16.y, %cast_bf16.y, %cast_i8.y, %cast_i32.y, %cast_i64.y
    : tensor<2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2x2xi1>, tensor<2xf64>, tensor<2xf32>, tensor<2xf16>, tensor<2xbf16>, tensor<2xi8>, tensor<2xi32>, tensor<2xi64>
}
