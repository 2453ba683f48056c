//===- InstructionTest.cpp - Instructions on given operands ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

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

/// The results of all lanes.
static std::vector<uint64_t> run(const Row &row, uint32_t lanes) {
  std::string text = row.text, body;
  for (size_t i = 0; i < row.inputs.size(); ++i)
    body += loadInput(letterOf(text, i + 1), i + 1, row.inputs[i]);
  // Lanes that do not take part keep what they have.
  body += "setp.lt.u32 %p9, %tid, " + std::to_string(lanes) + ";\n@!%p9 bra skip;\n" + text + "\nskip:\n";
  char result = letterOf(text, 0);
  body += result == 'h'   ? "cvt.u64.u16 %d9, h0;\n"
          : result == 'r' ? "cvt.u64.u32 %d9, r0;\n"
          : result == 'p' ? "selp.b64 %d9, 1, 0, p0;\n"
                          : "mov.b64 %d9, d0;\n";
  body += "mul.wide.u32 %d8, %tid, 8; add.s64 %d8, %out, %d8; st.global.b64 [%d8], %d9;";
  Ran ran = runPtx(kernelText(body), {}, {32}, 64);
  EXPECT_EQ(ran.error, "") << row.text;
  EXPECT_TRUE(ran.findings.empty()) << row.text;
  std::vector<uint64_t> results;
  for (size_t lane = 0; lane + lane < ran.out.size(); ++lane)
    results.push_back(ran.out[2 * lane] | static_cast<uint64_t>(ran.out[2 * lane + 1]) << 32);
  return results;
}

uint64_t nova::emulator::resultOf(const Row &row) {
  std::vector<uint64_t> results = run(row, 32);
  return results.empty() ? 0 : results[0];
}

void nova::emulator::expectRows(const std::vector<Row> &rows) {
  for (const Row &row : rows) {
    std::string inputs;
    for (uint64_t input : row.inputs)
      inputs += " " + std::to_string(input);
    for (uint32_t lanes : {32u, 5u}) {
      std::vector<uint64_t> results = run(row, lanes);
      if (results.empty())
        continue;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        uint64_t expected = lane < lanes ? row.expected : 0;
        EXPECT_EQ(results[lane], expected) << row.text << " of" << inputs << std::hex << ": " << results[lane]
                                           << " instead of " << expected << std::dec << " in lane " << lane;
        if (results[lane] != expected)
          break;
      }
    }
  }
}
