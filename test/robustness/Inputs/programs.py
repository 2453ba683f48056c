#!/usr/bin/env python3
"""Prints a program of an unusual shape: programs.py KIND SIZE."""
import sys


def chain(count):
    """`count` products in a row, and their sum."""
    lines = ["func.func @f(%x0: tensor<4xf32>) -> tensor<f32> {"]
    lines += [f"  %x{i + 1} = nova.mul %x{i}, %x0 : tensor<4xf32>, tensor<4xf32>" for i in range(count)]
    return lines + [f"  %s = nova.reduce sum %x{count} over [0] : tensor<4xf32>", "  return %s : tensor<f32>", "}"]


def constants(count):
    """`count` kernels that differ in nothing but a number."""
    lines = ["func.func @f(%x0: tensor<4xf32>) -> tensor<4xf32> {"]
    for i in range(count):
        lines += [f"  %c{i} = nova.constant dense<{i}.5> : tensor<f32>",
                  f"  %x{i + 1} = nova.mul %x{i}, %c{i} : tensor<4xf32>, tensor<f32>"]
    return lines + [f"  return %x{count} : tensor<4xf32>", "}"]


def readers(count):
    """One value that `count` reductions read."""
    lines = ["func.func @f(%x: tensor<4xf32>) -> tensor<f32> {", "  %e = nova.exp %x : tensor<4xf32>",
             "  %s0 = nova.constant dense<1.0> : tensor<f32>"]
    for i in range(count):
        lines += [f"  %r{i} = nova.reduce sum %e over [0] : tensor<4xf32>",
                  f"  %s{i + 1} = nova.mul %s{i}, %r{i} : tensor<f32>, tensor<f32>"]
    return lines + [f"  return %s{count} : tensor<f32>", "}"]


def together(count):
    """`count` means that lie side by side, of tensors that all live until then."""
    lines = ["func.func @f(%x: tensor<4x4xf32>) -> (tensor<" + f"{4 * count}xf32>, tensor<4xf32>) {{",
             "  %m0 = nova.reduce mean %x over [0] : tensor<4x4xf32>"]
    for i in range(1, count):
        lines += [f"  %e{i} = nova.add %x, %m{i - 1} : tensor<4x4xf32>, tensor<4xf32>",
                  f"  %m{i} = nova.reduce mean %e{i} over [0] : tensor<4x4xf32>"]
    parts, types = (", ".join(f"%m{i}" for i in range(count)), ", ".join(["tensor<4xf32>"] * count))
    lines += [f"  %c = nova.concat {parts} axis = 0 : ({types}) -> tensor<{4 * count}xf32>"]
    lines += ["  %l0 = nova.reduce max %x over [0] : tensor<4x4xf32>"]
    for i in range(1, count):
        lines += [f"  %k{i} = nova.reduce max %e{i} over [0] : tensor<4x4xf32>",
                  f"  %l{i} = nova.max %l{i - 1}, %k{i} : tensor<4xf32>, tensor<4xf32>"]
    return lines + [f"  return %c, %l{count - 1} : tensor<{4 * count}xf32>, tensor<4xf32>", "}"]


def epilogue(count):
    """A product, and `count` elementwise ops after it."""
    lines = ["func.func @f(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {",
             "  %x0 = nova.matmul %x, %x : tensor<16x16xf32>, tensor<16x16xf32>"]
    lines += [f"  %x{i + 1} = nova.mul %x{i}, %x : tensor<16x16xf32>, tensor<16x16xf32>" for i in range(count)]
    return lines + [f"  return %x{count} : tensor<16x16xf32>", "}"]


def calls(count):
    """Functions that call the one before them twice."""
    lines = ["func.func private @f0(%x: tensor<4xf32>) -> tensor<4xf32> {", "  return %x : tensor<4xf32>", "}"]
    for i in range(1, count):
        lines += [f"func.func {'private ' if i + 1 < count else ''}@f{i}(%x: tensor<4xf32>) -> tensor<4xf32> {{",
                  f"  %y = func.call @f{i - 1}(%x) : (tensor<4xf32>) -> tensor<4xf32>",
                  f"  %z = func.call @f{i - 1}(%y) : (tensor<4xf32>) -> tensor<4xf32>",
                  "  %e = nova.exp %z : tensor<4xf32>", "  return %e : tensor<4xf32>", "}"]
    return lines


def train(parameter, element, count):
    """The sum of an integer input and of `count` parameters."""
    lines = [f"nova.parameter @p{i} : {parameter} = #nova.constant<1.0>" for i in range(count)]
    lines += [f'func.func @loss(%x: tensor<4xi32> {{nova.name = "x"}}) -> tensor<{element}> {{',
              f"  %a0 = nova.cast %x : tensor<4xi32> -> tensor<4x{element}>"]
    shape = f"tensor<4x{element}>"
    for i in range(count):
        lines += [f"  %r{i} = nova.read @p{i} : {parameter}", f"  %a{i + 1} = nova.add %a{i}, %r{i} : {shape}, {parameter}"]
        shape = parameter if "<0x" in parameter else shape
    axes = "[0, 1]" if "<0x" in parameter else "[0]"
    return lines + [f"  %s = nova.reduce sum %a{count} over {axes} : {shape}", f"  return %s : tensor<{element}>", "}"]


KINDS = {
    "chain": chain,
    "constants": constants,
    "readers": readers,
    "together": together,
    "epilogue": epilogue,
    "calls": calls,
    "parameters": lambda count: train("tensor<4xf32>", "f32", count),
    "empty": lambda count: train("tensor<0x4xf32>", "f32", count),
    "f64": lambda count: train("tensor<4xf64>", "f64", count),
    "attributes": lambda count: ["module attributes {a = " + "[" * count + "]" * count + "} {}"],
    "constant": lambda _: ["func.func @f() -> tensor<f32> {", "  %c = nova.constant dense<1.5> : tensor<f32>",
                           "  return %c : tensor<f32>", "}"],
}

print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))
