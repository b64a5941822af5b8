#include <algorithm>
#include <optional>

#include "lacuna/format/distribution/distribution.h"
#include "lacuna/format/distribution/resolve.h"
#include "lacuna/format/distribution/text_reader.h"
#include "lacuna/support/text_case.h"

namespace lacuna {

namespace {

using distribution::ClauseMistake;
using distribution::is_digit;
using distribution::is_letter;
using distribution::TextReader;

/// A recursive-descent reader of
///   text := [name ":"] clause {";" clause}          clause := {letter} "->" target {target}
///   target := letter ["%" number | "[" [number {"," number}] "]"] | "~" letter | "~" "(" letter {letter} ")"
///           | number | "*"
/// Each clause has names of its own.
class DistributionReader {
 public:
  DistributionReader(std::string_view text, const Machine& machine)
      : reader_("distribution", text), machine_(machine) {}

  NamedDistribution read() {
    const std::string name = tensor_name();
    std::optional<Distribution> distribution;
    int level = 0;
    do {
      const std::size_t begin = reader_.next();
      if (level == machine_.levels()) {
        reader_.fail({begin, reader_.text().size()}, "{} has {} level{}, so there is no use for another clause",
                     machine_.to_string(), level, level == 1 ? "" : "s");
      }
      read_clause(level);
      try {
        distribution = distribution ? distribution->then(tensor_, targets_) : Distribution(tensor_, machine_, targets_);
      } catch (const Error& error) {
        reader_.fail({begin, reader_.at()}, "{}", without_prefix(error.what()));
      }
      ++level;
    } while (reader_.take(';'));
    if (!reader_.at_end()) fail_at_target();
    return {name, *distribution};
  }

 private:
  static std::string without_prefix(const std::string& message) {
    const std::string prefix = "distribution: ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }

  [[noreturn]] void fail_at_target() {
    reader_.fail_here("expected a name, '~', a number or '*', found {}", reader_.found());
  }

  /// What stands before a colon.
  std::string tensor_name() {
    const std::size_t colon = reader_.text().find(':');
    if (colon == std::string_view::npos) return {};
    const std::string name(reader_.word());
    if (name.empty() || reader_.next() != colon) reader_.fail({0, colon}, "expected the name of a tensor before ':'");
    reader_.take(':');
    return name;
  }

  /// A letter that the tensor lacks means copies, but not one that differs by its case from one that the tensor has.
  DistVar target_variable() {
    const char letter = reader_.peek();
    std::string letters;
    for (const DistVar& v : tensor_) letters += v.letter();
    const std::size_t near = lower_case(letters).find(lower_case(letter));
    if (letters.find(letter) == std::string::npos && near != std::string::npos)
      reader_.fail_here("the tensor has no dimension {}; did you mean {}? For copies, write '*'", letter,
                        letters[near]);
    return variable();
  }

  DistVar variable() {
    const char letter = reader_.peek();
    reader_.take(letter);
    const auto known =
        std::find_if(known_.begin(), known_.end(), [&](const DistVar& v) { return v.letter() == letter; });
    return known != known_.end() ? *known : known_.emplace_back(letter);
  }

  void read_clause(int level) {
    known_.clear();
    tensor_.clear();
    targets_.clear();
    std::vector<SourceRange> tensor_ranges, target_ranges;
    const std::size_t begin = reader_.next();
    while (is_letter(reader_.peek())) {
      const std::size_t at = reader_.next();
      tensor_.push_back(variable());
      tensor_ranges.push_back({at, reader_.at()});
    }
    if (reader_.at_end()) reader_.fail_here("expected '->' after the tensor's dimensions, but the text ends");
    if (!reader_.take("->"))
      reader_.fail_here("expected a letter for each dimension of the tensor and then '->', found {}", reader_.found());
    while (!reader_.at_end() && reader_.peek() != ';') {
      const std::size_t at = reader_.next();
      targets_.push_back(target());
      target_ranges.push_back({at, reader_.at()});
    }
    if (targets_.empty())
      reader_.fail_here("after '->' comes a name, '~', a number or '*' for each dimension of the machine");
    try {
      distribution::resolve_clause(tensor_, targets_, machine_.level(level));
    } catch (const ClauseMistake& mistake) {
      SourceRange where{begin, reader_.at()};
      if (mistake.place == ClauseMistake::Place::Tensor) where = tensor_ranges[mistake.index];
      if (mistake.place == ClauseMistake::Place::Target) where = target_ranges[mistake.index];
      reader_.fail(where, "{}", mistake.message);
    }
  }

  DistTarget target() {
    const char next = reader_.peek();
    if (reader_.take('*')) return broadcast();
    if (reader_.take('~')) return counted();
    if (is_digit(next)) return coordinate();
    if (!is_letter(next)) fail_at_target();
    const DistVar name = target_variable();
    if (reader_.take('[')) return blocks(name, begins());
    if (!reader_.take('%')) return name;
    return cyclic(name, reader_.number("the length of a block, as in x%64,"));
  }

  std::vector<std::int64_t> begins() {
    std::vector<std::int64_t> all;
    if (reader_.take(']')) return all;
    do {
      all.push_back(reader_.number("where a block begins, as in x[5,9],"));
    } while (reader_.take(','));
    reader_.expect("]", "where the blocks begin");
    return all;
  }

  DistTarget coordinate() {
    const std::size_t begin = reader_.next();
    const std::int64_t value = reader_.number("a coordinate");
    const std::string_view digits = reader_.text().substr(begin, reader_.at() - begin);
    if (digits.size() > 1 && digits.front() == '0')
      reader_.fail({begin, reader_.at()}, "write {} as one number, or put spaces between the coordinates", digits);
    return value;
  }

  DistTarget counted() {
    std::vector<DistVar> fused;
    const bool in_brackets = reader_.take('(');
    if (!is_letter(reader_.peek())) reader_.fail_here("expected a name after '~', or names in brackets");
    do {
      fused.push_back(target_variable());
    } while (in_brackets && is_letter(reader_.peek()));
    if (in_brackets) reader_.expect(")", "the names");
    if (reader_.peek() == '%' || reader_.peek() == '[')
      reader_.fail_here("what is counted cannot be partitioned in blocks; leave out '{}' or '~'", reader_.peek());
    return nonzeros(std::move(fused));
  }

  TextReader reader_;
  const Machine& machine_;
  std::vector<DistVar> known_;  // in the clause at hand
  std::vector<DistVar> tensor_;
  std::vector<DistTarget> targets_;
};

}  // namespace

NamedDistribution parse_distribution(std::string_view text, const Machine& machine) {
  return DistributionReader(text, machine).read();
}

}  // namespace lacuna
