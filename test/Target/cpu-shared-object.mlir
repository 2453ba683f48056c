// A shared object that any process can open: two kernels, each with its own copy of the helper that they share.
// RUN: nova-translate %s --nova-to-shared-object -o %t.so
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=SYMBOLS
// RUN: %python %S/Inputs/call-kernels.py %t.so | FileCheck %s

// The same bytes from one thread as from several.
// RUN: nova-translate %s --nova-to-shared-object --mlir-disable-threading -o %t.one.so
// RUN: cmp %t.so %t.one.so

// SYMBOLS-NOT: helper
// SYMBOLS: T cube
// SYMBOLS: T power
// SYMBOLS-NOT: helper

llvm.func internal @helper(%a: f32) -> f32 attributes {no_inline} {
  %0 = llvm.fmul %a, %a : f32
  llvm.return %0 : f32
}

// CHECK: cube(3) = 27
llvm.func @cube(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
  %in = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %slot = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %out = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %in : !llvm.ptr -> f32
  %square = llvm.call @helper(%x) : (f32) -> f32
  %cube = llvm.fmul %square, %x : f32
  llvm.store %cube, %out : f32, !llvm.ptr
  llvm.return
}

// The C library's mathematics may be called.
// CHECK: power(3) = 512
llvm.func @exp2f(f32) -> f32
llvm.func @power(%args: !llvm.ptr, %scratch: !llvm.ptr, %status: !llvm.ptr, %first: i64, %last: i64) {
  %in = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %slot = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %out = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %x = llvm.load %in : !llvm.ptr -> f32
  %square = llvm.call @helper(%x) : (f32) -> f32
  %power = llvm.call @exp2f(%square) : (f32) -> f32
  llvm.store %power, %out : f32, !llvm.ptr
  llvm.return
}
