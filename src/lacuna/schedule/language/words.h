#pragma once

#include <span>
#include <string_view>

#include "lacuna/schedule/language/schedule.h"

namespace lacuna {

// The words that arguments of directives are chosen from. Each table lists the word that is printed for a value before
// the other words for it.

template <typename Value>
struct ScheduleWord {
  std::string_view text;
  Value value;
  bool alias = false;  // read, never printed
};

std::span<const ScheduleWord<concrete::Unit>> unit_words();
std::span<const ScheduleWord<concrete::Race>> race_words();
std::span<const ScheduleWord<concrete::Merge>> merge_words();
std::span<const ScheduleWord<concrete::BoundKind>> bound_words();
std::span<const ScheduleWord<directive::Assemble::Strategy>> assembly_words();
std::span<const ScheduleWord<concrete::Leaf>> leaf_words();
std::span<const ScheduleWord<directive::LoopFuse::Side>> side_words();
std::span<const ScheduleWord<directive::LoopFuse::Step::Kind>> step_words();

/// The word that is printed for a value.
template <typename Value>
std::string_view word_for(std::span<const ScheduleWord<Value>> words, Value value) {
  for (const ScheduleWord<Value>& word : words) {
    if (word.value == value) return word.text;
  }
  throw InternalError("internal error: a value of a directive that has no word");
}

}  // namespace lacuna
