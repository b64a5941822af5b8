#pragma once

#include <cstdint>
#include <string_view>

// How loops are run: what directives say, and what the loops of a program say.
namespace lacuna::concrete {

/// What runs the iterations of a loop. On a device, blocks of threads or warps, which are threads that run in step, may
/// run some, and the threads of each the iterations of loops inside.
enum class Unit : std::uint8_t { Serial, CpuThread, CpuVector, GpuBlock, GpuWarp, GpuThread };

/// Whether threads of a device run the iterations, alone or together.
constexpr bool on_device(Unit unit) {
  return unit == Unit::GpuBlock || unit == Unit::GpuWarp || unit == Unit::GpuThread;
}
/// Whether threads run the iterations, of a processor or of a device.
constexpr bool on_threads(Unit unit) { return unit == Unit::CpuThread || on_device(unit); }

/// What keeps parallel iterations that add to one place apart (semantics.md, "Determinism").
enum class Race : std::uint8_t {
  NoRaces,            // there are none: proved before the schedule is accepted
  Atomics,            // each addition is atomic
  Temporary,          // each thread adds to an array of its own; these are added up at the end
  ParallelReduction,  // each thread adds to a scalar of its own; these are added up at the end
};

/// How a loop over several ordered levels finds what they have in common.
enum class Merge : std::uint8_t { TwoFinger, Gallop };

/// A call of BLAS that takes the place of a nest of loops; all of the nest's loops say so. What each computes: leaf.h.
enum class Leaf : std::uint8_t { None, Gemm, Gemv, Ger, Dot, Axpy };

/// How the iterations of a loop are run; never what they compute.
struct Execution {
  Unit unit = Unit::Serial;
  Race race = Race::NoRaces;
  Merge merge = Merge::TwoFinger;
  Leaf leaf = Leaf::None;
  bool row_piece = false;  // sums of a piece of a row are collected in registers (row_piece.h)
  int unroll = 0;          // 0: the C compiler decides
  int prefetch = 0;        // how many turns ahead what its coordinates lead to is asked for; 0: not at all
  bool operator==(const Execution&) const = default;
};

/// What is promised of a variable's extent.
enum class BoundKind : std::uint8_t { Min, Max, Exact };

/// The words of schedules: "CPUThread", "NoRaces", …
std::string_view name_of(Unit unit);
std::string_view name_of(Race race);
std::string_view name_of(Merge merge);
std::string_view name_of(Leaf leaf);

}  // namespace lacuna::concrete
