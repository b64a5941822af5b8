#include <iostream>

#include "lacuna/api/lacuna.h"

int main() {
  const lacuna::IndexVar i("i");
  const std::vector<double> numbers = {1, 2, 3};
  const auto x = lacuna::Tensor<double>::from_dense({3}, numbers);
  lacuna::Tensor<double> s;
  s() = x(i) * x(i);
  std::cout << s.value() << "\n";
  try {
    const lacuna::Tensor<double> tree({4, 4}, lacuna::parse_format("dense,btree", 2));
    std::cout << lacuna::sum(i, x(i)).captures().size() + 2 << "\n";
  } catch (const lacuna::Error& error) {
    std::cout << lacuna::describe_with_caret(error) << "\n";
  }
}
