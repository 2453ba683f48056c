// RUN: not nova-opt %s --nova-build-train-step=optimizer=lion 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not nova-opt %s --nova-build-train-step=beta1=1 2>&1 | FileCheck %s --check-prefix=BETA1
// RUN: not nova-opt %s --nova-build-train-step=beta2=nan 2>&1 | FileCheck %s --check-prefix=BETA2
// RUN: not nova-opt %s --nova-build-train-step=eps=-1 2>&1 | FileCheck %s --check-prefix=EPS
// RUN: not nova-opt %s --nova-build-train-step=weight-decay=-1 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not nova-opt %s --nova-build-train-step=clip=-2 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: not nova-opt %s --nova-build-train-step=momentum=1 2>&1 | FileCheck %s --check-prefix=MOMENTUM
// RUN: not nova-opt %s --nova-build-train-step=accumulate=0 2>&1 | FileCheck %s --check-prefix=ACCUMULATE
// RUN: not nova-opt %s --nova-build-train-step=nesterov=true 2>&1 | FileCheck %s --check-prefix=NESTEROV
// RUN: not nova-opt %s --nova-build-train-step="optimizer=sgd nesterov=true momentum=0" 2>&1 | FileCheck %s --check-prefix=STILL

module {}

// OPTIMIZER: error: nova-build-train-step: expected optimizer to be adamw, adam or sgd, found 'lion'
// BETA1: error: nova-build-train-step: expected beta1 to be at least 0 and below 1, found 1
// BETA2: error: nova-build-train-step: expected beta2 to be at least 0 and below 1, found nan
// EPS: error: nova-build-train-step: expected eps to be at least 0, found -1
// DECAY: error: nova-build-train-step: expected weight-decay to be at least 0, found -1
// CLIP: error: nova-build-train-step: expected clip to be at least 0, found -2
// NESTEROV: error: nova-build-train-step: expected optimizer to be sgd, which has nesterov, found 'adamw'
// STILL: error: nova-build-train-step: expected momentum to be positive for nesterov, found 0
// MOMENTUM: error: nova-build-train-step: expected momentum to be at least 0 and below 1, found 1
// ACCUMULATE: error: nova-build-train-step: expected accumulate to be at least 1, found 0
