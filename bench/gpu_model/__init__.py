# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nova's GPU kernels judged without a GPU: see bench/gpu.py and docs/GpuModel.md."""
