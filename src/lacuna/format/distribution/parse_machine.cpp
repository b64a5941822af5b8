#include "lacuna/format/distribution/machine.h"
#include "lacuna/format/distribution/text_reader.h"
#include "lacuna/support/text_case.h"

namespace lacuna {

namespace {

using distribution::TextReader;

ProcessorKind read_kind(TextReader& reader) {
  const std::size_t begin = reader.next();
  const std::string_view word = reader.word();
  for (const ProcessorKind kind :
       {ProcessorKind::Process, ProcessorKind::Socket, ProcessorKind::Gpu, ProcessorKind::Thread}) {
    if (same_word(word, plural_name(kind))) return kind;
  }
  reader.fail({begin, reader.at()}, "unknown kind of processors \"{}\"; known are processes, sockets, gpus and threads",
              word);
}

Grid read_grid(TextReader& reader) {
  const std::size_t begin = reader.next();
  if (!same_word(reader.word(), "Grid")) {
    reader.fail({begin, reader.at()}, "expected a grid, as in Grid(4,4)");
  }
  reader.expect("(", "Grid");
  std::vector<std::int64_t> sizes;
  do {
    sizes.push_back(reader.number("the size of a dimension"));
  } while (reader.take(','));
  reader.expect(")", "the sizes");
  try {
    const Grid grid(sizes);
    const std::size_t after = reader.next();
    const std::string_view word = reader.word();
    if (word.empty()) return grid;
    if (!same_word(word, "of"))
      reader.fail({after, reader.at()}, "expected ',' and another grid or 'of' and a kind of processors");
    return grid.of(read_kind(reader));
  } catch (const Error& error) {
    if (error.where().known()) throw;
    reader.fail({begin, reader.at()}, "{}", error.what());
  }
}

}  // namespace

Machine parse_machine(std::string_view text) {
  TextReader reader("machine", text);
  std::vector<Grid> grids;
  // As programs write it, Machine(Grid(2,2), Grid(2)), too.
  TextReader ahead = reader;
  const bool is_wrapped = same_word(ahead.word(), "Machine");
  if (is_wrapped) {
    reader = ahead;
    reader.expect("(", "Machine");
  }
  do {
    grids.push_back(read_grid(reader));
  } while (reader.take(','));
  if (is_wrapped) reader.expect(")", "the grids");
  if (!reader.at_end()) reader.fail_here("unexpected '{}' after the machine", reader.peek());
  try {
    return Machine(std::move(grids));
  } catch (const Error& error) {
    reader.fail({0, text.size()}, "{}", error.what());
  }
}

}  // namespace lacuna
