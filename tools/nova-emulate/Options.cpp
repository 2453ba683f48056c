//===- Options.cpp - The flags of nova-emulate ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>

using namespace nova;

static constexpr char kFooter[] =
    "Arguments, a comma between them, in the order of the kernel's parameters:\n"
    "  KEY                      a buffer that holds this tensor of --inputs, or one made before\n"
    "  zeros:NAME:DTYPE:COUNT   a fresh buffer (f64 f32 f16 bf16 i64 u64 i32 u32 i16 u16 i8 u8 bool)\n"
    "  tensormap:NAME:DIMS:BOX[:SWIZZLE]\n"
    "                           a tensor map over a buffer, the innermost dimension first, as in\n"
    "                           tensormap:a:256x128:64x64:128B (none 32B 64B 128B); rows are dense\n"
    "  i32:N u32:N i64:N u64:N f32:X f64:X null\n"
    "  hex:0A0B...              the bytes of a struct, in the order of their addresses, as many as the parameter has\n"
    "\n"
    "Examples:\n"
    "  nova-emulate add.ptx --grid 4 --block 256 --args x,y,zeros:z:f32:1000,i32:1000 --inputs in.safetensors "
    "--outputs out.safetensors\n"
    "  nova-emulate kernels.ptx --launches launches.json --inputs in.safetensors --expect out.safetensors --report\n"
    "\n"
    "Exit codes: 0 ok, 1 diagnostic on the input, 2 wrong usage, 3 runtime or device, 4 a check found something or a\n"
    "comparison failed.";

namespace {
class HelpFormatter final : public CLI::Formatter {
public:
  HelpFormatter() { column_width(30); }
  std::string make_usage(const CLI::App *, std::string) const override {
    return "Usage: nova-emulate FILE.ptx [flags]\n\nRuns kernels of a PTX file on the CPU, and checks what they do.\n";
  }
  std::string make_option_opts(const CLI::Option *option) const override {
    return option->get_type_name().empty() ? "" : "=" + option->get_type_name();
  }
};

/// Flags whose values are made of parts.
struct Texts {
  std::string grid, block, firstBlock, lastBlock, arguments, check = "all", order = "normal";
};
} // namespace

/// "X[,Y[,Z]]"; those that are left out are `rest`.
static emulator::Dim3 parseDim3(const char *flag, const std::string &text, uint32_t rest) {
  uint32_t values[3] = {rest, rest, rest};
  size_t count = 0, position = 0;
  do {
    size_t comma = std::min(text.find(',', position), text.size());
    std::string part = text.substr(position, comma - position);
    char *end = nullptr;
    unsigned long value = std::strtoul(part.c_str(), &end, 10);
    if (count == 3 || part.empty() || part[0] < '0' || part[0] > '9' || *end || value > UINT32_MAX)
      throw CLI::ValidationError(flag, "expected X[,Y[,Z]], found '" + text + "'");
    values[count++] = static_cast<uint32_t>(value);
    position = comma + 1;
  } while (position <= text.size());
  return {values[0], values[1], values[2]};
}

std::vector<std::string> nova::split(const std::string &text, char separator) {
  std::vector<std::string> parts = {""};
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static CLI::Validator nonNegative() {
  return CLI::Validator(
      [](const std::string &text) -> std::string {
        char *end = nullptr;
        double value = std::strtod(text.c_str(), &end);
        bool isGood = !text.empty() && !*end && std::isfinite(value) && value >= 0;
        return isGood ? "" : "expected a number of 0 or more, found '" + text + "'";
      },
      "");
}

static void declare(CLI::App &app, ToolOptions &options, Texts &texts) {
  app.set_help_flag();
  app.add_option("FILE", options.file)->group("");
  auto flag = [&](const char *topic, const char *name, const char *value, auto &out, const char *description) {
    return app.add_option(name, out, description)->group(topic)->type_name(value);
  };
  CLI::Option *launches =
      flag("Launch", "--launches", "FILE", options.launchesFile,
           "Several launches in order, .json: objects with kernel, grid, block, first-block, last-block,\n"
           "shared, args");
  flag("Launch", "--kernel", "NAME", options.launch.kernel, "Kernel to run (the only one)")->excludes(launches);
  flag("Launch", "--grid", "X,Y,Z", texts.grid, "Blocks (1)")->excludes(launches);
  flag("Launch", "--block", "X,Y,Z", texts.block, "Threads of a block (1)")->excludes(launches);
  flag("Launch", "--first-block", "X,Y,Z", texts.firstBlock, "Where a part of the grid begins (0)")->excludes(launches);
  flag("Launch", "--last-block", "X,Y,Z", texts.lastBlock, "Where it ends, included (the grid's last)")
      ->excludes(launches);
  flag("Launch", "--shared", "BYTES", options.launch.shared, "Dynamic shared memory (0)")->excludes(launches);
  flag("Launch", "--args", "LIST", texts.arguments, "Arguments, see below")->excludes(launches);
  flag("Data", "--inputs", "FILE", options.inputs, "Tensors for buffers, .safetensors");
  flag("Data", "--outputs", "FILE", options.outputs, "Write every buffer as it is afterwards, .safetensors");
  CLI::Option *expect = flag("Data", "--expect", "FILE", options.expect,
                             "Compare buffers with tensors of their names, or of expected.NAME, .safetensors");
  flag("Data", "--rtol", "X", options.tolerance.relative, "Relative tolerance (1e-5)")
      ->needs(expect)
      ->check(nonNegative());
  flag("Data", "--atol", "X", options.tolerance.absolute, "Absolute tolerance (1e-6)")
      ->needs(expect)
      ->check(nonNegative());
  flag("Checks", "--check", "LIST", texts.check,
       "all, none or a list of races, bounds, uninitialised, barriers, strict-races (all)");
  flag("Checks", "--order", "NAME", texts.order, "Warps of a block: normal, reversed, round-robin (normal)");
  flag("Checks", "--max-instructions", "N", options.emulator.maxInstructions,
       "Instructions that the warps of a block may execute, 0: no limit (0)");
  app.add_option("--report", options.report, "Print counters per kernel as a table, or write them as JSON")
      ->group("Reports")
      ->type_name("FILE")
      ->expected(0, 1);
  flag("Reports", "--threads", "N", options.emulator.threads, "Threads that run blocks (all cores)")
      ->check(CLI::Range(1u, 1024u));
  app.set_help_flag("--help,-h", "Print this help")->group("Help");
  app.set_version_flag("--version", "Nova " NOVA_VERSION "\nPTX: sm_80, sm_89, sm_90", "Print versions")->group("Help");
}

static void finish(const CLI::App &app, ToolOptions &options, const Texts &texts) {
  if (options.file.empty())
    throw CLI::ValidationError("expected FILE, PTX text, found none");
  if (!texts.grid.empty())
    options.launch.grid = parseDim3("--grid", texts.grid, 1);
  if (!texts.block.empty())
    options.launch.block = parseDim3("--block", texts.block, 1);
  if (!texts.firstBlock.empty())
    options.launch.firstBlock = parseDim3("--first-block", texts.firstBlock, 0);
  if (!texts.lastBlock.empty())
    options.launch.lastBlock = parseDim3("--last-block", texts.lastBlock, 0);
  if (!texts.arguments.empty())
    options.launch.arguments = split(texts.arguments, ',');
  Result<emulator::Checks> checks = emulator::Checks::parse(texts.check);
  if (!checks)
    throw CLI::ValidationError("--check", checks.error().message);
  options.emulator.checks = *checks;
  Result<emulator::WarpOrder> order = emulator::parseWarpOrder(texts.order);
  if (!order)
    throw CLI::ValidationError("--order", order.error().message);
  options.emulator.order = *order;
  options.wantsReport = app.count("--report") > 0;
  options.emulator.countMemory = options.wantsReport;
}

std::variant<ToolOptions, int> nova::parseOptions(int argc, char **argv) {
  ToolOptions options;
  Texts texts;
  CLI::App app("Runs kernels of a PTX file on the CPU.", "nova-emulate");
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(kFooter);
  declare(app, options, texts);
  try {
    app.parse(argc, argv);
    finish(app, options, texts);
  } catch (const CLI::Success &success) {
    return app.exit(success, std::cout, std::cerr);
  } catch (const CLI::ParseError &error) {
    std::cerr << "nova-emulate: error: " << error.what() << "; see nova-emulate --help\n";
    return static_cast<int>(ErrorKind::Usage);
  }
  return options;
}
