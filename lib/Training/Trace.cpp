//===- Trace.cpp - A timeline of a run ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Trace.h"

#include "Nova/Support/File.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

using namespace nova;
using nlohmann::ordered_json;

/// Bytes that are collected before they are written.
static constexpr size_t kChunk = 1 << 16;

/// Tracks in the order in which viewers show them: the host, launches, then a track per thread.
static constexpr unsigned kHostTrack = 0, kLaunchTrack = 1, kFirstWorkerTrack = 2;

static std::string trackName(unsigned track) {
  if (track == kHostTrack)
    return "host";
  return track == kLaunchTrack ? "kernels" : "thread " + std::to_string(track - kFirstWorkerTrack);
}

Result<Trace> Trace::create(const std::string &path, const Bundle &tables, unsigned threads) {
  Trace trace(path, tables);
  trace.descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (trace.descriptor < 0)
    return systemError(path, "write");
  trace.start = LaunchEvent::Clock::now();
  trace.pending = "[";
  for (unsigned track = 0; track < kFirstWorkerTrack + threads; ++track) {
    ordered_json name = {
        {"name", "thread_name"}, {"ph", "M"}, {"pid", 1}, {"tid", track}, {"args", {{"name", trackName(track)}}}};
    trace.pending += (track ? ",\n" : "\n") + name.dump();
  }
  return trace;
}

Trace::Trace(Trace &&other) noexcept
    : path(std::move(other.path)), tables(other.tables), start(other.start), pending(std::move(other.pending)),
      descriptor(std::exchange(other.descriptor, -1)), failure(other.failure) {}

Trace::~Trace() {
  if (descriptor < 0)
    return;
  (void)finish();
}

void Trace::hostSpan(const char *name, LaunchEvent::Clock::time_point begin, LaunchEvent::Clock::time_point end) {
  add(name, "host", kHostTrack, {begin, end});
}

Result<void> Trace::launched(const LaunchEvent &event) {
  const Kernel &kernel = tables->kernels[tables->entries[event.entry].launches[event.launch].kernel];
  add(kernel.name, kernel.family, kLaunchTrack, event.span);
  for (unsigned worker = 0; worker < event.workers.size(); ++worker)
    if (event.workers[worker].begin != LaunchEvent::Clock::time_point())
      add(kernel.name, kernel.family, kFirstWorkerTrack + worker, event.workers[worker]);
  if (failure) {
    errno = failure;
    return systemError(path, "write");
  }
  return {};
}

void Trace::add(const std::string &name, const std::string &category, unsigned track, LaunchEvent::Span span) {
  auto microseconds = [](auto duration) { return std::chrono::duration<double, std::micro>(duration).count(); };
  ordered_json event = {{"name", name},
                        {"cat", category},
                        {"ph", "X"},
                        {"pid", 1},
                        {"tid", track},
                        {"ts", microseconds(span.begin - start)},
                        {"dur", microseconds(span.end - span.begin)}};
  pending += ",\n" + event.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  if (pending.size() >= kChunk)
    flush();
}

void Trace::flush() {
  for (size_t done = 0; done < pending.size() && !failure;) {
    ssize_t written = ::write(descriptor, pending.data() + done, pending.size() - done);
    if (written >= 0)
      done += static_cast<size_t>(written);
    else if (errno != EINTR)
      failure = errno;
  }
  pending.clear();
}

Result<void> Trace::finish() {
  pending += "\n]\n";
  flush();
  if (close(std::exchange(descriptor, -1)) != 0 && !failure)
    failure = errno;
  if (!failure)
    return {};
  errno = failure;
  return systemError(path, "write");
}
