//===- DriverStream.cpp - Streams, events and graphs of the driver --------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

static DriverState &state() { return DriverState::get(); }

/// Does the first tasks of a stream until `until` have been done.
static CUresult drainUntil(CUstream stream, uint64_t until) {
  while (!stream->queue.empty() && stream->done < until) {
    Task task = std::move(stream->queue.front());
    stream->queue.pop_front();
    ++stream->done;
    if (state().sticky == CUDA_SUCCESS)
      if (CUresult result = task(); result != CUDA_SUCCESS)
        state().sticky = result;
  }
  return state().sticky;
}

CUresult nova::emulator::drain(CUstream stream) {
  if (stream)
    return drainUntil(stream, UINT64_MAX);
  for (CUstream each : state().streams)
    drainUntil(each, UINT64_MAX);
  return state().sticky;
}

bool nova::emulator::isCapturing(CUstream stream) { return stream && stream->capture; }

CUresult nova::emulator::enqueue(CUstream stream, Task task) {
  if (!stream) {
    if (CUresult result = drain(nullptr); result != CUDA_SUCCESS)
      return result;
    CUresult result = task();
    return result == CUDA_SUCCESS ? result : state().sticky = result;
  }
  if (stream->capture)
    stream->capture->tasks.push_back(std::move(task));
  else
    stream->queue.push_back(std::move(task));
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

NOVA_CUDA CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!stream || flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  *stream = new CUstream_st;
  call->streams.insert(*stream);
  return CUDA_SUCCESS;
}

/// Whether a handle is one of a stream; null is the default stream.
static bool isStream(Call &call, CUstream stream) { return !stream || call->streams.count(stream); }

NOVA_CUDA CUresult cuStreamDestroy_v2(CUstream stream) {
  Call call;
  if (!stream || !isStream(call, stream))
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = drain(stream);
  call->streams.erase(stream);
  for (CUevent event : call->events)
    event->stream = event->stream == stream ? nullptr : event->stream;
  delete stream;
  return result;
}

NOVA_CUDA CUresult cuStreamSynchronize(CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!isStream(call, stream))
    return CUDA_ERROR_INVALID_HANDLE;
  return isCapturing(stream) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : drain(stream);
}

NOVA_CUDA CUresult cuStreamQuery(CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!isStream(call, stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (isCapturing(stream))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  auto hasWork = [](CUstream each) { return !each->queue.empty(); };
  bool isBusy = stream ? hasWork(stream) : std::any_of(call->streams.begin(), call->streams.end(), hasWork);
  if (!isBusy)
    return CUDA_SUCCESS;
  CUresult result = drain(stream);
  return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : result;
}

NOVA_CUDA CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!isStream(call, stream) || !call->events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (event->capture) {
    // The stream joins the capture that the event belongs to.
    if (!stream || (stream->capture && stream->capture != event->capture))
      return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    stream->capture = event->capture;
    return CUDA_SUCCESS;
  }
  CUstream other = event->stream;
  uint64_t position = event->position;
  if (!event->isRecorded || !other || other == stream || isCapturing(stream))
    return CUDA_SUCCESS;
  return enqueue(stream, [other, position]() -> CUresult {
    return state().streams.count(other) ? drainUntil(other, position) : CUDA_SUCCESS;
  });
}

NOVA_CUDA CUresult cuCtxSynchronize() {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  for (CUstream stream : call->streams)
    if (stream->capture)
      return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return drain(nullptr);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

NOVA_CUDA CUresult cuEventCreate(CUevent *event, unsigned) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!event)
    return CUDA_ERROR_INVALID_VALUE;
  *event = new CUevent_st;
  call->events.insert(*event);
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuEventDestroy_v2(CUevent event) {
  Call call;
  if (!call->events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  // Its record may still be in a queue.
  for (CUstream stream : call->streams)
    if (event->stream == stream && !event->isDone)
      drain(stream);
  call->events.erase(event);
  delete event;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuEventRecord(CUevent event, CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!isStream(call, stream) || !call->events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  auto record = [event]() -> CUresult {
    if (state().events.count(event)) {
      event->isDone = true;
      event->time = std::chrono::steady_clock::now();
    }
    return CUDA_SUCCESS;
  };
  event->isRecorded = true;
  event->capture = stream ? stream->capture : nullptr;
  event->stream = stream;
  event->isDone = false;
  event->position = stream ? stream->done + stream->queue.size() + 1 : 0;
  if (event->capture)
    event->isDone = true; // not a point in time, but an edge of the graph
  return enqueue(stream, record);
}

NOVA_CUDA CUresult cuEventSynchronize(CUevent event) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!call->events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  return event->stream && !event->isDone ? drainUntil(event->stream, event->position) : CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuEventQuery(CUevent event) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!call->events.count(event))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!event->stream || event->isDone)
    return CUDA_SUCCESS;
  CUresult result = drainUntil(event->stream, event->position);
  return result == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : result;
}

static CUresult elapsedTime(float *milliseconds, CUevent start, CUevent end) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!milliseconds || !call->events.count(start) || !call->events.count(end) || !start->isRecorded || !end->isRecorded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!start->isDone || !end->isDone)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return elapsedTime(milliseconds, start, end);
}
NOVA_CUDA CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
  return elapsedTime(milliseconds, start, end);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

NOVA_CUDA CUresult cuStreamBeginCapture_v2(CUstream stream, int) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!stream || !isStream(call, stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capture)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  stream->capture = new CUgraph_st;
  stream->isCaptureOrigin = true;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Call call;
  if (!stream || !isStream(call, stream) || !graph)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->capture || !stream->isCaptureOrigin)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  *graph = stream->capture;
  call->graphs.insert(*graph);
  for (CUstream each : call->streams)
    each->capture = each->capture == *graph ? nullptr : each->capture;
  for (CUevent event : call->events)
    event->capture = event->capture == *graph ? nullptr : event->capture;
  stream->isCaptureOrigin = false;
  return call->sticky;
}

NOVA_CUDA CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!executable || !call->graphs.count(graph))
    return CUDA_ERROR_INVALID_VALUE;
  *executable = new CUgraphExec_st{graph->tasks};
  call->executables.insert(*executable);
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  return call->executables.count(executable) && isStream(call, stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

NOVA_CUDA CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  Call call;
  if (CUresult problem = call.problem())
    return problem;
  if (!call->executables.count(executable) || !isStream(call, stream))
    return CUDA_ERROR_INVALID_VALUE;
  for (const Task &task : executable->tasks)
    if (CUresult result = enqueue(stream, task); result != CUDA_SUCCESS)
      return result;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuGraphDestroy(CUgraph graph) {
  Call call;
  if (!call->graphs.erase(graph))
    return CUDA_ERROR_INVALID_VALUE;
  delete graph;
  return CUDA_SUCCESS;
}

NOVA_CUDA CUresult cuGraphExecDestroy(CUgraphExec executable) {
  Call call;
  if (!call->executables.erase(executable))
    return CUDA_ERROR_INVALID_VALUE;
  delete executable;
  return CUDA_SUCCESS;
}
