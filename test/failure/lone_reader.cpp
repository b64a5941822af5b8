// A program that is wrong: its first rank reads by itself what all ranks hold in parts.

#include <cstdio>

#include "lacuna/api/lacuna.h"

int main() {
  using namespace lacuna;
  try {
    const std::unique_ptr<Communicator> ranks = world();
    const Machine machine{Grid(2)};
    const DistVar x;
    Tensor<double> a("a", {4}, PlacedFormat(dense_format(1), Distribution({x}, machine, {x}))), b({4});
    const IndexVar i("i");
    a(i) = b(i) * 2.0;
    a.evaluate({.ranks = ranks.get()});
    if (ranks->rank() == 0) std::printf("%f\n", a.at({0}));
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "lacuna: error: %s\n", error.what());
    return 2;
  }
}
