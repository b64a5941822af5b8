#include "lacuna/schedule/language/words.h"

#include <array>

namespace lacuna {

std::span<const ScheduleWord<concrete::Unit>> unit_words() {
  using concrete::Unit;
  static constexpr std::array<ScheduleWord<Unit>, 7> words{{
      {"CPUThread", Unit::CpuThread},
      {"CPUVector", Unit::CpuVector},
      {"GPUBlock", Unit::GpuBlock},
      {"GPUWarp", Unit::GpuWarp},
      {"GPUThread", Unit::GpuThread},
      {"NotParallel", Unit::Serial},
      {"Serial", Unit::Serial, true},
  }};
  return words;
}

std::span<const ScheduleWord<concrete::Race>> race_words() {
  using concrete::Race;
  static constexpr std::array<ScheduleWord<Race>, 5> words{{
      {"NoRaces", Race::NoRaces},
      {"Atomics", Race::Atomics},
      {"Temporary", Race::Temporary},
      {"ParallelReduction", Race::ParallelReduction},
      {"IgnoreRaces", Race::NoRaces, true},
  }};
  return words;
}

std::span<const ScheduleWord<concrete::Merge>> merge_words() {
  using concrete::Merge;
  static constexpr std::array<ScheduleWord<Merge>, 2> words{{
      {"TwoFinger", Merge::TwoFinger},
      {"Gallop", Merge::Gallop},
  }};
  return words;
}

std::span<const ScheduleWord<concrete::BoundKind>> bound_words() {
  using concrete::BoundKind;
  // TACO's words, which promise where a loop begins or ends. Loops begin at 0 here, so that what is left of the
  // promises about the beginning is the least extent.
  static constexpr std::array<ScheduleWord<BoundKind>, 7> words{{
      {"min", BoundKind::Min},
      {"max", BoundKind::Max},
      {"exact", BoundKind::Exact},
      {"MinExact", BoundKind::Min, true},
      {"MinConstraint", BoundKind::Min, true},
      {"MaxExact", BoundKind::Exact, true},
      {"MaxConstraint", BoundKind::Max, true},
  }};
  return words;
}

std::span<const ScheduleWord<directive::Assemble::Strategy>> assembly_words() {
  using Strategy = directive::Assemble::Strategy;
  static constexpr std::array<ScheduleWord<Strategy>, 2> words{{
      {"Append", Strategy::Append},
      {"Insert", Strategy::Insert},
  }};
  return words;
}

std::span<const ScheduleWord<concrete::Leaf>> leaf_words() {
  using concrete::Leaf;
  // C++'s names, DISTAL's among them, come last.
  static constexpr std::array<ScheduleWord<Leaf>, 15> words{{
      {"BLAS.gemm", Leaf::Gemm},
      {"BLAS.gemv", Leaf::Gemv},
      {"BLAS.ger", Leaf::Ger},
      {"BLAS.dot", Leaf::Dot},
      {"BLAS.axpy", Leaf::Axpy},
      {"gemm", Leaf::Gemm, true},
      {"gemv", Leaf::Gemv, true},
      {"ger", Leaf::Ger, true},
      {"dot", Leaf::Dot, true},
      {"axpy", Leaf::Axpy, true},
      {"BLAS::GeMM", Leaf::Gemm, true},
      {"BLAS::GeMV", Leaf::Gemv, true},
      {"BLAS::GeR", Leaf::Ger, true},
      {"BLAS::Dot", Leaf::Dot, true},
      {"BLAS::AXPY", Leaf::Axpy, true},
  }};
  return words;
}

std::span<const ScheduleWord<directive::LoopFuse::Side>> side_words() {
  using Side = directive::LoopFuse::Side;
  static constexpr std::array<ScheduleWord<Side>, 2> words{{{"left", Side::Left}, {"right", Side::Right}}};
  return words;
}

std::span<const ScheduleWord<directive::LoopFuse::Step::Kind>> step_words() {
  using Kind = directive::LoopFuse::Step::Kind;
  static constexpr std::array<ScheduleWord<Kind>, 2> words{{
      {"producer", Kind::Producer},
      {"consumer", Kind::Consumer},
  }};
  return words;
}

}  // namespace lacuna
