#include "lacuna/codegen/c/requirements.h"

#include <fmt/format.h>

#include "lacuna/codegen/c_family/type_text.h"

namespace lacuna {

std::string Requirements::library(std::string_view name, Type result, Type argument, std::size_t arity) {
  const bool is_single = real_part_type(argument) == Type::Float32;
  std::string full = fmt::format("{}{}", name, is_single ? "f" : "");
  std::string parameters(c_type(argument));
  for (std::size_t k = 1; k < arity; k++) parameters += fmt::format(", {}", c_type(argument));
  prototypes_.insert(fmt::format("{} {}({});", c_type(result), full, parameters));
  return full;
}

std::string Requirements::blas(std::string_view name, Type type, std::string_view result, std::string_view parameters) {
  blas_ = true;
  std::string full = fmt::format("cblas_{}{}", type == Type::Float32 ? 's' : 'd', name);
  prototypes_.insert(fmt::format("{} {}({});", result, full, fmt::format(fmt::runtime(parameters), c_type(type))));
  return full;
}

std::string Requirements::blas(loop::Routine routine, Type type) {
  if (routine != loop::Routine::Axpy)
    prototypes_.insert("enum { CblasRowMajor = 101, CblasNoTrans = 111, CblasTrans = 112 };");
  switch (routine) {
    case loop::Routine::Gemm:
      return blas("gemm", type, "void",
                  "int order, int trans_a, int trans_b, int m, int n, int k, {0} alpha, const {0} *a, int lda,\n"
                  "    const {0} *b, int ldb, {0} beta, {0} *c, int ldc");
    case loop::Routine::Gemv:
      return blas("gemv", type, "void",
                  "int order, int trans_a, int m, int n, {0} alpha, const {0} *a, int lda,\n"
                  "    const {0} *x, int incx, {0} beta, {0} *y, int incy");
    case loop::Routine::Ger:
      return blas("ger", type, "void",
                  "int order, int m, int n, {0} alpha, const {0} *x, int incx, const {0} *y, int incy,\n"
                  "    {0} *a, int lda");
    case loop::Routine::Axpy:
      return blas("axpy", type, "void", "int n, {0} alpha, const {0} *x, int incx, {0} *y, int incy");
  }
  throw InternalError("internal error: a routine of BLAS that has no prototype");
}

std::string Requirements::blas_dot(Type type) {
  return blas("dot", type, c_type(type), "int n, const {0} *x, int incx, const {0} *y, int incy");
}

std::string Requirements::vector(Type element, int lanes) {
  std::string name = fmt::format("lacuna_{}x{}", c_type(element), lanes);
  prototypes_.insert(fmt::format("typedef {} {} __attribute__((vector_size({}), aligned({}), may_alias));",
                                 c_type(element), name, lanes * size_of(element), size_of(element)));
  return name;
}

std::string Requirements::stream(Type element, int lanes) {
  const std::string type = vector(element, lanes), name = fmt::format("lacuna_stream_{}x{}", c_type(element), lanes);
  const int bytes = lanes * size_of(element);
  // Without a header: those of vector instructions take longer to read than a kernel takes to compile.
  const std::string builtin = fmt::format("__builtin_ia32_movnt{}{}", element == Type::Float64 ? "pd" : "ps",
                                          bytes == 16 ? "" : fmt::format("{}", bytes * 8));
  bool_ = true;
  streams_.insert(
      fmt::format("static inline void {0}({1} *to, {2} value, bool past_caches) {{\n"
                  "#if defined(__{3}__) && !defined(__clang__)\n"
                  "  if (past_caches && (uintptr_t)to % sizeof value == 0) {{\n"
                  "    {4}(to, value);\n"
                  "    return;\n"
                  "  }}\n"
                  "#else\n"
                  "  (void)past_caches;\n"
                  "#endif\n"
                  "  *({2} *)to = value;\n"
                  "}}\n",
                  name, c_type(element), type,
                  bytes == 64   ? "AVX512F"
                  : bytes == 32 ? "AVX"
                                : "SSE2",
                  builtin));
  return name;
}

std::string Requirements::end_of_streams() {
  streams_.insert(
      "static inline void lacuna_end_streams(void) {\n"
      "#if defined(__SSE2__)\n"
      "  __builtin_ia32_sfence();\n"
      "#endif\n"
      "}\n");
  return "lacuna_end_streams()";
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
  for (const std::string& each : streams_) result += each + "\n";
  return result;
}

}  // namespace lacuna
