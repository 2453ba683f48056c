// RUN: split-file %s %t
// RUN: not nova-translate %t/call.mlir --nova-to-shared-object -o %t/call.so 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not ls %t/call.so
// RUN: not nova-translate %t/empty.mlir --nova-to-shared-object 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: env PATH=%t %build/bin/nova-translate --version | FileCheck %s --check-prefix=VERSION

//--- call.mlir
// CALL: call.mlir:3:1: error: expected kernel 'convert' to call only the C library, found a call of '__truncsfbf2'
llvm.func @__truncsfbf2(f32) -> i16
llvm.func @convert(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
  %x = llvm.load %args : !llvm.ptr -> f32
  %y = llvm.call @__truncsfbf2(%x) : (f32) -> i16
  llvm.store %y, %args : i16, !llvm.ptr
  llvm.return
}

//--- empty.mlir
// EMPTY: error: expected functions of the LLVM dialect to make code from, found none
llvm.func @declared(i32)

// VERSION: linker: {{.*}}ld.lld
