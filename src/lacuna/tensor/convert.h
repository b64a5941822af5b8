#pragma once

#include "lacuna/tensor/build.h"
#include "lacuna/tensor/storage.h"

namespace lacuna {

/// All stored entries (dense levels included), in storage order, coordinates by mode. `keep_zeros` false drops those
/// equal to zero.
CoordinateList coordinates_of(const Storage& tensor, bool keep_zeros = true, int threads = 1);

/// The same tensor in another format. Conversion follows semantics.md: from a tensor with some non-full level, every
/// stored entry is kept (explicit zeros, too); from an all-dense one into a format with non-full levels, zeros are
/// dropped. The same format, or one that promises less, shares all arrays; CSR and DCSR share all but the rows' part.
/// CSR and CSC turn into each other by dealing, dense tensors of different mode orders tile by tile. Everything else
/// goes through coordinates, which ordered tensors share, too; in the order of the target's levels they are only cut
/// into runs, as promised sorted ones are not looked at again.
Storage convert(const Storage& tensor, const Format& format, int threads = 1);

/// The same values as another element type (Scalar::convert's rules).
Storage convert_type(const Storage& tensor, Type type);

/// result(c[permutation[0]], c[permutation[1]], …) = tensor(c[0], c[1], …): mode m of the result is mode permutation[m]
/// of the tensor. Only the level map and dimensions change: arrays are shared.
Storage transpose(const Storage& tensor, const std::vector<int>& permutation);

/// Without entries whose value is zero (levels that are not full; dense levels keep theirs).
Storage drop_zeros(const Storage& tensor);

}  // namespace lacuna
