// RUN: split-file %s %t
// RUN: not nova-translate %t/unplanned.mlir --nova-to-bundle -o %t/x.nova 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// RUN: not nova-translate %t/launch.mlir --nova-to-bundle -o %t/x.nova 2>&1 | FileCheck %s --check-prefix=LAUNCH
// RUN: not nova-translate %t/target.mlir --nova-to-bundle --targets=sm_89 -o %t/x.nova 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not ls %t/x.nova

//--- unplanned.mlir
// UNPLANNED: error: expected nova.region_bytes of 4 regions, found none; run --nova-plan-memory first
module {
  module @kernels {}
}

//--- launch.mlir
// LAUNCH: launch.mlir:5:10: error: 'nova.launch' op expected nova.addresses of 2 operands and results; run --nova-plan-memory first
module attributes {nova.region_bytes = array<i64: 0, 0, 0, 128>} {
  func.func @f(%x: tensor<4xf32> {nova.address = #nova.address<io + 0>})
      -> (tensor<4xf32> {nova.address = #nova.address<io + 64>}) {
    %y = nova.launch @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  nova.kernel @k(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
    %r = scf.forall (%j) = (0) to (4) step (4) shared_outs(%out = %x) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %x into %out[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
      }
    }
    nova.return %r : tensor<4xf32>
  }
  module @kernels {
    llvm.func @k(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
      llvm.return
    }
  }
}

//--- target.mlir
// TARGET: error: expected cpu as target for kernels that are lowered for it already
module attributes {nova.region_bytes = array<i64: 0, 0, 0, 0>} {
  module @kernels {}
}
