#include <cstring>
#include <vector>

#include "lacuna/loop/interpret/access.h"
#include "lacuna/support/check.h"

// Products of matrices and vectors, by the definition.
namespace lacuna::loop::interpreter {
namespace {

/// A matrix while a product runs.
struct View {
  Memory& memory;
  std::int64_t first, stride;
  bool transposed;

  std::int64_t place(std::int64_t row, std::int64_t column) const {
    return first + (transposed ? column * stride + row : row * stride + column);
  }
};

std::int64_t checked_place(const View& m, std::int64_t row, std::int64_t column, Machine& machine) {
  const std::int64_t place = m.place(row, column);
  if (place < 0 || place >= m.memory.count())
    machine.fail_with("element ({}, {}) of a matrix is at {}, outside {}, which has {} elements", row, column, place,
                      m.memory.name(), m.memory.count());
  return place;
}

template <typename T>
T read(const View& m, std::int64_t row, std::int64_t column, Machine& machine) {
  const std::int64_t place = checked_place(m, row, column, machine);
  if (m.memory.is_tracked() || machine.racing) check_read(m.memory, place, machine);
  T value;
  std::memcpy(&value, m.memory.data() + place * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <typename T>
void write(const View& m, std::int64_t row, std::int64_t column, T value, Machine& machine) {
  const std::int64_t place = checked_place(m, row, column, machine);
  if (m.memory.is_tracked() || machine.racing) check_write(m.memory, place, Access::Write, machine);
  std::memcpy(m.memory.data() + place * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
  m.memory.forget_sorted();
}

template <typename T>
Flow run_product(const Step& step, Machine& machine) {
  machine.current = step.source;
  const auto& node = std::get<MatrixProduct>(step.source->kind);
  std::vector<std::int64_t> numbers;
  for (const Code* code : *step.arguments) numbers.push_back(code->run(*code, machine).i);
  const View target{*machine.arrays[step.slot], numbers[0], numbers[1], false};
  const View left{*machine.arrays[step.other_slot], numbers[2], numbers[3], node.left.transposed};
  const View right{*machine.arrays[step.third_slot], numbers[4], numbers[5], node.right && node.right->transposed};
  const T scalar = step.a == nullptr ? T{1} : get<T>(step.a->run(*step.a, machine));
  const std::int64_t rows = numbers[6], columns = numbers[7], inner = numbers[8];
  if (rows < 0 || columns < 0 || inner < 0)
    machine.fail_with("a product of {} x {} and {} x {} matrices", rows, inner, inner, columns);
  if (rows > 1 && target.stride < columns)
    machine.fail_with("rows of {} columns are {} apart in {}", columns, target.stride, target.memory.name());
  for (std::int64_t r = 0; r < rows; r++) {
    for (std::int64_t c = 0; c < columns; c++) {
      T sum = node.adds ? read<T>(target, r, c, machine) : T{0};
      for (std::int64_t k = 0; k < inner; k++) {
        machine.count_step();
        T product = scalar * read<T>(left, r, k, machine);
        if (node.right) product *= read<T>(right, k, c, machine);
        sum += product;
      }
      write<T>(target, r, c, sum, machine);
    }
  }
  machine.operations += 2 * rows * columns * inner;
  const auto bytes = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t of_right = node.right ? inner * columns : 0;
  machine.bytes_loaded += (rows * inner + of_right + (node.adds ? rows * columns : 0)) * bytes;
  machine.bytes_stored += rows * columns * bytes;
  return Flow::Next;
}

template <typename T>
Value run_dot(const Code& code, Machine& machine) {
  std::vector<std::int64_t> numbers;
  for (const Code* each : *code.arguments) numbers.push_back(each->run(*each, machine).i);
  const View left{*machine.arrays[code.slot], numbers[0], numbers[1], false};
  const View right{*machine.arrays[code.other_slot], numbers[2], numbers[3], false};
  const std::int64_t count = numbers[4];
  if (count < 0) machine.fail_with("a dot product of {} elements", count);
  T sum{0};
  for (std::int64_t n = 0; n < count; n++) {
    machine.count_step();
    sum += read<T>(left, n, 0, machine) * read<T>(right, n, 0, machine);
  }
  machine.operations += 2 * count;
  machine.bytes_loaded += 2 * count * static_cast<std::int64_t>(sizeof(T));
  return put<T>(sum);
}

}  // namespace

Step::Run matrix_product_run(Type type) {
  internal_check(type == Type::Float32 || type == Type::Float64, "matrices of {} are multiplied", type_name(type));
  return type == Type::Float32 ? run_product<float> : run_product<double>;
}

Code::Run dot_run(Type type) {
  internal_check(type == Type::Float32 || type == Type::Float64, "vectors of {} are multiplied", type_name(type));
  return type == Type::Float32 ? run_dot<float> : run_dot<double>;
}

}  // namespace lacuna::loop::interpreter
