#include "lacuna/codegen/c/requirements.h"

#include <fmt/format.h>

#include "lacuna/codegen/c/type_text.h"

namespace lacuna {

std::string Requirements::library(std::string_view name, Type result, Type argument, std::size_t arity) {
  const bool is_single = real_part_type(argument) == Type::Float32;
  std::string full = fmt::format("{}{}", name, is_single ? "f" : "");
  std::string parameters(c_type(argument));
  for (std::size_t k = 1; k < arity; k++) parameters += fmt::format(", {}", c_type(argument));
  prototypes_.insert(fmt::format("{} {}({});", c_type(result), full, parameters));
  return full;
}

std::string Requirements::matrix_product(Type type) {
  blas_ = true;
  std::string name = type == Type::Float32 ? "cblas_sgemm" : "cblas_dgemm";
  prototypes_.insert("enum { CblasRowMajor = 101, CblasNoTrans = 111, CblasTrans = 112 };");
  prototypes_.insert(fmt::format(
      "void {0}(int order, int trans_a, int trans_b, int m, int n, int k, {1} alpha, const {1} *a, int lda,\n"
      "    const {1} *b, int ldb, {1} beta, {1} *c, int ldc);",
      name, c_type(type)));
  return name;
}

std::string Requirements::vector(Type element, int lanes) {
  std::string name = fmt::format("lacuna_{}x{}", c_type(element), lanes);
  prototypes_.insert(fmt::format("typedef {} {} __attribute__((vector_size({}), aligned({}), may_alias));",
                                 c_type(element), name, lanes * size_of(element), size_of(element)));
  return name;
}

void Requirements::type(Type type) { bool_ |= type == Type::Bool; }

std::string Requirements::includes() const { return bool_ ? "#include <stdbool.h>\n\n" : "\n"; }

std::string Requirements::declarations() const {
  std::string result;
  if (infinity_) {
    result += "#ifndef INFINITY\n#define INFINITY __builtin_inff()\n#define NAN __builtin_nanf(\"\")\n#endif\n\n";
  }
  // <math.h> and <complex.h> declare far more, and take longer to read than a kernel takes to compile.
  for (const std::string& each : prototypes_) result += each + "\n";
  if (!prototypes_.empty()) result += "\n";
  return result;
}

}  // namespace lacuna
