func.func @narrow(%x: tensor<40x65xbf16>, %y: tensor<40x65xbf16>, %b: tensor<65xbf16>) -> tensor<40xbf16> {
  %0 = nova.mul %x, %y : tensor<40x65xbf16>, tensor<40x65xbf16>
  %1 = nova.add %0, %b : tensor<40x65xbf16>, tensor<65xbf16>
  %2 = nova.tanh %1 : tensor<40x65xbf16>
  %3 = nova.reduce sum %2 over [1] : tensor<40x65xbf16>
  return %3 : tensor<40xbf16>
}

func.func @wide(%x: tensor<40x65xbf16>, %y: tensor<40x65xbf16>, %b: tensor<65xbf16>) -> tensor<40xbf16> {
  %xw = nova.cast %x : tensor<40x65xbf16> -> tensor<40x65xf32>
  %yw = nova.cast %y : tensor<40x65xbf16> -> tensor<40x65xf32>
  %bw = nova.cast %b : tensor<65xbf16> -> tensor<65xf32>
  %0 = nova.mul %xw, %yw : tensor<40x65xf32>, tensor<40x65xf32>
  %1 = nova.add %0, %bw : tensor<40x65xf32>, tensor<65xf32>
  %2 = nova.tanh %1 : tensor<40x65xf32>
  %3 = nova.reduce sum %2 over [1] : tensor<40x65xf32>
  %4 = nova.cast %3 : tensor<40xf32> -> tensor<40xbf16>
  return %4 : tensor<40xbf16>
}
