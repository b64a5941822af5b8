#include <array>
#include <utility>

#include "lacuna/io/matrix_market_header.h"

namespace lacuna {
namespace {

struct GraphBlasName {
  Type type;
  std::string_view c_name;     // as LAGraph writes it
  std::string_view enum_name;  // as GraphBLAS names its types
};

constexpr std::array<GraphBlasName, type_count> names = {{
    {Type::Bool, "bool", "GrB_BOOL"},
    {Type::Int8, "int8_t", "GrB_INT8"},
    {Type::Int16, "int16_t", "GrB_INT16"},
    {Type::Int32, "int32_t", "GrB_INT32"},
    {Type::Int64, "int64_t", "GrB_INT64"},
    {Type::UInt8, "uint8_t", "GrB_UINT8"},
    {Type::UInt16, "uint16_t", "GrB_UINT16"},
    {Type::UInt32, "uint32_t", "GrB_UINT32"},
    {Type::UInt64, "uint64_t", "GrB_UINT64"},
    {Type::Float32, "float", "GrB_FP32"},
    {Type::Float64, "double", "GrB_FP64"},
    {Type::Complex64, "float complex", "GxB_FC32"},
    {Type::Complex128, "double complex", "GxB_FC64"},
}};

}  // namespace

std::optional<Type> parse_graphblas_type(std::string_view name) {
  const std::string wanted = lower_case(name);
  for (const GraphBlasName& known : names) {
    const std::string enum_name = lower_case(known.enum_name);
    if (wanted == known.c_name || wanted == enum_name || wanted == enum_name.substr(4)) return known.type;
  }
  if (wanted == "complex float" || wanted == "gxb_fc32_t") return Type::Complex64;
  if (wanted == "complex double" || wanted == "gxb_fc64_t") return Type::Complex128;
  return parse_type(wanted);
}

std::string graphblas_type_name(Type type) { return std::string(names[static_cast<std::size_t>(type)].c_name); }

}  // namespace lacuna
