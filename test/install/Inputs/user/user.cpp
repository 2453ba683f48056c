#include "Nova/Runtime/Bundle.h"
#include <cstdio>

int main() {
  nova::Result<nova::Bundle> bundle = nova::parseBundle("no bundle at all", "user.cpp");
  std::puts(bundle ? "a bundle" : bundle.error().message.c_str());
}
