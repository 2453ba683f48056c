//===- InstructionTest.cpp - Instructions on given operands ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include <algorithm>
#include <sstream>

using namespace nova::emulator;

/// The letter of the register with a number, as the text uses it; 0 when it does not.
static char letterOf(const std::string &text, size_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
    char letter = at ? text[at - 1] : 0;
    bool isRegister = letter == 'h' || letter == 'r' || letter == 'd' || letter == 'p';
    char before = at > 1 ? text[at - 2] : ' ',
         after = at + digits.size() < text.size() ? text[at + digits.size()] : ' ';
    auto isWord = [](char c) { return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%'; };
    if (isRegister && !isWord(before) && !(isalnum(static_cast<unsigned char>(after)) || after == '_'))
      return letter;
  }
  return 0;
}

static std::string loadInput(char letter, size_t number, uint64_t value) {
  std::string n = std::to_string(number), text = std::to_string(value);
  switch (letter) {
  case 'h':
    return "mov.b16 h" + n + ", " + std::to_string(value & 0xffff) + ";\n";
  case 'r':
    return "mov.b32 r" + n + ", " + std::to_string(value & 0xffffffff) + ";\n";
  case 'd':
    return "mov.b64 d" + n + ", " + text + ";\n";
  case 'p':
    return "mov.u32 r19, " + text + "; setp.ne.u32 p" + n + ", r19, 0;\n";
  default:
    return "";
  }
}

/// How many rows become one kernel.
static constexpr size_t kBatch = 48;

/// What a row is on its way into a kernel: registers that hold the same in all lanes, or a table of what each has.
struct RowText {
  const std::string &text;
  const std::vector<uint64_t> *inputs = nullptr;
  const std::vector<std::vector<uint64_t>> *laneInputs = nullptr;
};

static std::string memoryText() {
  std::string text =
      ".global .align 64 .b8 own[2048];\n.shared .align 64 .b8 shared[2048];\n.const .align 64 .b8 c[64] = {";
  for (unsigned i = 0; i < 64; ++i)
    text += (i ? ", " : "") + std::to_string(7 * i & 255);
  return text + "};\n";
}

/// Addresses of what each lane has of its own.
static const char kAddresses[] = ".local .align 64 .b8 local[64];\n.param .align 64 .b8 pa[64];\n"
                                 ".reg .b64 %own, %shared, %local, %results, %lane;\n"
                                 "mul.wide.u32 %own, %tid, 64;\nmov.u64 %shared, shared;\n"
                                 "add.s64 %shared, %shared, %own;\nmov.u64 %results, own;\n"
                                 "add.s64 %own, %own, %results;\nmov.u64 %local, local;\n"
                                 "mul.wide.u32 %lane, %tid, 8;\nadd.s64 %results, %out, %lane;\n";

/// Loads a register of each lane from a table of 64-bit words.
static std::string loadLane(char letter, size_t number, const std::string &table) {
  std::string n = std::to_string(number), load = "mov.u64 d19, " + table + "; add.s64 d19, d19, %lane; ";
  switch (letter) {
  case 'h':
    return load + "ld.global.u16 h" + n + ", [d19];\n";
  case 'r':
    return load + "ld.global.u32 r" + n + ", [d19];\n";
  case 'd':
    return load + "ld.global.u64 d" + n + ", [d19];\n";
  case 'p':
    return load + "ld.global.u32 r19, [d19]; setp.ne.u32 p" + n + ", r19, 0;\n";
  default:
    return "";
  }
}

static std::string textOf(const RowText &row, uint32_t lanes, size_t index, std::string &before) {
  static const char zeros[] = "mov.b16 h0, 0; mov.b32 r0, 0; mov.b64 d0, 0; setp.ne.u32 p0, 0, 0;\n";
  std::string text = "{\n" + std::string(zeros);
  for (size_t i = 0; row.inputs && i < row.inputs->size(); ++i)
    text += loadInput(letterOf(row.text, i + 1), i + 1, (*row.inputs)[i]);
  for (size_t i = 0; row.laneInputs && i < row.laneInputs->size(); ++i) {
    std::string table = "t" + std::to_string(index) + "_" + std::to_string(i);
    before += ".global .align 8 .b64 " + table + "[32] = {";
    for (size_t lane = 0; lane < 32; ++lane)
      before += (lane ? ", " : "") + std::to_string((*row.laneInputs)[i][lane]);
    before += "};\n";
    text += loadLane(letterOf(row.text, i + 1), i + 1, table);
  }
  // Lanes that do not take part keep what they have.
  if (lanes != 32)
    text += "setp.lt.u32 %p9, %tid, " + std::to_string(lanes) + ";\n@!%p9 bra skip;\n";
  text += row.text + "\nskip:\n";
  char result = letterOf(row.text, 0);
  text += result == 'h'   ? "cvt.u64.u16 %d9, h0;\n"
          : result == 'r' ? "cvt.u64.u32 %d9, r0;\n"
          : result == 'p' ? "selp.b64 %d9, 1, 0, p0;\n"
                          : "mov.b64 %d9, d0;\n";
  return text + "st.global.b64 [%results+" + std::to_string(index * 256) + "], %d9;\n}\n";
}

/// The results of all lanes, row after row; empty where a row cannot be run.
static std::vector<uint64_t> run(const RowText *rows, size_t count, uint32_t lanes) {
  std::string body = kAddresses, before = memoryText();
  for (size_t i = 0; i < count; ++i)
    body += textOf(rows[i], lanes, i, before);
  Ran ran = runPtx(kernelText(body, before), {}, {32}, static_cast<uint32_t>(count * 64));
  bool isGood = ran.error.empty() && ran.findings.empty();
  if (!isGood && count > 1) { // which of them?
    for (size_t i = 0; i < count; ++i)
      run(rows + i, 1, lanes);
    return {};
  }
  EXPECT_EQ(ran.error, "") << rows->text;
  for (const Finding &finding : ran.findings)
    ADD_FAILURE() << rows->text << ": " << finding.message;
  std::vector<uint64_t> results;
  for (size_t i = 0; isGood && i + 1 < ran.out.size(); i += 2)
    results.push_back(ran.out[i] | static_cast<uint64_t>(ran.out[i + 1]) << 32);
  return results;
}

/// Runs rows in batches and compares; `expected` is asked for the result of a row in a lane.
template <typename ExpectedFn>
static void expectResults(const std::vector<RowText> &rows, uint32_t lanes, ExpectedFn expected) {
  for (size_t first = 0; first < rows.size(); first += kBatch) {
    size_t count = std::min(kBatch, rows.size() - first);
    std::vector<uint64_t> results = run(&rows[first], count, lanes);
    for (size_t i = 0; i < results.size(); ++i) {
      const RowText &row = rows[first + i / 32];
      uint64_t wanted = expected(first + i / 32, i % 32);
      if (results[i] == wanted)
        continue;
      std::ostringstream inputs;
      for (size_t k = 0; row.inputs && k < row.inputs->size(); ++k)
        inputs << std::hex << " 0x" << (*row.inputs)[k];
      for (size_t k = 0; row.laneInputs && k < row.laneInputs->size(); ++k)
        inputs << std::hex << " 0x" << (*row.laneInputs)[k][i % 32];
      ADD_FAILURE() << row.text << " of" << inputs.str() << std::hex << ": 0x" << results[i] << " instead of 0x"
                    << wanted << std::dec << " in lane " << i % 32 << " of " << lanes;
      i |= 31; // a lane tells enough
    }
  }
}

uint64_t nova::emulator::resultOf(const Row &row) {
  noteTested(row.text);
  RowText text = {row.text, &row.inputs};
  std::vector<uint64_t> results = run(&text, 1, 32);
  return results.empty() ? 0 : results[0];
}

void nova::emulator::expectRows(const std::vector<Row> &rows) {
  std::vector<RowText> texts;
  for (const Row &row : rows) {
    noteTested(row.text);
    texts.push_back({row.text, &row.inputs});
  }
  for (uint32_t lanes : {32u, 5u})
    expectResults(texts, lanes, [&](size_t row, size_t lane) { return lane < lanes ? rows[row].expected : 0; });
}

void nova::emulator::expectWarpRows(const std::vector<WarpRow> &rows) {
  std::vector<RowText> texts;
  for (const WarpRow &row : rows) {
    noteTested(row.text);
    texts.push_back({row.text, nullptr, &row.inputs});
  }
  expectResults(texts, 32, [&](size_t row, size_t lane) { return rows[row].expected[lane]; });
}

//===----------------------------------------------------------------------===//
// What is tested
//===----------------------------------------------------------------------===//

static std::set<std::pair<std::string, std::string>> &tested() {
  static std::set<std::pair<std::string, std::string>> instructions;
  return instructions;
}

void nova::emulator::noteTested(const std::string &text) {
  std::istringstream statements(text);
  for (std::string statement; std::getline(statements, statement, ';');) {
    // Labels and guards stand before the instruction.
    std::istringstream words(statement);
    std::string opcode, rest;
    do
      words >> opcode;
    while (words && (opcode.back() == ':' || opcode.front() == '@'));
    std::getline(words >> std::ws, rest);
    if (!opcode.empty())
      tested().emplace(opcode, rest);
  }
}

const std::set<std::pair<std::string, std::string>> &nova::emulator::testedInstructions() { return tested(); }
