//===- ReferenceProgram.h - Entries and state of the evaluator --*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_COMPILER_REFERENCEPROGRAM_H
#define NOVA_LIB_COMPILER_REFERENCEPROGRAM_H

#include "Nova/Reference/Evaluator.h"
#include "Nova/Runtime/Bundle.h"

namespace mlir::nova {

/// The public functions of a module as entries that run on the evaluator, with the state that lives between runs. What
/// is state and what is input or output is told by `nova.role` of arguments and results, as for compiled programs.
class ReferenceProgram {
public:
  /// Fails if an entry takes or gives what a bundle has no table for.
  static FailureOr<std::unique_ptr<ReferenceProgram>> create(ModuleOp module);

  /// State and entries; no kernels and no addresses.
  const ::nova::Bundle &getTables() const { return tables; }
  ::nova::Bundle &getTables() { return tables; }

  reference::Tensor &getState(size_t index) { return state[index]; }

  /// Runs an entry on host memory: a pointer per input and per output; a null output is not copied. State changes only
  /// if the whole run succeeds.
  LogicalResult run(size_t entry, const void *const *inputs, void *const *outputs);

private:
  /// Where an argument of a function comes from, or a result goes to.
  struct Slot {
    bool isState;
    size_t index; ///< in the table of state, or among the entry's inputs or outputs
  };
  struct Entry {
    FunctionOpInterface function;
    SmallVector<Slot> arguments, results;
  };

  explicit ReferenceProgram(ModuleOp module) : module(module), evaluator(module) {}
  LogicalResult addParameters();
  LogicalResult addEntry(FunctionOpInterface function);
  /// Adds an argument or result: state, or an input or output with a row in `list`.
  LogicalResult addTensor(FunctionOpInterface function, Type type, DictionaryAttr attributes,
                          const std::string &defaultName, std::vector<::nova::Argument> &list,
                          SmallVector<Slot> &slots);
  FailureOr<size_t> stateOf(FunctionOpInterface function, const ::nova::TensorInfo &tensor, StringRef role);

  ModuleOp module;
  reference::Evaluator evaluator;
  ::nova::Bundle tables;
  std::vector<reference::Tensor> state;
  std::vector<Entry> entries;
};

} // namespace mlir::nova

#endif // NOVA_LIB_COMPILER_REFERENCEPROGRAM_H
