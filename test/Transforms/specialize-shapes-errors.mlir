// RUN: nova-opt %s --nova-specialize-shapes="input-shapes=x=8x64,z=9223372036854775807x2" --split-input-file --verify-diagnostics

func.func @missing(%a: tensor<?x4xf32> {nova.name = "a"}) { // expected-error {{expected a shape for argument 'a' of @missing, whose type 'tensor<?x4xf32>' leaves it open; give one, such as a=8x4}}
  return
}

// -----

func.func @misfit(%x: tensor<?x4xf32> {nova.name = "x"}) { // expected-error {{expected a shape for argument 'x' of @misfit that fits its type 'tensor<?x4xf32>', found 'tensor<8x64xf32>'}}
  return
}

// -----

func.func @rank(%x: tensor<?xf32> {nova.name = "x"}) { // expected-error {{expected a shape for argument 'x' of @rank that fits its type 'tensor<?xf32>', found 'tensor<8x64xf32>'}}
  return
}

// -----

func.func @huge(%z: tensor<?x2xf32> {nova.name = "z"}) { // expected-error {{expected a shape for argument 'z' of @huge that memory can hold, found 'tensor<9223372036854775807x2xf32>'}}
  return
}

// -----

func.func @unknown(%x: tensor<?x64xf32> {nova.name = "x"}) -> tensor<?xf32> {
  %y = nova.iota 0 : tensor<?xf32> // expected-error {{expected sizes that follow from the arguments' shapes, found 'tensor<?xf32>'; write the size, or reshape to one that leaves a single size open}}
  return %y : tensor<?xf32>
}

// -----

func.func @elements(%x: tensor<?x64xf32> {nova.name = "x"}) -> tensor<?x7xf32> {
  %y = nova.reshape %x : tensor<?x64xf32> -> tensor<?x7xf32> // expected-error {{expected as many elements as in 'tensor<?x7xf32>', found 'tensor<8x64xf32>'}}
  return %y : tensor<?x7xf32>
}

// -----

// What a static type promised shows where it is not kept.
func.func @promise(%x: tensor<?x64xf32> {nova.name = "x"}, %y: tensor<4x64xf32>) -> tensor<4x64xf32> {
  // expected-error@+2 {{operands do not broadcast: axis 0 has sizes 8 and 4; sizes must be equal or 1}}
  // expected-error@+1 {{'nova.add' op failed to infer returned types}}
  %z = nova.add %x, %y : tensor<?x64xf32>, tensor<4x64xf32>
  return %z : tensor<4x64xf32>
}

// -----

func.func @itself(%x: tensor<?x64xf32> {nova.name = "x"}) -> tensor<?x64xf32> {
  %y = call @itself(%x) : (tensor<?x64xf32>) -> tensor<?x64xf32> // expected-error {{function @itself calls itself}}
  return %y : tensor<?x64xf32>
}
