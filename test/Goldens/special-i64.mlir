// What PyTorch gives at special numbers (scripts/make_special_goldens.py), and what is documented where it gives nothing.
// RUN: nova-run %s --device=reference --inputs %S/Inputs/special-i64.safetensors --outputs %t.reference.safetensors --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/special-i64.safetensors --outputs %t.cpu.safetensors --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/special-i64.safetensors --outputs %t.eager.safetensors --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/special-i64.safetensors --outputs %t.gpu.safetensors --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/special-i64.safetensors --outputs %t.gpu-eager.safetensors --quiet
// RUN: %python %S/special.py check %S/Inputs/special-i64.safetensors %t.reference.safetensors \
// RUN:   %t.cpu.safetensors %t.eager.safetensors %t.gpu.safetensors %t.gpu-eager.safetensors
// Constants in place of inputs fold to the same values.
// RUN: %python %S/special.py fold %S/Inputs/special-i64.safetensors > %t.fold.mlir
// RUN: nova-opt %t.fold.mlir --canonicalize -o %t.folded.mlir
// RUN: nova-run %t.folded.mlir --device=reference --outputs %t.folded.safetensors --quiet
// RUN: %python %S/special.py check-fold %t.reference.safetensors %t.folded.safetensors

func.func @special(%x: tensor<14xi64> {nova.name = "x"}, %a: tensor<14x1xi64> {nova.name = "a"}, %c: tensor<14xi1> {nova.name = "c"}, %l: tensor<5x1xi64> {nova.name = "l"}, %h: tensor<5x1x1xi64> {nova.name = "h"})
    -> (tensor<14xi64> {nova.name = "result.abs"},
        tensor<14xi64> {nova.name = "result.neg"},
        tensor<14xi64> {nova.name = "result.sign"},
        tensor<14xi64> {nova.name = "result.square"},
        tensor<14xi64> {nova.name = "result.relu"},
        tensor<14xi64> {nova.name = "result.not"},
        tensor<14x14xi64> {nova.name = "result.add"},
        tensor<14x14xi64> {nova.name = "result.sub"},
        tensor<14x14xi64> {nova.name = "result.mul"},
        tensor<14x14xi64> {nova.name = "result.max"},
        tensor<14x14xi64> {nova.name = "result.min"},
        tensor<14x14xi64> {nova.name = "result.div"},
        tensor<14x14xi64> {nova.name = "result.mod"},
        tensor<14x14xi64> {nova.name = "result.and"},
        tensor<14x14xi64> {nova.name = "result.or"},
        tensor<14x14xi64> {nova.name = "result.xor"},
        tensor<14x14xi1> {nova.name = "result.compare eq"},
        tensor<14x14xi1> {nova.name = "result.compare ne"},
        tensor<14x14xi1> {nova.name = "result.compare lt"},
        tensor<14x14xi1> {nova.name = "result.compare le"},
        tensor<14x14xi1> {nova.name = "result.compare gt"},
        tensor<14x14xi1> {nova.name = "result.compare ge"},
        tensor<14x14xi64> {nova.name = "result.select"},
        tensor<5x5x14xi64> {nova.name = "result.clamp"},
        tensor<14xf64> {nova.name = "result.cast f64"},
        tensor<14xf32> {nova.name = "result.cast f32"},
        tensor<14xf16> {nova.name = "result.cast f16"},
        tensor<14xbf16> {nova.name = "result.cast bf16"},
        tensor<14xi1> {nova.name = "result.cast i1"},
        tensor<14xi8> {nova.name = "result.cast i8"},
        tensor<14xi32> {nova.name = "result.cast i32"}) {
  %abs.y = nova.abs %x : tensor<14xi64>
  %neg.y = nova.neg %x : tensor<14xi64>
  %sign.y = nova.sign %x : tensor<14xi64>
  %square.y = nova.square %x : tensor<14xi64>
  %relu.y = nova.relu %x : tensor<14xi64>
  %not.y = nova.not %x : tensor<14xi64>
  %add.y = nova.add %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %sub.y = nova.sub %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %mul.y = nova.mul %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %max.y = nova.max %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %min.y = nova.min %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %div.y = nova.div %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %mod.y = nova.mod %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %and.y = nova.and %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %or.y = nova.or %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %xor.y = nova.xor %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_eq.y = nova.compare eq %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_ne.y = nova.compare ne %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_lt.y = nova.compare lt %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_le.y = nova.compare le %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_gt.y = nova.compare gt %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %compare_ge.y = nova.compare ge %a, %x : tensor<14x1xi64>, tensor<14xi64>
  %select.y = nova.select %c, %a, %x : tensor<14xi1>, tensor<14x1xi64>, tensor<14xi64>
  %clamp.y = nova.clamp %x, %l, %h : tensor<14xi64>, tensor<5x1xi64>, tensor<5x1x1xi64>
  %cast_f64.y = nova.cast %x : tensor<14xi64> -> tensor<14xf64>
  %cast_f32.y = nova.cast %x : tensor<14xi64> -> tensor<14xf32>
  %cast_f16.y = nova.cast %x : tensor<14xi64> -> tensor<14xf16>
  %cast_bf16.y = nova.cast %x : tensor<14xi64> -> tensor<14xbf16>
  %cast_i1.y = nova.cast %x : tensor<14xi64> -> tensor<14xi1>
  %cast_i8.y = nova.cast %x : tensor<14xi64> -> tensor<14xi8>
  %cast_i32.y = nova.cast %x : tensor<14xi64> -> tensor<14xi32>
  return %abs.y, %neg.y, %sign.y, %square.y, %relu.y, %not.y, %add.y, %sub.y, %mul.y, %max.y, %min.y, %div.y, %mod.y, %and.y, %or.y, %xor.y, %compare_eq.y, %compare_ne.y, %compare_lt.y, %compare_le.y, %compare_gt.y, %compare_ge.y, %select.y, %clamp.y, %cast_f64.y, %cast_f32.y, %cast_f16.y, %cast_bf16.y, %cast_i1.y, %cast_i8.y, %cast_i32.y
    : tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi64>, tensor<14x14xi1>, tensor<14x14xi1>, tensor<14x14xi1>, tensor<14x14xi1>, tensor<14x14xi1>, tensor<14x14xi1>, tensor<14x14xi64>, tensor<5x5x14xi64>, tensor<14xf64>, tensor<14xf32>, tensor<14xf16>, tensor<14xbf16>, tensor<14xi1>, tensor<14xi8>, tensor<14xi32>
}
