//===- Translations.h - What nova-translate can make ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_TRANSLATE_TRANSLATIONS_H
#define NOVA_TOOLS_NOVA_TRANSLATE_TRANSLATIONS_H

#include "Nova/Compiler/Compile.h"

namespace mlir::nova {

enum class Translation { None, LLVMIR, Assembly, Object, SharedObject, PTX, Cubin, Bundle, Dot, HfConfig };

/// Whether the output is no text.
bool isBinary(Translation translation);

/// The bytes of the output. A program is compiled first; code that is lowered already is taken as it is.
FailureOr<std::string> translate(ModuleOp module, Translation translation, CompileRequest &request,
                                 const BundleTargets &targets);

/// The text of the program of a Hugging Face configuration; `seq` 0 takes all positions.
FailureOr<std::string> translateHfConfig(StringRef file, llvm::SourceMgr &sources, MLIRContext *context, int64_t batch,
                                         int64_t seq);

} // namespace mlir::nova

#endif // NOVA_TOOLS_NOVA_TRANSLATE_TRANSLATIONS_H
