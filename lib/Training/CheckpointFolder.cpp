//===- CheckpointFolder.cpp - Writing checkpoints -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFormat.h"
#include "Nova/Support/File.h"
#include "StateFile.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace nova;
namespace fs = std::filesystem;

/// Folders that are being written or removed; a name that no checkpoint has.
static constexpr std::string_view kHidden = ".step-";

static std::string hiddenName(const std::string &folder, uint64_t step) { return folder + "/." + checkpointName(step); }

Result<CheckpointFolder> CheckpointFolder::open(const std::string &path, uint64_t step, uint64_t keep) {
  std::error_code error;
  fs::create_directories(path, error);
  CheckpointFolder folder;
  folder.path = path;
  folder.keep = keep;
  folder.descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder.descriptor < 0)
    return systemError(path, "open the folder of checkpoints");
  if (flock(folder.descriptor, LOCK_EX | LOCK_NB) != 0)
    return inputError(path + ": another run writes its checkpoints there; name another folder");
  if (access(path.c_str(), W_OK) != 0)
    return systemError(path, "write");
  if (std::map<uint64_t, std::string> found = listCheckpoints(path); !found.empty() && found.rbegin()->first > step)
    return inputError(found.rbegin()->second + ": expected no checkpoint after step " + std::to_string(step) +
                      ", where this run starts; go on with --resume=" + path + " or name another folder");
  for (const auto &entry : fs::directory_iterator(path, error))
    if (entry.path().filename().string().compare(0, kHidden.size(), kHidden) == 0)
      fs::remove_all(entry.path(), error);
  return folder;
}

CheckpointFolder::CheckpointFolder(CheckpointFolder &&other) noexcept
    : path(std::move(other.path)), keep(other.keep), descriptor(std::exchange(other.descriptor, -1)) {}

CheckpointFolder::~CheckpointFolder() {
  if (descriptor >= 0)
    close(descriptor);
}

std::string CheckpointFolder::newest() const {
  std::map<uint64_t, std::string> found = listCheckpoints(path);
  return found.empty() ? "" : found.rbegin()->second;
}

bool CheckpointFolder::has(uint64_t step) const { return listCheckpoints(path).count(step) != 0; }

/// Writes the state tensors that belong to the file.
static Result<void> writeTensors(Executable &executable, const std::string &folder, const std::string &file) {
  return writeState(executable, folder + "/" + file, [&](const StateTensor &tensor) -> std::vector<std::string> {
    std::optional<StoredTensor> stored = storedAs(tensor.role, tensor.tensor.name);
    if (!stored || stored->file != file)
      return {};
    return {stored->name};
  });
}

/// Everything but the last rename. Each file is synced, and the folder with it.
static Result<void> writeCheckpoint(Executable &executable, const RunState &state, const std::string &folder) {
  if (mkdir(folder.c_str(), 0777) != 0)
    return systemError(folder, "make the folder");
  std::map<std::string, FileFacts> files;
  for (const char *name : kTensorFiles) {
    if (Result<void> written = writeTensors(executable, folder, name); !written)
      return written;
    Result<FileFacts> facts = factsOf(folder + "/" + name);
    if (!facts)
      return facts.error();
    files[name] = *facts;
  }
  return writeFile(folder + "/" + kStateFile, stateToJson(state, files));
}

Result<void> CheckpointFolder::save(Executable &executable, const RunState &state) {
  std::string hidden = hiddenName(path, state.step), name = path + "/" + checkpointName(state.step);
  Result<void> written = writeCheckpoint(executable, state, hidden);
  if (written && rename(hidden.c_str(), name.c_str()) != 0)
    written = systemError(name, "rename the finished checkpoint to it");
  if (!written) {
    std::error_code ignored; // What is left takes space, but is no checkpoint.
    fs::remove_all(hidden, ignored);
    return written;
  }
  // The new name is on the disk only when its folder is; older checkpoints are needed until then.
  if (fsync(descriptor) != 0)
    return systemError(path, "sync");
  if (state.best && state.best->step == state.step) {
    // For people, as a name that stays; file systems without links go without.
    std::string link = path + "/.best";
    unlink(link.c_str());
    (void)!symlink(checkpointName(state.step).c_str(), link.c_str());
    (void)!rename(link.c_str(), (path + "/best").c_str());
  }
  if (!state.best)
    unlink((path + "/best").c_str()); // An earlier version's link to an evaluation that was NaN.
  prune(state);
  return {};
}

void CheckpointFolder::prune(const RunState &state) const {
  std::map<uint64_t, std::string> found = listCheckpoints(path);
  uint64_t newer = 0;
  for (auto checkpoint = found.rbegin(); checkpoint != found.rend(); ++checkpoint) {
    bool isBest = state.best && state.best->step == checkpoint->first;
    if (isBest || newer++ < keep)
      continue;
    // Never half a checkpoint under the name of a whole one. What cannot be removed stays: that loses nothing.
    std::string hidden = hiddenName(path, checkpoint->first);
    std::error_code ignored;
    if (rename(checkpoint->second.c_str(), hidden.c_str()) == 0)
      fs::remove_all(hidden, ignored);
  }
}
