// Truth values that are made up are 0 and 1, whatever the program says of its indices. Found by random program 0 of seed 1.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --quiet

func.func @truth(%x: tensor<20xi1> {nova.bound = 100 : i64}, %i: tensor<20xi8> {nova.bound = 1000 : i64})
    -> (tensor<20xi1>, tensor<20xi8>) {
  %y = nova.not %x : tensor<20xi1>
  %j = nova.neg %i : tensor<20xi8>
  return %y, %j : tensor<20xi1>, tensor<20xi8>
}
