// Movement: every op that takes elements from elsewhere, with all kinds of edges.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @movement(%x: tensor<5x70x33xf32>, %y: tensor<5x7xf32>, %z: tensor<5x1xf32>, %table: tensor<50x36xf32>,
                    %vector: tensor<50xf32>, %ids: tensor<4x5xi32>, %wide: tensor<20xi64>, %updates: tensor<4x5x36xf32>,
                    %singles: tensor<20xf32>, %value: tensor<f32>, %none: tensor<0x7xf32>, %i: tensor<5x7xi32>)
    -> (tensor<33x5x70xf32>, tensor<2x17x33xf32>, tensor<9x22xf32>, tensor<5x15xf32>, tensor<10x7xf32>,
        tensor<4x5x36xf32>, tensor<20xf32>, tensor<50x20xf32>, tensor<50x36xf32>, tensor<50xf32>, tensor<3x7xi64>,
        tensor<5x3x7xf32>, tensor<5x7xf32>, tensor<35xf32>, tensor<7x5xi32>, tensor<6x4xf32>) {
  %transpose = nova.transpose %x [2, 0, 1] : tensor<5x70x33xf32>
  %slice = nova.slice %x starts = [1, 2, 0] limits = [5, 70, 33] strides = [2, 4, 1]
    : tensor<5x70x33xf32> -> tensor<2x17x33xf32>
  %pad = nova.pad %y, %value low = [1, 2] high = [3, 1] interior = [0, 2] : tensor<5x7xf32>, tensor<f32> -> tensor<9x22xf32>
  %columns = nova.concat %y, %z, %y axis = 1 : (tensor<5x7xf32>, tensor<5x1xf32>, tensor<5x7xf32>) -> tensor<5x15xf32>
  %rows = nova.concat %y, %none, %y axis = 0 : (tensor<5x7xf32>, tensor<0x7xf32>, tensor<5x7xf32>) -> tensor<10x7xf32>
  %gather = nova.gather %table[%ids] : tensor<50x36xf32>, tensor<4x5xi32>
  %elements = nova.gather %vector[%wide] : tensor<50xf32>, tensor<20xi64>
  %axis = nova.gather %table[%wide] {axis = 1} : tensor<50x36xf32>, tensor<20xi64>
  %scatter = nova.scatter_add %table[%ids], %updates : tensor<50x36xf32>, tensor<4x5xi32>, tensor<4x5x36xf32>
  %scatter1 = nova.scatter_add %vector[%wide], %singles : tensor<50xf32>, tensor<20xi64>, tensor<20xf32>
  %iota = nova.iota 1 : tensor<3x7xi64>
  %broadcast = nova.broadcast_in_dim %y dims = [0, 2] : tensor<5x7xf32> -> tensor<5x3x7xf32>
  %same = nova.reshape %y : tensor<5x7xf32> -> tensor<5x7xf32>
  %flat = nova.reshape %y : tensor<5x7xf32> -> tensor<35xf32>
  %integers = nova.transpose %i [1, 0] : tensor<5x7xi32>
  %table1 = nova.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %table2 = nova.concat %table1, %table1 axis = 0 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<6x2xf32>
  %table3 = nova.concat %table2, %table2 axis = 1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  return %transpose, %slice, %pad, %columns, %rows, %gather, %elements, %axis, %scatter, %scatter1, %iota, %broadcast,
         %same, %flat, %integers, %table3
    : tensor<33x5x70xf32>, tensor<2x17x33xf32>, tensor<9x22xf32>, tensor<5x15xf32>, tensor<10x7xf32>,
      tensor<4x5x36xf32>, tensor<20xf32>, tensor<50x20xf32>, tensor<50x36xf32>, tensor<50xf32>, tensor<3x7xi64>,
      tensor<5x3x7xf32>, tensor<5x7xf32>, tensor<35xf32>, tensor<7x5xi32>, tensor<6x4xf32>
}
