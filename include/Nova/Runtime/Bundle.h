//===- Bundle.h - The product of the compiler -------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bundle holds everything that a device needs to run a program without the compiler: the tables (state, entries,
// kernels, launches), constant data, and kernel images. Target writes it, Runtime reads it. Kernels are cut and memory
// is planned for a target, so each target has a bundle of its own, and a file holds one or several of them.
//
// File layout, little endian: FileHeader, SectionHeader[sectionCount], then the sections, each aligned to 64 bytes.
// Bundle number 0 has the sections "0/tables", which is JSON, "0/constants", raw data, and "0/image/0", "0/image/1",
// ... in the order of the tables; bundle number 1 has "1/tables", and so on. The checksum is hash64 of what follows the
// file header, seeded with hash64 of the header with its checksum as zero. Everything is verified before anything is
// used.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_BUNDLE_H
#define NOVA_RUNTIME_BUNDLE_H

#include "Nova/Support/Tensor.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace nova {

/// The memory that a program uses, one allocation each.
///   State: parameters and moments; lives as long as the executable.
///   Arena: everything inside one run of an entry; offsets are planned at compile time.
///   Constants: read-only data of the bundle.
///   Io: inputs and outputs of entries.
enum class Region : uint8_t { State, Arena, Constants, Io };
constexpr unsigned kRegionCount = 4;

/// Where a tensor lies: a byte offset in a region.
struct Address {
  Region region = Region::Arena;
  uint64_t offset = 0;
};

/// An entry's input or output. The role says what it is: a batch tensor or plain value ("data"), or one of the scalars
/// that the training loop knows: inputs "lr" (f32), "step" (i64, the number of steps done before: 0 at first) and
/// "seed" (i64); outputs "loss" and "grad_norm" (f32).
struct Argument {
  TensorInfo tensor;
  std::string role = "data";
  Address address;
  int64_t bound = 0; ///< integer data: valid values are 0 <= value < bound; 0 where the compiler does not know
};

/// Initial value of a state tensor, made on the host from seed, the tensor's name and the element's index.
struct Initializer {
  enum class Kind : uint8_t { Zero, Constant, Normal, Uniform };
  Kind kind = Kind::Zero;
  double a = 0; ///< value; mean; low
  double b = 0; ///< standard deviation; high
};

/// A tensor that outlives a step.
struct StateTensor {
  /// Narrow: the parameter rounded to fewer bits, which whoever sets the parameter makes.
  enum class Role : uint8_t { Parameter, Moment1, Moment2, Accumulator, Narrow };
  TensorInfo tensor; ///< the name is the parameter's, for its moments too
  Role role = Role::Parameter;
  Address address;
  Initializer init;
  std::vector<std::string> aliases = {}; ///< of a parameter: further names in checkpoints
};

/// What does a kernel's arithmetic, which says how much of it a device can do in a second: f32 multiply-adds, a CPU's
/// bf16 pairs (AVX512-BF16) or bf16 matrices (AMX), a GPU's tensor cores for bf16 and f16, and for tf32.
enum class Unit : uint8_t { Vectors, Pairs, Matrices, TensorCores, TensorCoresTf32 };
constexpr unsigned kUnitCount = 5;

/// A kernel: void k(void *const *args, void *scratch, Status *status, int64_t first, int64_t last) on the CPU, over
/// linear block numbers; a grid of `blocks` thread blocks on a GPU.
struct Kernel {
  std::string name;   ///< symbol in every image
  std::string family; ///< matmul, attention, row, column, elementwise, index, generic
  std::string location;
  int64_t blocks = 0;
  uint64_t scratchBytes = 0; ///< per worker, 64-byte aligned; CPU only
  int64_t gpuThreads = 0;
  uint64_t gpuSharedBytes = 0;
  Unit unit = Unit::Vectors;
  double flops = 0;      ///< arithmetic of one launch
  double bytes = 0;      ///< least memory traffic of one launch
  uint64_t operands = 0; ///< of the arguments: the rest are results
  std::vector<uint64_t> argumentBytes;
  std::vector<DType> argumentTypes;
};

struct Launch {
  uint32_t kernel = 0;
  std::vector<Address> arguments; ///< the kernel's operands, then its results
};

/// A function of the program that can be run: launches in order.
struct Entry {
  std::string name;
  std::vector<Argument> inputs;
  std::vector<Argument> outputs;
  std::vector<Launch> launches;
};

/// Code for one target.
struct Image {
  std::string target;                ///< "cpu" or "sm_80", "sm_89", ...
  std::string format;                ///< "elf", "ptx" or "cubin"
  std::vector<std::string> features; ///< CPU features the code needs, in the names of /proc/cpuinfo
  std::string bytes;
};

struct Bundle {
  std::string producer; ///< version of Nova that made it
  /// Flags that are compiled in, as given or by default: entry, mode, dtype, matmul_precision and, with a train step,
  /// optimizer, beta1, beta2, eps, weight_decay, clip; and `program`, a hash of what was compiled.
  std::map<std::string, std::string> options;
  uint64_t regionBytes[kRegionCount] = {};
  std::vector<StateTensor> state;
  std::vector<Kernel> kernels;
  std::vector<Entry> entries;
  std::vector<Image> images;
  std::string constants;
};

/// Written by a kernel (first error wins) when only data can show that something is wrong.
struct Status {
  enum Code : int32_t { Ok = 0, IndexOutOfRange = 1 };
  int32_t code = Ok;
  int32_t operand = 0;  ///< the kernel's argument that holds the offending value
  int64_t position = 0; ///< linear element position in that argument
  int64_t value = 0;
  int64_t bound = 0; ///< valid values are 0 <= value < bound
};

constexpr char kBundleMagic[8] = {'N', 'O', 'V', 'A', 'B', 'N', 'D', 'L'};
constexpr uint32_t kBundleVersion = 3;

struct FileHeader {
  char magic[8];
  uint32_t version;
  uint32_t sectionCount;
  uint64_t fileBytes;
  uint64_t checksum;
};
struct SectionHeader {
  char name[48]; ///< zero padded: "0/tables", "0/constants", "0/image/0", ...
  uint64_t offset;
  uint64_t bytes;
};

/// The bytes of a file with one bundle, or with several.
std::string serialize(const Bundle &bundle);
std::string serialize(const std::vector<const Bundle *> &bundles);
/// All bundles of a file. Verifies everything; `source` names the file in messages.
Result<std::vector<Bundle>> parseBundles(std::string_view bytes, const std::string &source);
/// The file's bundle for the CPU, or else its first.
Result<Bundle> parseBundle(std::string_view bytes, const std::string &source);

/// The tables alone as JSON, as in the section "tables", and back. Images come back without their bytes, constants
/// empty, and only the form is verified: the reference evaluator's tables have no addresses.
std::string tablesToJson(const Bundle &bundle);
Result<Bundle> tablesFromJson(std::string_view json, const std::string &source);

/// What makes a bundle safe to run: unique names, roles with their types, every address inside its region, every
/// launch with the arguments of its kernel.
Result<void> verifyBundle(const Bundle &bundle, const std::string &source);

} // namespace nova

#endif // NOVA_RUNTIME_BUNDLE_H
