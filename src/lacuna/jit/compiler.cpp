#include "lacuna/jit/compiler.h"

#include <fmt/format.h>

#include "lacuna/jit/subprocess.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

std::string shortened(const std::string& output) {
  constexpr std::size_t most = 4000;
  return output.size() <= most ? output : output.substr(0, most) + "\n…";
}

}  // namespace

std::string missing_compiler_message(const std::string& compiler) {
  return fmt::format(
      "there is no C compiler '{}', which kernels are compiled with: install one (on Debian: apt install gcc), or set "
      "LACUNA_CC to the name or path of GCC or Clang",
      compiler);
}

void compile_shared(const std::string& compiler, const std::vector<std::string>& flags,
                    const std::filesystem::path& source, const std::vector<std::string>& libraries,
                    const std::filesystem::path& library) {
  std::vector<std::string> argv = {compiler};
  argv.insert(argv.end(), flags.begin(), flags.end());
  argv.insert(argv.end(), {source.string(), "-o", library.string(), "-lm"});
  for (const std::string& each : libraries) argv.push_back("-l:" + each);
  const ProcessResult result = run_process(argv);
  if (!result.started) {
    throw RuntimeFailure(fmt::format("{} ({})", missing_compiler_message(compiler), result.output));
  }
  if (result.signal != 0) {
    throw RuntimeFailure(fmt::format("the C compiler '{}' was killed by signal {}{}", compiler, result.signal,
                                     result.signal == 9 ? "; is there too little memory?" : ""));
  }
  std::error_code missing;
  if (result.exit_status != 0 || std::filesystem::file_size(library, missing) == 0 || missing) {
    throw InternalError(fmt::format(
        "internal error: the C compiler '{}' refused a kernel (exit status {}; LACUNA_CC must name GCC or Clang):\n{}",
        compiler, result.exit_status, shortened(result.output)));
  }
}

}  // namespace lacuna
