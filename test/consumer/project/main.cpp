#include <iostream>

#include "lacuna/api/lacuna.h"

int main() {
  const lacuna::IndexVar i("i");
  const std::vector<double> numbers = {1, 2, 3};
  const auto x = lacuna::Tensor<double>::from_dense({3}, numbers);
  lacuna::Tensor<double> s;
  s() = x(i) * x(i);
  std::cout << s.value() << "\n";
}
