#include <string_view>

#include "lacuna/io/npy_header.h"
#include "lacuna/io/write.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {

void check_npy(const std::string& name, bool is_dense) {
  if (is_dense) return;
  user_error(
      "cannot write {}: .npy holds dense arrays, and this tensor is sparse; store it as dense, or write .npz, "
      "which holds sparse matrices, or .ttx",
      name);
}

void write_npy(const Storage& tensor, TextWriter& out) {
  const Storage ordered = convert(tensor, dense_format(tensor.order()));
  out.bytes(npy_header_text(npy_type_name(tensor.type), tensor.dimensions));
  out.bytes({static_cast<const char*>(ordered.values.data()), static_cast<std::size_t>(ordered.values.bytes())});
}

}  // namespace lacuna
