//===- Reports.h - What a run leaves behind ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_REPORTS_H
#define NOVA_TOOLS_NOVA_RUN_REPORTS_H

#include "Nova/Training/FiniteCheck.h"
#include "Nova/Training/LogFile.h"
#include "Nova/Training/Plot.h"
#include "Nova/Training/Profile.h"
#include "Nova/Training/TensorBoard.h"
#include "Nova/Training/Trainer.h"
#include "Options.h"

#include <memory>

namespace nova {

/// The files that flags ask for, from before the first step to the end.
class Reports {
public:
  /// Opens what is written while the program is trained, and watches its launches where that is asked for. The
  /// executable outlives the reports.
  static Result<std::unique_ptr<Reports>> create(const Options &options, Executable &executable, uint64_t firstStep);
  ~Reports();

  /// Adds where records and spans go.
  void addTo(TrainOptions &options);

  /// Writes what is made at the end.
  Result<void> finish(const TrainResult &result);

private:
  Reports(const Options &options, Executable &executable) : options(options), executable(executable) {}
  Result<void> watch();

  /// Tells several observers.
  struct Observers final : LaunchObserver {
    Result<void> launched(const LaunchEvent &event) override;
    std::vector<LaunchObserver *> list;
  };

  const Options &options;
  Executable &executable;
  std::optional<LogFile> log;
  std::optional<TensorBoard> tensorboard;
  std::optional<Trace> trace;
  std::optional<Plot> plot;
  std::optional<Profile> profile;
  std::optional<FiniteCheck> finite;
  Observers observers;
};

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_REPORTS_H
