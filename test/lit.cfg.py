import os
import shutil
import subprocess

import lit.formats

config.name = "Nova"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join([config.nova_tools, config.llvm_tools, os.environ.get("PATH", "")])
# Every test run has a cache of its own: results never come from an earlier build.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
os.makedirs(config.environment["XDG_CACHE_HOME"], mode=0o700, exist_ok=True)

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%source", config.nova_source))
config.substitutions.append(("%build", config.nova_build))
config.substitutions.append(("%examples", os.path.join(config.nova_source, "examples")))
config.substitutions.append(("%scripts", os.path.join(config.nova_source, "scripts")))

# Asked of Nova itself, so that tests and tools agree about where NVIDIA's assembler may lie.
nova_opt = os.path.join(config.nova_tools, "nova-opt")
if "ptxas" in subprocess.run([nova_opt, "--version"], capture_output=True, text=True, check=True).stdout:
    config.available_features.add("ptxas")

# Code for another CPU runs where its instructions are.
with open("/proc/cpuinfo") as cpuinfo:
    config.available_features.update({"avx512_bf16", "amx_bf16"} & set(cpuinfo.read().split()))

# A fresh machine has no git, and needs none.
if shutil.which("git"):
    config.available_features.add("git")

# What draws the plots in a test, where there is one.
browser = shutil.which("chromium") or shutil.which("google-chrome")
if browser:
    config.available_features.add("browser")
    config.substitutions.append(("%browser", browser))

# PyTorch, transformers and TensorBoard are no part of Nova's set-up: what needs them runs where they are installed.
FIND = "import importlib.util as u, sys; exit(not all(map(u.find_spec, sys.argv[1:])))"
FEATURES = {"torch": ["torch", "safetensors"], "transformers": ["transformers"], "tensorboard": ["tensorboard"]}
for feature, modules in FEATURES.items():
    if subprocess.run([config.python, "-c", FIND, *modules]).returncode == 0:
        config.available_features.add(feature)
