#include "lacuna/compile/plan/diagonal.h"

#include <algorithm>
#include <cstring>

#include "lacuna/notation/operators.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

/// A name that nothing in the request has.
std::string fresh_name(const Request& request) {
  const std::vector<IndexVar> variables = all_variables(request.statement);
  std::string name = "diagonal";
  const auto taken = [&] {
    return request.operands.count(name) > 0 ||
           std::any_of(variables.begin(), variables.end(), [&](const IndexVar& v) { return v.name() == name; });
  };
  while (taken()) name += "_";
  return name;
}

bool on_diagonal(const CoordinateList& list, std::int64_t entry, const Access& lhs) {
  for (std::size_t a = 0; a < lhs.indices.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (lhs.indices[a] == lhs.indices[b] && list.coordinates[a].integer(entry) != list.coordinates[b].integer(entry))
        return false;
  return true;
}

/// The elements of `a` whose numbers are listed, then all of `b`.
Array joined(const Array& a, const std::vector<std::int64_t>& kept, const Array& b) {
  internal_check(a.type() == b.type(), "arrays of {} and {} are joined", type_name(a.type()), type_name(b.type()));
  const auto width = static_cast<std::size_t>(size_of(a.type()));
  Array all = Array::allocate(a.type(), static_cast<std::int64_t>(kept.size()) + b.size(), false);
  auto* to = static_cast<char*>(all.mutable_data());
  for (const std::int64_t n : kept) {
    std::memcpy(to, static_cast<const char*>(a.data()) + static_cast<std::size_t>(n) * width, width);
    to += width;
  }
  if (!b.empty()) std::memcpy(to, b.data(), static_cast<std::size_t>(b.bytes()));
  return all;
}

}  // namespace

bool updates_diagonal(const Statement& s) {
  if (!s.accumulate) return false;
  for (std::size_t a = 0; a < s.lhs.indices.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (s.lhs.indices[a] == s.lhs.indices[b]) return true;
  return false;
}

Request diagonal_request(const Request& request) {
  Request made = request;
  const Access& lhs = request.statement.lhs;
  made.statement.lhs = Access{TensorVar(fresh_name(request), lhs.tensor.order()), lhs.indices};
  made.statement.accumulate = false;
  made.statement.rhs = make_expr(lhs) + request.statement.rhs;
  made.statement.text.clear();
  made.result_format = coo_format(lhs.tensor.order());
  made.result_type = request.result_type.value_or(request.operands.at(lhs.tensor.name()).type);
  return made;
}

Storage with_diagonal(const Storage& old, const Storage& diagonal, const Access& lhs, const Format& format, Type type,
                      int threads) {
  BuildOptions options;
  options.threads = threads;
  // What is stored several times is summed in its own type. Zeros of a full tensor are no entries of a sparse one.
  const Storage summed =
      convert_type(build(coordinates_of(old, true, threads), coo_format(old.order()), options), type);
  CoordinateList all = coordinates_of(summed, !old.format.is_dense(), threads);
  const CoordinateList made = coordinates_of(diagonal, true, threads);
  std::vector<std::int64_t> kept;
  for (std::int64_t n = 0; n < all.size(); ++n)
    if (!on_diagonal(all, n, lhs)) kept.push_back(n);
  for (std::size_t m = 0; m < all.coordinates.size(); ++m)
    all.coordinates[m] = joined(all.coordinates[m], kept, made.coordinates[m]);
  all.values = joined(all.values, kept, made.values);
  return build(all, array_format_of(format), options);
}

}  // namespace lacuna
