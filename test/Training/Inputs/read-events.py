"""Prints the scalars of a folder of event files, as TensorBoard reads them."""

import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(sys.argv[1])
events.Reload()
for tag in sorted(events.Tags()["scalars"]):
    steps = [event.step for event in events.Scalars(tag)]
    if len(steps) < 5:
        print(f"{tag}: steps {', '.join(map(str, steps))}")
    else:
        ordered = steps == list(range(steps[0], steps[-1] + 1))
        print(f"{tag}: {len(steps)} steps from {steps[0]} to {steps[-1]}{'' if ordered else ', not in order'}")
