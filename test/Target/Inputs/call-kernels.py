"""Calls the kernels of cpu-shared-object.mlir as the runtime does: tensors by pointer, blocks by number."""
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
ctypes.CDLL("libm.so.6", mode=ctypes.RTLD_GLOBAL)
for name in ("cube", "power"):
    source, result = ctypes.c_float(3), ctypes.c_float()
    arguments = (ctypes.c_void_p * 2)(ctypes.addressof(source), ctypes.addressof(result))
    getattr(library, name)(arguments, None, None, ctypes.c_int64(0), ctypes.c_int64(1))
    print(f"{name}(3) = {result.value:g}")
