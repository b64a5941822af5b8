#include "lacuna/compile/run/result.h"

#include <algorithm>
#include <limits>

#include "lacuna/compile/plan/check_size.h"
#include "lacuna/dynamic/memory/check_nodes.h"
#include "lacuna/dynamic/memory/copy_nodes.h"
#include "lacuna/runtime/kept_memory.h"
#include "lacuna/support/check.h"
#include "lacuna/tensor/build.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/nodes.h"

namespace lacuna {
namespace {

using concrete::Assembly;

std::int64_t checked_product(std::int64_t a, std::int64_t b, const concrete::Tensor& made) {
  std::int64_t product = 0;
  constexpr std::int64_t limit = std::int64_t{1} << 60;
  if (__builtin_mul_overflow(a, b, &product) || product > limit)
    user_error("{} would have more than 2^60 values in format {}: choose a sparse format for it", made.var.name(),
               made.format.to_string());
  return product;
}

/// Makes `array` what the kernel handed back for it.
void adopt(KernelOutputs& outputs, int level, DescriptorField field, Type type, std::int64_t size, Array& array,
           std::size_t number = 0) {
  const auto memory = std::find_if(outputs.arrays->begin(), outputs.arrays->end(), [&](const auto& m) {
    return m.level == level && m.field == field && m.array == number;
  });
  internal_check(memory != outputs.arrays->end() && (memory->data != nullptr || size == 0),
                 "the kernel did not hand back an array of level {}", level + 1);
  array.take_over(type, std::move(memory->data), size);
}

std::int64_t positions_of(const KernelOutputs& outputs, int level) {
  const auto count =
      std::find_if(outputs.counts->begin(), outputs.counts->end(), [&](const auto& c) { return c.level == level; });
  internal_check(count != outputs.counts->end(), "the kernel did not say how many positions level {} has", level + 1);
  return count->positions;
}

/// 64-bit positions as 32-bit ones, where they fit.
void narrow(Array& pos, KeptMemory* kept) {
  if (pos.empty() || pos.integer(pos.size() - 1) > std::numeric_limits<std::int32_t>::max()) return;
  const std::int64_t size = pos.size();
  const auto bytes = static_cast<std::size_t>(size) * sizeof(std::int32_t);
  OwnedMemory memory = kept != nullptr ? kept->take(bytes) : nullptr;
  if (memory == nullptr) memory.reset(allocate_unzeroed(bytes));
  if (memory == nullptr) throw RuntimeFailure(fmt::format("out of memory: {} bytes for positions", bytes));
  OwnedMemory wide = pos.release();
  const auto* from = static_cast<const std::int64_t*>(wide.get());
  std::transform(from, from + size, static_cast<std::int32_t*>(memory.get()),
                 [](std::int64_t p) { return static_cast<std::int32_t>(p); });
  pos.take_over(Type::Int32, std::move(memory), size);
  if (kept != nullptr) kept->give(std::move(wide));
}

void adopt_appended(const concrete::Tensor& made, Storage& t, KernelOutputs& outputs, KeptMemory* kept) {
  std::int64_t parents = 1;
  bool compressed_seen = false;
  for (int k = 0; k < t.order(); ++k) {
    LevelStorage& l = t.levels[static_cast<std::size_t>(k)];
    if (t.format.level(k).packed()) {
      l.positions = positions_of(outputs, k);
      adopt(outputs, k, DescriptorField::Pos, Type::Int64, parents + 1, l.pos);
      narrow(l.pos, kept);
      adopt(outputs, k, DescriptorField::Crd, made.widths[static_cast<std::size_t>(k)].crd, l.positions, l.crd);
      l.nonempty = compressed_seen;  // Append stores no parent without children
      compressed_seen = true;
    } else {
      l.positions = checked_product(parents, l.extent, made);
    }
    parents = l.positions;
  }
  internal_check(compressed_seen, "an appended result without a compressed level");
  adopt(outputs, 0, DescriptorField::Values, t.type, parents, t.values);
}

/// The memory of a dynamic level: the record says how much of the rest there is.
void adopt_nodes(Storage& t, int k, KernelOutputs& outputs) {
  LevelStorage& l = t.levels[static_cast<std::size_t>(k)];
  const schema::MemoryLayout layout = nodes::layout_of(t, k);
  l.nodes.assign(layout.arrays, Array::allocate(Type::UInt8, 0, false));
  adopt(outputs, k, DescriptorField::Nodes, Type::UInt8, layout.memory.size, l.nodes[0]);
  const nodes::LevelNodes record(nodes::arrays_of(t, k));
  if (record.memory(layout.full) != 0)
    throw RuntimeFailure(
        fmt::format("level {} of the result, {}, has more than 2^32 nodes of a type", k + 1, t.format.level(k).name()));
  for (const schema::NodeLayout& each : layout.nodes)
    adopt(outputs, k, DescriptorField::Nodes, Type::UInt8, record.memory(each.in_use.limit) * each.record.size,
          l.nodes[each.array], each.array);
  for (const schema::PoolLayout& each : layout.pools)
    for (const auto& [name, member] : each.members)
      adopt(outputs, k, DescriptorField::Nodes, member.slot.type, record.memory(each.in_use.limit),
            l.nodes[member.array], member.array);
}

/// Entries that are not dense have their numbers as positions, whatever stores them.
void adopt_with_nodes(const concrete::Tensor& made, Storage& t, KernelOutputs& outputs, KeptMemory* kept,
                      NodeChecks& checks) {
  std::int64_t parents = 1;
  for (int k = 0; k < t.order(); ++k) {
    LevelStorage& l = t.levels[static_cast<std::size_t>(k)];
    const LevelFormat& form = t.format.level(k);
    l.positions = form.full() ? checked_product(parents, l.extent, made) : positions_of(outputs, k);
    if (form.is_dynamic()) adopt_nodes(t, k, outputs);
    if (!form.full())  // no parent without children is stored
      l.nonempty = k > 0 && !t.format.level(k - 1).full();
    if (form.packed()) {
      adopt(outputs, k, DescriptorField::Pos, Type::Int64, parents + 1, l.pos);
      narrow(l.pos, kept);
      adopt(outputs, k, DescriptorField::Crd, made.widths[static_cast<std::size_t>(k)].crd, l.positions, l.crd);
    }
    parents = l.positions;
  }
  if (t.format.has_values_in_nodes()) t.values = Array::allocate(t.type, 0, false);
  else adopt(outputs, 0, DescriptorField::Values, t.type, parents, t.values);
  if (checks.is_due(parents)) check_filled_nodes(t);
}

/// Drops entries that are zero and were computed from no stored entry.
CoordinateList without_unstructural_zeros(const Storage& sums, const Storage& flags) {
  CoordinateList all = coordinates_of(sums);
  const CoordinateList marks = coordinates_of(flags);
  std::vector<std::int64_t> kept;
  for (std::int64_t n = 0; n < all.size(); ++n) {
    const auto* value = static_cast<const char*>(all.values.data()) + n * size_of(all.values.type());
    const auto* mark = static_cast<const char*>(marks.values.data()) + n * size_of(marks.values.type());
    if (!Scalar::load(all.values.type(), value).is_zero() || !Scalar::load(marks.values.type(), mark).is_zero())
      kept.push_back(n);
  }
  const auto pick = [&](const Array& from) {
    const auto width = static_cast<std::size_t>(size_of(from.type()));
    Array to = Array::allocate(from.type(), static_cast<std::int64_t>(kept.size()), false);
    for (std::size_t n = 0; n < kept.size(); ++n)
      std::copy_n(static_cast<const char*>(from.data()) + static_cast<std::size_t>(kept[n]) * width, width,
                  static_cast<char*>(to.mutable_data()) + n * width);
    return to;
  };
  for (Array& c : all.coordinates) c = pick(c);
  all.values = pick(all.values);
  return all;
}

Storage coalesced(const concrete::Tensor& made, const LoweredResult& lowered, const CheckedRequest& checked,
                  const Storage& t, KernelOutputs& outputs, int threads) {
  const Format format = array_format_of(checked.problem.result_format);
  const std::int64_t count = positions_of(outputs, 0);
  CoordinateList stream{t.dimensions, {}, {}};
  adopt(outputs, 0, DescriptorField::Values, t.type, count, stream.values);
  for (int m = 0; m < t.order(); ++m) {
    const int k = t.format.map().level_of(m);
    adopt(outputs, k, DescriptorField::Crd, made.widths[static_cast<std::size_t>(k)].crd, count,
          stream.coordinates.emplace_back());
  }
  BuildOptions options;
  options.threads = threads;
  if (!lowered.drops_zeros && !lowered.flags_in_present) return build(stream, format, options);
  const Format coo = coo_format(t.order());
  const Storage sums = convert_type(build(stream, coo, options), checked.problem.result_type);
  if (lowered.drops_zeros) {
    options.drop_zeros = true;
    return build(coordinates_of(sums), format, options);
  }
  Array flags;
  adopt(outputs, 0, DescriptorField::Present, Type::UInt8, count, flags);
  Array wide = Array::allocate(Type::Int64, count, false);
  for (std::int64_t n = 0; n < count; ++n)
    wide.mutable_view<std::int64_t>()[static_cast<std::size_t>(n)] =
        flags.view<std::uint8_t>()[static_cast<std::size_t>(n)];
  stream.values = wide;
  return build(without_unstructural_zeros(sums, build(stream, coo, options)), format, options);
}

Storage empty_result(const concrete::Tensor& r, const std::vector<std::int64_t>& dimensions) {
  Storage t;
  t.format = r.format;
  t.type = r.type;
  t.fill = Scalar::zero(r.type);
  t.dimensions = dimensions;
  return t;
}

/// Whether an earlier result has what empty_result() would say.
bool is_alike(const Storage& earlier, const concrete::Tensor& r, const std::vector<std::int64_t>& dimensions) {
  return earlier.type == r.type && earlier.dimensions == dimensions && earlier.format == r.format;
}

/// The earlier memory, if nobody else holds it.
Array reused(Array earlier, Type type, std::int64_t size) {
  if (earlier.is_sole() && earlier.data() != nullptr && earlier.type() == type && earlier.size() == size)
    return earlier;
  return Array::allocate(type, size, false);
}

/// A plan counts on it that each entry of the shared levels leads to something. It may be run on other operands.
void check_has_entries(const Storage& pattern, int shared) {
  for (int k = shared; k < pattern.order(); ++k) {
    const LevelFormat& form = pattern.format.level(k);
    internal_check((!form.packed() && !form.is_dynamic()) || pattern.levels[static_cast<std::size_t>(k)].nonempty,
                   "a kernel is run on an operand whose rows may be empty, as those that it was made for are not");
  }
}

/// The first levels of the operand, and dense ones under them. Nodes that are to hold the result's values are copied.
void share_pattern(const concrete::Tensor& r, const std::vector<std::int64_t>& dimensions, const Storage& pattern,
                   int threads, Storage& t) {
  Array earlier = std::move(t.values);
  if (!is_alike(t, r, dimensions)) t = empty_result(r, dimensions);
  t.levels.resize(static_cast<std::size_t>(r.format.order()));
  const auto shared = static_cast<std::size_t>(r.pattern_levels);
  check_has_entries(pattern, r.pattern_levels);
  for (std::size_t k = 0; k < shared; ++k) t.levels[k] = pattern.levels[k];
  if (t.format.has_values_in_nodes()) {
    t.levels.back() = nodes::with_other_values(pattern, r.format.order() - 1, r.type, threads);
    t.values = Array::allocate(r.type, 0, false);
    return;
  }
  std::int64_t positions = pattern.levels[shared - 1].positions;
  for (std::size_t k = shared; k < t.levels.size(); ++k) {
    LevelStorage& l = t.levels[k];
    l = {};
    l.extent = dimensions[static_cast<std::size_t>(r.format.map().mode_of(static_cast<int>(k)))];
    l.positions = positions = checked_product(positions, l.extent, r);
  }
  t.values = reused(std::move(earlier), r.type, positions);
}

/// Whether an earlier result, stored in place, can be written over as it is.
bool is_sole(const Storage& earlier) {
  return earlier.values.is_sole() &&
         std::all_of(earlier.levels.begin(), earlier.levels.end(),
                     [](const LevelStorage& l) { return l.present.data() == nullptr || l.present.is_sole(); });
}

/// For the next result, if nobody else holds them.
void lend_arrays(Storage& t, KeptMemory& kept) {
  const auto lend = [&](Array& array) {
    if (OwnedMemory memory = array.release()) kept.lend(std::move(memory));
  };
  for (LevelStorage& l : t.levels) {
    lend(l.pos);
    lend(l.crd);
    for (Array& nodes : l.nodes) lend(nodes);
  }
  lend(t.values);
}

/// What is left is an empty tensor, alike but without positions.
void forget_entries(Storage& t) {
  const auto forget = [](Array& array) {
    if (array.release() == nullptr && !array.empty()) array = {};
  };
  for (LevelStorage& l : t.levels) {
    l.origin = l.positions = 0;
    l.nonempty = false;
    for (Array* array : {&l.pos, &l.crd, &l.present}) forget(*array);
    for (Array& nodes : l.nodes) nodes = {};
  }
  forget(t.values);
}

/// Conversions trust what they read. The interpreter checks a kernel's every step, and so its result, too.
void check_well_made(const Storage& t) {
  try {
    validate(t, "the result");
  } catch (const Error& error) {
    throw InternalError(fmt::format("internal error: the kernel's result is not well made: {}", error.what()));
  }
}

/// A root for each coordinate of the dense levels above, where these are outermost.
void check_roots(const concrete::Tensor& made, const Storage& result, int level) {
  constexpr std::int64_t most = (std::int64_t{1} << 32) - 128;
  std::int64_t roots = 1;
  for (int k = 0; k < level && made.format.level(k).full(); ++k)
    roots = checked_product(roots, result.levels[static_cast<std::size_t>(k)].extent, made);
  if (roots > most)
    user_error(
        "{} would have {} roots in level {}, {}, more than 32-bit references distinguish: make the level above it "
        "compressed",
        made.var.name(), roots, level + 1, made.format.level(level).name());
}

}  // namespace

void prepare_result(const concrete::Tensor& r, const std::vector<std::int64_t>& dimensions, const Storage* pattern,
                    int threads, Storage& result, KeptMemory* kept) {
  if (pattern != nullptr) return share_pattern(r, dimensions, *pattern, threads, result);
  const bool alike = is_alike(result, r, dimensions);
  const bool in_place = r.assembly == Assembly::Random;
  if (alike && in_place && is_sole(result)) return;
  if (!in_place && kept != nullptr) lend_arrays(result, *kept);
  if (alike && !in_place) return forget_entries(result);
  check_size(r.var.name(), r.format, dimensions, r.type);
  result = empty_result(r, dimensions);
  std::int64_t positions = 1;
  for (int k = 0; k < r.format.order(); ++k) {
    LevelStorage l;
    l.extent = dimensions[static_cast<std::size_t>(r.format.map().mode_of(k))];
    if (r.format.level(k).is_dynamic()) check_roots(r, result, k);
    if (in_place) {
      positions = checked_product(positions, l.extent, r);
      l.positions = positions;
      if (r.format.level(k).has_present()) l.present = Array::allocate(Type::UInt8, positions, false);
    }
    result.levels.push_back(std::move(l));
    if (r.format.level(k).is_dynamic()) result.levels.back().nodes.resize(nodes::layout_of(result, k).arrays);
  }
  if (in_place) result.values = Array::allocate(r.type, positions, false);
}

void finish_result(const Plan& plan, std::size_t n, const CheckedRequest& checked, KernelOutputs& outputs, int threads,
                   Storage& result, KeptMemory* kept) {
  const concrete::Tensor& made = plan.scheduled.program.results()[n];
  if (made.assembly == Assembly::SharedPattern) {
    // Everything is there.
  } else if (result.format.has_nodes()) adopt_with_nodes(made, result, outputs, kept, *plan.node_checks);
  else if (made.assembly == Assembly::Append || made.assembly == Assembly::Insert)
    adopt_appended(made, result, outputs, kept);
  if (made.assembly == Assembly::Stream)
    result = coalesced(made, plan.lowered.results[n], checked, result, outputs, threads);
  if (plan.interpret) check_well_made(result);
  if (result.type != checked.problem.result_type) result = convert_type(result, checked.problem.result_type);
  if (result.format == checked.problem.result_format) return;
  check_size(made.var.name(), checked.problem.result_format, result.dimensions, result.type);
  result = convert(result, array_format_of(checked.problem.result_format), threads);
}

}  // namespace lacuna
