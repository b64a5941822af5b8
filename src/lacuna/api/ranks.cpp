#include "lacuna/api/ranks.h"

#include <filesystem>

#include "lacuna/distribute/comm/together.h"
#include "lacuna/distribute/tensors/contribute.h"
#include "lacuna/distribute/tensors/read.h"

namespace lacuna {

std::vector<std::vector<IndexSet>> local_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format,
                                               const Communicator& ranks) {
  return parts_on(ranks, dimensions, format.format(), format.distribution());
}

DistributedTensorPtr read_parts(const std::string& path, const PlacedFormat& format, Type type, const std::string& name,
                                Communicator& ranks) {
  std::optional<EntryFile> file;
  together(ranks, {"opening " + path}, [&] {
    ReadOptions reading;
    reading.type = type;
    refuse_pipe(path, ranks);
    file.emplace(path, reading);
  });
  PlacedReadOptions options;
  options.format = format.format();
  const std::string spoken = name.empty() ? std::filesystem::path(path).stem().string() : name;
  return std::make_shared<const DistributedTensor>(read_placed(*file, format.distribution(), spoken, ranks, options));
}

DistributedTensorPtr adopted_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format, Type type,
                                   const std::vector<Storage>& parts, const std::string& name, Communicator& ranks) {
  return std::make_shared<const DistributedTensor>(
      adopted(dimensions, format.format(), type, format.distribution(), parts, name, ranks));
}

}  // namespace lacuna
