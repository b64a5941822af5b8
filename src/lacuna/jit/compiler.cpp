#include "lacuna/jit/compiler.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "lacuna/jit/command.h"
#include "lacuna/jit/folder.h"
#include "lacuna/jit/subprocess.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace fs = std::filesystem;
namespace {

std::string shortened(std::string output) {
  constexpr std::size_t most = 4000;
  output.erase(output.find_last_not_of(" \n") + 1);
  return output.size() <= most ? output : output.substr(0, most) + "\n…";
}

/// Whether the words of a command start Zig's C compiler: "zig cc", "python3 -m ziglang cc".
bool is_zig(const std::vector<std::string>& words) {
  const auto cc = std::find(words.begin(), words.end(), "cc");
  return cc != words.end() && cc != words.begin() && fs::path(*std::prev(cc)).filename().string().starts_with("zig");
}

class Compiler {
 public:
  Compiler(const std::string& command, const std::vector<std::string>& flags) : words_(words_of_command(command)) {
    // Zig would build a C library first, which takes ten seconds, and check for what kernels count on, such as integers
    // that wrap. Kernels need no library of their own: this process has the functions that they call.
    const bool zig = is_zig(words_);
    words_.insert(words_.end(), flags.begin(), flags.end());
    if (zig) words_.insert(words_.end(), {"-ffreestanding", "-nostdlib", "-fno-sanitize=undefined"});
    else behind_.emplace_back("-lm");
  }

  ProcessResult compile(const fs::path& source, const std::vector<std::string>& libraries,
                        const fs::path& library) const {
    std::vector<std::string> argv = words_;
    argv.insert(argv.end(), {source.string(), "-o", library.string()});
    argv.insert(argv.end(), behind_.begin(), behind_.end());
    argv.insert(argv.end(), libraries.begin(), libraries.end());
    // What a compiler that is killed leaves goes with the folder.
    return run_process(argv, {{"TMPDIR", source.parent_path().string()}});
  }

  /// Whether it compiles what every C compiler does. No C++ compiler is one: it refuses this pointer.
  bool works_in(const fs::path& folder) const {
    const fs::path probe = folder / "probe.c";
    write_new_file(probe, "#include <stdint.h>\nint64_t *lacuna_probe(void *p) { int64_t *q = p; return q; }\n");
    return compile(probe, {}, folder / "probe.so").succeeded();
  }

 private:
  std::vector<std::string> words_;
  std::vector<std::string> behind_;  // the file
};

/// Whether the compiler found an error in the text itself. A header that is missing, a compiler that crashes, a full
/// disk and memory that runs out are no faults of the text.
bool is_blamed(const fs::path& source, const ProcessResult& result) {
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("undefined reference to") != std::string::npos) return true;
    const bool is_error =
        line.find(source.filename().string() + ":") != std::string::npos && line.find("error: ") != std::string::npos;
    if (is_error && line.find("fatal error: ") == std::string::npos &&
        line.find("internal compiler error: ") == std::string::npos)
      return true;
  }
  return false;
}

std::string failure_message(const std::string& compiler, const ProcessResult& result) {
  const std::string said = shortened(result.output);
  if (result.exit_status == 0)
    return fmt::format("the C compiler '{}' ended without a library; set LACUNA_CC to GCC or Clang{}{}", compiler,
                       said.empty() ? "" : ". It said:\n", said);
  return fmt::format("the C compiler '{}' failed (exit status {}){}{}", compiler, result.exit_status,
                     said.empty() ? " and said nothing; set LACUNA_CC to GCC or Clang"
                                  : "; is it GCC or Clang (LACUNA_CC), and are there memory and disk space? It said:\n",
                     said);
}

}  // namespace

std::string missing_compiler_message(const std::string& compiler) {
  return fmt::format(
      "there is no C compiler '{}', which kernels are compiled with: install one (on Debian: apt install gcc; for "
      "Python: pip install ziglang), or set LACUNA_CC to the name or path of GCC or Clang",
      compiler);
}

void compile_shared(const std::string& compiler, const std::vector<std::string>& flags,
                    const std::filesystem::path& source, const std::vector<std::string>& libraries,
                    const std::filesystem::path& library) {
  const Compiler run(compiler, flags);
  const ProcessResult result = run.compile(source, libraries, library);
  if (!result.started) {
    throw RuntimeFailure(fmt::format("{} ({})", missing_compiler_message(compiler), result.output));
  }
  if (result.signal != 0) {
    throw RuntimeFailure(fmt::format("the C compiler '{}' was killed by signal {}{}", compiler, result.signal,
                                     result.signal == 9 ? "; is there too little memory?" : ""));
  }
  std::error_code missing;
  if (result.exit_status == 0 && std::filesystem::file_size(library, missing) > 0 && !missing) return;
  if (is_blamed(source, result) && run.works_in(source.parent_path())) {
    throw InternalError(fmt::format("internal error: the C compiler '{}' refused a kernel (exit status {}):\n{}",
                                    compiler, result.exit_status, shortened(result.output)));
  }
  throw RuntimeFailure(failure_message(compiler, result));
}

}  // namespace lacuna
