#include <array>
#include <string_view>

#include "lacuna/io/npy_header.h"
#include "lacuna/io/write.h"
#include "lacuna/io/zip_writer.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/convert.h"

namespace lacuna {
namespace {

std::string_view bytes_in(const Array& array) {
  return {static_cast<const char*>(array.data()), static_cast<std::size_t>(array.bytes())};
}

void add_vector(ZipWriter& archive, const std::string& name, const Array& array) {
  archive.add(name + ".npy", {npy_header_text(npy_type_name(array.type()), {array.size()}), bytes_in(array)});
}

}  // namespace

void check_npz(const std::string& name, int order) {
  if (order == 2) return;
  user_error("cannot write {}: .npz holds sparse matrices, and this is a tensor of order {}; {}", name, order,
             order == 0 ? ".tns and .npy can hold it" : ".ttx and .tns can hold it, and .npy if it is dense");
}

void write_npz(const Storage& tensor, TextWriter& out) {
  const bool by_columns = tensor.format == csc_format();
  const Storage matrix = convert(tensor, by_columns ? csc_format() : csr_format());
  ZipWriter archive([&](std::string_view bytes) { out.bytes(bytes); });
  add_vector(archive, "indices", matrix.levels[1].crd);
  add_vector(archive, "indptr", matrix.levels[1].pos);
  archive.add("format.npy", {npy_header_text("|S3", {}), by_columns ? "csc" : "csr"});
  add_vector(archive, "shape", Array::of<std::int64_t>(tensor.dimensions));
  add_vector(archive, "data", matrix.values);
  archive.finish();
}

}  // namespace lacuna
