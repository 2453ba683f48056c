// A module as --nova-plan-memory and --nova-emit-cpu leave it: addresses on everything that has memory, kernels with
// their grids, and their code in a module of its own.
// RUN: nova-translate %s --nova-to-bundle --cpu=x86-64-v3 -o %t.nova
// RUN: %python %S/Inputs/print-bundle.py %t.nova | FileCheck %s
// RUN: nova-translate %s --nova-to-bundle --cpu=x86-64-v3 -o %t.again.nova && cmp %t.nova %t.again.nova

// CHECK-LABEL: section 0/tables
// CHECK: producer "Nova {{.*}}"
// CHECK: options {"dtype": "f32", "matmul_precision": "exact", "mode": "fused", "program": "{{[0-9a-f]+}}"}
// CHECK: regions {"state": 64, "arena": 0, "constants": 12, "io": 192}
// CHECK: state {"name": "w", "dtype": "f32", "shape": [4], "role": "parameter", "address": ["state", 16], "init": ["uniform", -1.0, 1.0], "aliases": ["v"]}
// CHECK: kernels {"name": "k", "family": "elementwise", "location": "{{.*}}bundle.mlir:{{[0-9]+}}:3", "blocks": 2, "scratch_bytes": 640, "unit": "vectors",
// CHECK-SAME: "bytes": 48.0, "operands": 2, "argument_bytes": [16, 16, 16], "argument_types": ["f32", "f32", "f32"]}
// CHECK: entries {"name": "f", "inputs":
// CHECK-SAME: [{"name": "x", "dtype": "f32", "shape": [4], "role": "data", "address": ["io", 0], "bound": 0},
// CHECK-SAME: {"name": "arg1", "dtype": "i32", "shape": [2], "role": "data", "address": ["io", 64], "bound": 10}],
// CHECK-SAME: "outputs": [{"name": "y",
// CHECK-SAME: "launches": [{"kernel": 0, "arguments": {{\[\["io", 0\], \["state", 16\], \["io", 128\]\]}}}]}
// CHECK: images {"target": "cpu", "format": "elf", "features": ["pni", {{.*}}, "fma", "avx", "avx2"]}
// CHECK-LABEL: section 0/constants
// CHECK: 00000040 0000803f 0000803f
// CHECK-LABEL: section 0/image/0
// CHECK: 7f454c46

module attributes {nova.region_bytes = array<i64: 64, 0, 12, 192>} {
  nova.parameter @w : tensor<4xf32> = #nova.uniform<low = -1.0, high = 1.0> {aliases = ["v"], nova.address = #nova.address<state + 16>}
  func.func @f(%x: tensor<4xf32> {nova.name = "x", nova.address = #nova.address<io + 0>},
               %i: tensor<2xi32> {nova.address = #nova.address<io + 64>, nova.bound = 10 : i64})
      -> (tensor<4xf32> {nova.address = #nova.address<io + 128>, nova.name = "y"}) {
    %w = nova.read @w : tensor<4xf32>
    %c = nova.constant dense<2.0> : tensor<f32> {nova.address = #nova.address<constants + 0>}
    %d = nova.constant dense<1.0> : tensor<2xf32> {nova.address = #nova.address<constants + 4>}
    %y = nova.launch @k(%x, %w) {nova.addresses = [#nova.address<io + 0>, #nova.address<state + 16>, #nova.address<io + 128>]}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  nova.kernel @k(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> family elementwise {
    %empty = tensor.empty() : tensor<4xf32>
    %r = scf.forall (%j) = (0) to (4) step (2) shared_outs(%out = %empty) -> (tensor<4xf32>) {
      %a = tensor.extract_slice %x[%j] [2] [1] : tensor<4xf32> to tensor<2xf32>
      %b = tensor.extract_slice %w[%j] [2] [1] : tensor<4xf32> to tensor<2xf32>
      %sum = nova.add %a, %b : tensor<2xf32>, tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %sum into %out[%j] [2] [1] : tensor<2xf32> into tensor<4xf32>
      }
    }
    nova.return %r : tensor<4xf32>
  }
  module @kernels {
    llvm.func @k(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64)
        attributes {nova.scratch_bytes = 640 : i64} {
      llvm.return
    }
  }
}
