#include "lacuna/distribute/mpi/library.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "lacuna/distribute/mpi/calls_text.h"
#include "lacuna/jit/command.h"
#include "lacuna/jit/jit.h"
#include "lacuna/support/environment.h"
#include "lacuna/support/error.h"

namespace lacuna {
namespace {

CompiledKernel compiled(const Environment& environment) {
  const std::string& compiler = environment.mpi_compiler;
  if (!find_program(words_of_command(compiler).front()))
    throw RuntimeFailure(fmt::format(
        "there is no '{}', by which Lacuna finds MPI: install MPI (on Debian: apt install libopenmpi-dev), or set "
        "LACUNA_MPICC to the mpicc of the MPI that this program runs with",
        compiler));
  JitOptions options = jit_options(environment);
  options.compiler = compiler;
  options.keep_folder.clear();  // it is no kernel
  try {
    return Jit(options).load(std::string(mpi_calls_text()), "lacuna_mpi");
  } catch (const RuntimeFailure& failure) {
    throw RuntimeFailure(fmt::format("LACUNA_MPICC or mpicc, by which Lacuna finds MPI: {}", failure.what()));
  }
}

}  // namespace

const lacuna_mpi_calls& mpi() {
  // Never unloaded: MPI cannot be.
  static const CompiledKernel& library = *new CompiledKernel(compiled(read_environment()));
  using Calls = const lacuna_mpi_calls* (*)();
  static const lacuna_mpi_calls& calls =
      *reinterpret_cast<Calls>(reinterpret_cast<void (*)()>(library.entry()))();  // which is not an entry of a kernel
  return calls;
}

bool program_has_begun_mpi() {
  using Initialized = int (*)(int*);
  const auto initialized = reinterpret_cast<Initialized>(::dlsym(RTLD_DEFAULT, "MPI_Initialized"));
  int flag = 0;
  if (initialized != nullptr) initialized(&flag);
  return flag != 0;
}

}  // namespace lacuna
