// RUN: nova-opt %s --nova-train-pipeline="clip=0.5 weight-decay=0.01" | FileCheck %s
// RUN: nova-opt %s --nova-train-pipeline="mode=eager optimizer=adamw beta1=0.8 clip=0" | FileCheck %s --check-prefix=EAGER
// RUN: not nova-opt %s --nova-train-pipeline="function=absent" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not nova-opt %s --nova-train-pipeline="mode=slow" 2>&1 | FileCheck %s --check-prefix=MODE

// ABSENT: error: expected a function @absent that returns the loss
// MODE: Cannot find option named 'slow'

// CHECK-LABEL: func.func @train_step
// CHECK-SAME: nova.donated = 0 : i64, nova.name = "w", nova.role = "parameter"
// CHECK-NOT: nova.value_and_grad
// CHECK: nova.constant dense<5.000000e-01>
// CHECK: nova.adamw {{.*}} weight_decay = 1.000000e-02

// EAGER-LABEL: func.func @train_step
// EAGER: nova.constant dense<1.000000e+00>
// EAGER-NOT: nova.min
// EAGER: nova.adamw {{.*}}beta1 = 8.000000e-01 : f64

module @mlp {
  nova.parameter @w : tensor<64x10xf32> = #nova.normal<mean = 0.0, std = 0.02>
  func.func @loss(%x: tensor<32x64xf32> {nova.name = "x"}, %y: tensor<32xi32> {nova.name = "y"}) -> tensor<f32> {
    %w = nova.read @w : tensor<64x10xf32>
    %z = nova.matmul %x, %w : tensor<32x64xf32>, tensor<64x10xf32>
    %l = nova.cross_entropy %z, %y : tensor<32x10xf32>, tensor<32xi32>
    return %l : tensor<f32>
  }
}
