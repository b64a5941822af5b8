#pragma once

#include <optional>
#include <string>

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/storage.h"

// What Tensor<T> does with whole tensors, whatever their type.
namespace lacuna {

struct FileContents;  // io/io.h

/// `convert` and `convert_type` of tensor/, for formats with dynamic levels as well, whose nodes a kernel of the
/// default engine fills.
Storage in_format(const Storage& tensor, const Format& format);
Storage in_type(const Storage& tensor, Type type);
/// With copies of all arrays of levels and values, so that none is borrowed. Nodes of dynamic levels never are.
Storage with_own_arrays(Storage tensor);
/// `build`, for these formats, too.
Storage built(const CoordinateList& entries, const Format& format, const BuildOptions& options = {});
/// What a file held, in a format: that of an array without zeros, where the format does not store all of it.
Storage stored_from(const FileContents& contents, const Format& format);
/// What a file holds, in a format or in the file's natural one. Throws as read_file does.
Storage read_in_format(const std::string& path, const std::optional<Format>& format, Type type);
/// Whether tensors have the same dimensions and the same values up to a relative tolerance.
bool is_equal(const Storage& a, const Storage& b, double tolerance);

/// The value. Throws Error where the type cannot hold it.
Scalar fitting(const Scalar& value, Type type);

}  // namespace lacuna
