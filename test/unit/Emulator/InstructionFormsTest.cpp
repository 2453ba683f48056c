//===- InstructionFormsTest.cpp - Every instruction has a row -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks through everything that the decoder accepts: from the table's first words on, one modifier after the other, as
// the decoder asks for them. What it accepts must have been run by a test that knows the result. That is asked at the
// end of a run of all tests of instructions, with NOVA_EVERY_INSTRUCTION set (CTest does).
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include "Decoder.h"

#include <cstdlib>
#include <map>
#include <regex>

using namespace nova::emulator;

namespace {

/// An instruction without operands: modifiers in any order, types in theirs.
struct Form {
  std::string name;
  std::set<std::string> modifiers;
  std::vector<std::string> types;

  std::string text() const {
    std::string result = name;
    for (const std::string &modifier : modifiers)
      result += "." + modifier;
    for (const std::string &type : types)
      result += "." + type;
    return result;
  }
  bool operator<(const Form &other) const { return text() < other.text(); }
};

Form formOf(const std::string &opcode) {
  std::istringstream parts(opcode);
  Form form;
  std::getline(parts, form.name, '.');
  for (std::string part; std::getline(parts, part, '.');)
    if (typeFromName(part))
      form.types.push_back(part);
    else if (part.substr(0, 4) != "L1::" && part.substr(0, 4) != "L2::") // hints without an end
      form.modifiers.insert(part);
  return form;
}

struct Decoded {
  bool isAccepted = false;
  std::string message;
  ModifierLog log;
};

Decoded decode(const std::string &instruction) {
  static const std::string before = ".version 8.0\n.target sm_89\n.address_size 64\n"
                                    ".shared .align 64 .b8 shared[2048], s[4096];\n.const .align 16 .b8 c[64];\n"
                                    ".func twice()\n{\nret;\n}\n.entry k(.param .u64 out)\n{\n"
                                    ".reg .pred %p<10>, p<10>;\n.reg .b16 %h<10>, h<10>;\n"
                                    ".reg .b32 %r<20>, r<20>, %tid;\n.reg .f32 %f<20>;\n"
                                    ".reg .b64 %d<20>, d<20>, %out, %own, %shared, %local;\n"
                                    ".local .align 64 .b8 local[64];\n.param .align 16 .b8 pa[64];\n"
                                    "list: .branchtargets skip;\n";
  std::string text = before + instruction + ";\nskip:\n}\n";
  auto source = std::make_shared<const Source>("form", text);
  Decoded result;
  try {
    ModuleSyntax syntax = parseModule(*source);
    ModuleSymbols symbols;
    symbols.syntax = &syntax;
    for (const Function &function : syntax.functions)
      symbols.functions[function.name] = &function;
    for (const Variable &variable : syntax.variables) {
      symbols.variables[variable.name] = &variable;
      symbols.addresses[variable.name] = 4096;
    }
    decodeKernel(symbols, syntax.functions.back(), source, &result.log);
    result.isAccepted = true;
  } catch (const SyntaxError &error) {
    result.message = error.message;
  }
  return result;
}

/// The forms of one first word that the decoder accepts, and what became of the others.
class Walk {
public:
  /// `operands` are those of every row of the first word, `ownOperands` those of each form's rows.
  Walk(std::string name, std::set<std::string> operands,
       const std::map<std::string, std::set<std::string>> &ownOperands)
      : operands(std::move(operands)), ownOperands(ownOperands) {
    this->operands.insert("");
    visit({std::move(name), {}, {}}, "");
  }
  std::set<std::string> accepted;
  std::map<std::string, std::string> wrongOperands; ///< forms whose operands no row has, with the message

private:
  /// `likely`: operands that fitted the form before this one.
  void visit(const Form &form, const std::string &likely) {
    if (!visited.insert(form.text()).second)
      return;
    std::set<std::string_view> next, needed;
    std::string message;
    bool isAccepted = false, isDecided = false;
    std::vector<std::string> lists = {likely};
    if (auto own = ownOperands.find(form.text()); own != ownOperands.end())
      lists.insert(lists.end(), own->second.begin(), own->second.end());
    lists.insert(lists.end(), operands.begin(), operands.end());
    std::string fitting;
    for (auto list = lists.begin(); list != lists.end() && !isDecided; ++list) {
      Decoded decoded = decode(form.text() + " " + *list);
      fitting = *list;
      const ModifierLog &log = decoded.log;
      isAccepted = decoded.isAccepted;
      if (isAccepted)
        next.insert(log.optional.begin(), log.optional.end());
      needed.insert(log.required.begin(), log.required.end());
      // Other operands change nothing about modifiers that are missing or not known.
      isDecided = isAccepted || !log.required.empty() || !isAboutOperands(decoded.message);
      message = decoded.message;
    }
    if (isAccepted)
      accepted.insert(form.text());
    else if (!isDecided)
      wrongOperands[form.text()] = message;
    for (std::string_view modifier : needed)
      visitLonger(form, modifier, fitting);
    for (std::string_view modifier : next)
      if (!isSynonym(modifier))
        visitLonger(form, modifier, fitting);
  }
  void visitLonger(const Form &form, std::string_view modifier, const std::string &likely) {
    if (modifier == "type")
      return visitTypes(form, likely);
    Form longer = form;
    if (longer.modifiers.emplace(modifier).second)
      visit(longer, likely);
  }
  /// Longer names of spaces, scopes and hints for caches, which change nothing: they have a test of their own.
  static bool isSynonym(std::string_view modifier) {
    static const std::set<std::string_view> hints = {"cta", "cluster", "gpu", "sys", "ca", "cg",  "cs",
                                                     "lu",  "cv",      "wb",  "wt",  "nc", "weak"};
    return modifier.find("::") != std::string_view::npos || hints.count(modifier);
  }
  static bool isAboutOperands(const std::string &message) {
    if (message.find("is not known here") != std::string::npos) // names the instruction, whatever words are in it
      return false;
    for (const char *word : {"operand", "register", "address", "values", "predicate", "name", "label", "constant",
                             "parts", "argument", "function"})
      if (message.find(word) != std::string::npos)
        return true;
    return false;
  }
  void visitTypes(const Form &form, const std::string &likely) {
    if (form.types.size() == 4)
      return;
    for (int type = 0; type <= static_cast<int>(Type::E5M2); ++type) {
      Form longer = form;
      longer.types.emplace_back(nameOf(static_cast<Type>(type)));
      visit(longer, likely);
    }
  }

  std::set<std::string> operands, visited;
  const std::map<std::string, std::set<std::string>> &ownOperands;
};

/// Operands without what makes no difference: the numbers of registers, offsets, large constants.
std::string shapeOf(const std::string &operands) {
  static const std::regex registers("\\b([hrdp])[0-9]+\\b"), offsets("[+][0-9]+"), constants("\\b[0-9]{3,}\\b");
  std::string shape = std::regex_replace(std::regex_replace(operands, offsets, ""), registers, "$011");
  return std::regex_replace(shape, constants, "77");
}

class EveryForm : public ::testing::Environment {
public:
  void TearDown() override {
    if (!std::getenv("NOVA_EVERY_INSTRUCTION"))
      return;
    std::map<std::string, std::set<std::string>> operands, ownOperands;
    std::set<std::string> tested;
    for (const auto &[opcode, list] : testedInstructions()) {
      Form form = formOf(opcode);
      operands[form.name].insert(shapeOf(list));
      ownOperands[form.text()].insert(shapeOf(list));
      tested.insert(form.text());
    }
    for (std::string_view name : instructionNames()) {
      Walk walk(std::string(name), operands[std::string(name)], ownOperands);
      EXPECT_FALSE(walk.accepted.empty()) << name << " has no row";
      std::string missing;
      for (const std::string &form : walk.accepted)
        missing += tested.count(form) ? "" : "\n" + form;
      for (const auto &[form, message] : walk.wrongOperands)
        missing += "\n" + form + ", for which no row's operands fit: " + message;
      if (!missing.empty())
        ADD_FAILURE() << "forms of " << name << " that no row has:" << missing;
    }
  }
};

const ::testing::Environment *const kEveryForm = ::testing::AddGlobalTestEnvironment(new EveryForm);

} // namespace
