// RUN: nova-translate %s --nova-to-llvmir --cpu=x86-64-v4 | FileCheck %s --check-prefix=LLVMIR
// RUN: nova-translate %s --nova-to-asm --cpu=x86-64-v4 | FileCheck %s --check-prefix=AVX512
// RUN: nova-translate %s --nova-to-asm --cpu=x86-64-v3 | FileCheck %s --check-prefix=AVX2
// RUN: nova-translate %s --nova-to-object -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT

// Ops of other dialects are no code.
// LLVMIR-NOT: parameter
nova.parameter @w : tensor<4xf32> = #nova.constant<0.0>

// LLVMIR: define void @twice({{.*}}) {{.*}} #[[ATTRIBUTES:[0-9]+]]
// LLVMIR: fadd <16 x float>
// AVX512-LABEL: twice:
// AVX512: vaddps %zmm
// AVX2-LABEL: twice:
// AVX2-NOT: zmm
// AVX2: vaddps %ymm
// OBJECT: T twice
llvm.func @twice(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
  %tensor = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %tensor {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %w = llvm.fadd %v, %v : vector<16xf32>
  llvm.store %w, %tensor {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  llvm.return
}

// LLVMIR: attributes #[[ATTRIBUTES]] = {
// LLVMIR-SAME: nounwind
// LLVMIR-SAME: "prefer-vector-width"="512"
// LLVMIR-SAME: "target-cpu"="x86-64-v4"
