// What the verifiers of the level scheduled refuse.
// RUN: nova-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{unknown intrinsic 'mma.m1n1k1.i4'; expected one of mma.m16n8k16.bf16, mma.m16n8k16.f16, mma.m16n8k8.tf32}}
#layout = #nova.fragment<"mma.m1n1k1.i4", lhs, warps = [1, 1]>

// -----

// expected-error@+1 {{expected warps along M and N, powers of two, at most 32 in all, found [3, 1]}}
#layout = #nova.fragment<"mma.m16n8k16.f16", rhs, warps = [3, 1]>

// -----

// expected-error@+1 {{expected elements and threads for each axis, powers of two, and 32 to 1024 threads in all, found [1, 8] and [4, 4]}}
#layout = #nova.threads<elements = [1, 8], threads = [4, 4]>

// -----

// expected-error@+1 {{expected each axis once in the order, found [0, 0]}}
#layout = #nova.shared<order = [0, 0]>

// -----

// expected-error@+1 {{expected a swizzle of some bits, from a bit on, and a shift of at least as many, found [3, 3, 2]}}
#layout = #nova.shared<order = [0, 1], swizzle = [3, 3, 2]>

// -----

// expected-error@+1 {{expected padding of some elements after each so many, a power of two, found [48, 8]}}
#layout = #nova.shared<order = [0, 1], padding = [48, 8]>

// -----

// expected-error@+1 {{expected a layout of registers, found #nova.shared<order = [0]>}}
#layout = #nova.part<#nova.shared<order = [0]>, shape = [16], axes = [0]>

// -----

// expected-error@+1 {{expected rising axes of the whole tile, or -1, found [1, 0]}}
#layout = #nova.part<#nova.threads<elements = [1, 1], threads = [4, 8]>, shape = [16, 16], axes = [1, 0]>

// -----

#rows = #nova.threads<elements = [1, 8], threads = [8, 4]>
func.func @outside(%x: tensor<16x32xf32, #rows>) {
  // expected-error@+1 {{takes tiles with layouts only in a kernel}}
  %y = nova.neg %x : tensor<16x32xf32, #rows>
  return
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    // expected-error@+1 {{expected an offset for each of the source's 2 axes, found 1}}
    %a = nova.copy_async %x[%c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    // expected-error@+1 {{expected in_bounds for each of the tile's 2 axes, found 1}}
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    // expected-error@+1 {{expected the source's rows and offsets to be aligned to 16 bytes, found 2; fewer elements for each thread, or nova.load, need less}}
    %a = nova.copy_async %x[%c0, %c1] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x34xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    // expected-error@+1 {{aligned to 16 bytes, found 4;}}
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x34xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #nova.shared<order = [1, 0]>>
    // expected-error@+1 {{expected threads to copy 4, 8 or 16 bytes that are neighbours on both sides, found #nova.threads}}
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #nova.shared<order = [1, 0]>>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #nova.shared<order = [0, 1], padding = [32, 4]>>
    // expected-error@+1 {{expected padding that keeps 16 bytes aligned, found #nova.shared}}
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #nova.shared<order = [0, 1], padding = [32, 4]>>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expected a tile whose sizes are powers of two, at most 2^24 elements in all}}
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x24xbf16, #by>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expected a tile of at least 16x16 elements for mma.m16n8k16.bf16}}
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x8xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-error@+1 {{expected a tile of the source's last axes and element type, found}}
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xf32, #by>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    // expected-error@+1 {{expected another layout of the same tile, found}}
    %b = nova.convert_layout %a : tensor<16x32xbf16, #by> -> tensor<32x16xbf16, #pairs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    // expected-error@+1 {{expected a room of the result's type exactly where the result is in shared memory}}
    %b = nova.convert_layout %a : tensor<16x32xbf16, #by> -> tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    // expected-error@+1 {{expected each thread to have its elements already, found #nova.threads}}
    %b = nova.convert_layout %a : tensor<16x32xbf16, #by> -> tensor<16x32xbf16, #pairs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    %b = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #pairs>
    // expected-error@+1 {{expected operand 1 in the layout that its elements meet those of result 0 in; nova.convert_layout gives it another, #nova.part is that of a broadcast one}}
    %c = nova.add %a, %b : tensor<16x32xbf16, #by>, tensor<16x32xbf16, #pairs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #by>
    // expected-error@+1 {{takes no tiles with layouts; only elementwise ops, and transposes of tiles in shared memory, do}}
    %c = nova.transpose %a [1, 0] : tensor<16x32xbf16, #by>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #lhs>
    %g = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x16xbf16, #rhs>
    %z = nova.constant dense<0.0> : tensor<16x16xf32, #sums>
    // expected-error@+1 {{expected fragments lhs, rhs and sums of one intrinsic and the same warps, found}}
    %p = nova.contract %f, %f, %z : tensor<16x32xbf16, #lhs>, tensor<16x32xbf16, #lhs>, tensor<16x16xf32, #sums>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %f = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x32xbf16, #lhs>
    %g = nova.load %x[%c0, %c0] in_bounds [true, true] : tensor<16x32xbf16> -> tensor<16x16xbf16, #rhs>
    %z = nova.constant dense<0.0> : tensor<16x16xf32, #sums>
    // expected-error@+1 {{expected [M, K], [K, N] and [M, N], found}}
    %p = nova.contract %f, %g, %z : tensor<16x32xbf16, #lhs>, tensor<16x16xbf16, #rhs>, tensor<16x16xf32, #sums>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = nova.allocate : tensor<16x32xbf16, #rows>
    // expected-error@+1 {{reads a room into which nothing was copied}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    // expected-error@+1 {{reads a copy that may be under way; nova.commit, nova.wait and nova.barrier before it}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    // expected-error@+1 {{reads a copy that may be under way; nova.wait 0 or less, and nova.barrier, before it}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.commit
    nova.wait 2
    nova.barrier
    // expected-error@+1 {{reads a copy that may be under way; nova.wait 1 or less, and nova.barrier, before it}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.wait 0
    // expected-error@+1 {{reads what other threads may still write; nova.barrier before it}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.wait 0
    nova.barrier
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    // expected-error@+1 {{fills a room that other threads may still read; nova.barrier before it}}
    %b = nova.copy_async %x[%c0, %c0] into %a by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    // expected-error@+1 {{fills a room into which a copy is under way; nova.wait before it}}
    %b = nova.copy_async %x[%c0, %c0] into %a by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.wait 0
    nova.barrier
    %b = nova.copy_async %x[%c0, %c0] into %a by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    // expected-error@+1 {{reads a tile whose room another one has taken over}}
    %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.wait 0
    nova.barrier
    // expected-error@+1 {{fills a room that another tile has taken over}}
    %b = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %room = nova.allocate : tensor<16x32xbf16, #rows>
      // expected-error@+1 {{fills a room that other threads may still read in the loop's last iteration; nova.barrier at the loop's end}}
      %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
      nova.commit
      nova.wait 0
      nova.barrier
      %f = nova.convert_layout %a : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
    }
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#rows = #nova.shared<order = [0, 1], swizzle = [2, 3, 3]>
#by = #nova.threads<elements = [1, 8], threads = [8, 4]>
#pairs = #nova.threads<elements = [1, 2], threads = [2, 16]>
#lhs = #nova.fragment<"mma.m16n8k16.bf16", lhs, warps = [1, 1]>
#rhs = #nova.fragment<"mma.m16n8k16.bf16", rhs, warps = [1, 1]>
#sums = #nova.fragment<"mma.m16n8k16.bf16", sums, warps = [1, 1]>
nova.kernel @k(%x: tensor<16x32xbf16>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %room = nova.allocate : tensor<16x32xbf16, #rows>
    %a = nova.copy_async %x[%c0, %c0] into %room by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
    nova.commit
    nova.wait 0
    nova.barrier
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<16x32xbf16, #rows>) {
      // expected-error@+1 {{fills a room that other threads may still read; nova.barrier before it}}
      %u = nova.copy_async %x[%c0, %c0] into %t by #by in_bounds [true, true] : tensor<16x32xbf16>, tensor<16x32xbf16, #rows>
      nova.commit
      nova.wait 0
      nova.barrier
      %f = nova.convert_layout %u : tensor<16x32xbf16, #rows> -> tensor<16x32xbf16, #lhs>
      scf.yield %u : tensor<16x32xbf16, #rows>
    }
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}

// -----

#large = #nova.shared<order = [0, 1]>
#by = #nova.threads<elements = [1, 1], threads = [1, 32]>
// expected-error@+1 {{needs 262144 bytes of shared memory, but no block has more than 232448; a smaller tile or fewer stages need less}}
nova.kernel @large(%x: tensor<16xf32>) -> tensor<16xf32> family generic {
  %init = tensor.empty() : tensor<16xf32>
  %y = scf.forall (%i) = (0) to (16) step (16) shared_outs(%out = %init) -> (tensor<16xf32>) {
    %room = nova.allocate : tensor<256x256xf32, #large>
    scf.forall.in_parallel {}
  }
  nova.return %y : tensor<16xf32>
}
