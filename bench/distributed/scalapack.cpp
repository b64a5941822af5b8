#include "bench/distributed/scalapack.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lacuna/support/error.h"
#include "lacuna/tensor/build.h"

// ScaLAPACK comes without a header.
extern "C" {
void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridexit(int context);
void descinit_(int* descriptor, const int* m, const int* n, const int* mb, const int* nb, const int* row_source,
               const int* column_source, const int* context, const int* leading, int* info);
void pdgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
             const double* alpha, const double* a, const int* ia, const int* ja, const int* of_a, const double* b,
             const int* ib, const int* jb, const int* of_b, const double* beta, double* c, const int* ic, const int* jc,
             const int* of_c);
}

namespace lacuna::contest {
namespace {

struct Product {
  Ranks& ranks;
  int size, block;
  int context = -1;
  std::vector<int> rows = {};  // of this rank, in its order
  std::array<int, 9> descriptor = {};
  std::vector<double> b = {}, c = {}, a = {};

  Product(const Storage& of_b, const Storage& of_c, std::int64_t block_size, Ranks& all)
      : ranks(all), size(static_cast<int>(of_b.dimensions[0])), block(static_cast<int>(block_size)) {
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row", ranks.count(), 1);
    for (int r = 0; r < size; ++r)
      if (r / block % ranks.count() == ranks.rank()) rows.push_back(r);
    const int zero = 0, leading = std::max(1, static_cast<int>(rows.size()));
    int info = 0;
    descinit_(descriptor.data(), &size, &size, &block, &block, &zero, &zero, &context, &leading, &info);
    if (info != 0) throw RuntimeFailure(fmt::format("ScaLAPACK refuses argument {} of a descriptor", -info));
    b = mine(of_b);
    c = mine(of_c);
    a.resize(b.size());
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;
  ~Product() { Cblacs_gridexit(context); }

  /// By columns.
  std::vector<double> mine(const Storage& whole) const {
    const double* from = whole.values.view<double>().data();
    std::vector<double> part;
    for (std::int64_t j = 0; j < size; ++j)
      for (const int r : rows) part.push_back(from[std::int64_t{r} * size + j]);
    return part;
  }

  void run() {
    const double one = 1, zero = 0;
    const int first = 1;
    pdgemm_("N", "N", &size, &size, &size, &one, b.data(), &first, &first, descriptor.data(), c.data(), &first, &first,
            descriptor.data(), &zero, a.data(), &first, &first, descriptor.data());
  }

  Storage result() const {
    std::vector<double> by_rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t j = 0; j < static_cast<std::size_t>(size); ++j) by_rows.push_back(a[j * rows.size() + r]);
    const std::vector<std::int32_t> order = ranks.on_first(std::vector<std::int32_t>(rows.begin(), rows.end()));
    const std::vector<double> all = ranks.on_first(by_rows);
    if (!ranks.is_first()) return {};
    std::vector<double> whole(all.size());
    for (std::size_t r = 0; r < order.size(); ++r)
      std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(r) * size, size,
                  whole.begin() + static_cast<std::ptrdiff_t>(order[r]) * size);
    return adopt_dense({size, size}, Array::of<double>(whole), LevelMap::identity(2));
  }
};

}  // namespace

std::optional<Contestant> pdgemm(const Storage& b, const Storage& c, std::int64_t block, Ranks& ranks) {
  return contestant_of("ScaLAPACK pdgemm", std::make_shared<Product>(b, c, block, ranks));
}

}  // namespace lacuna::contest
