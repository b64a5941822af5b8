#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lacuna/io/atomic_write.h"
#include "lacuna/loop/ir.h"
#include "lacuna/support/check.h"
#include "tools/command.h"
#include "tools/inputs.h"
#include "tools/on_machine.h"
#include "tools/problem.h"
#include "tools/reporting.h"
#include "tools/session.h"
#include "tools/version.h"
#include "tools/widths.h"

namespace lacuna::tool {
namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  Reporting reporting;
  StatementArguments statement;
  std::string output;
  std::vector<std::string> widths;
};

/// A folder (existing, or written with a slash) takes files named after the result; else the name is the files'.
fs::path base_of(const std::string& output, const std::string& result) {
  const bool folder = output.back() == '/' || fs::is_directory(output);
  fs::path base = folder ? fs::path(output) / result : fs::path(output);
  if (base.extension() == ".c" || base.extension() == ".h") base.replace_extension();
  return base;
}

/// The function is named after the files, as far as C allows. Throws Error for a name that C has.
std::string function_name(const fs::path& base) {
  const std::string wanted = base.filename().string();
  if (loop::is_name_of_c(wanted))
    user_error(
        "the kernel cannot be called '{0}', since C or the header of kernels has that name already; write it under "
        "another one, as -o {1}",
        wanted, (base.parent_path() / ("my_" + wanted)).string());
  return loop::NameSupply().unique(wanted);
}

/// The lines of a stage that begin with one of `openings`, as lines of a comment.
std::string quoted_lines(const std::string& stage, const std::vector<std::string>& openings) {
  std::istringstream lines(stage);
  std::string quoted;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    for (const std::string& opening : openings) {
      if (line.starts_with(opening)) quoted += "     " + line.substr(opening == "// " ? 3 : 0) + "\n";
    }
  }
  return quoted;
}

/// What a caller must know and the declarations cannot say.
std::string manual(const std::string& name, const std::map<std::string, std::string>& stages,
                   const std::vector<std::string>& notes) {
  std::string text = fmt::format("/* {}: a kernel made by Lacuna {}. It computes\n\n     {}\n", name, version(),
                                 stages.at("notation"));
  text += "   over these tensors, and temporaries of its own:\n\n" + quoted_lines(stages.at("concrete"), {"// "});
  text += "\n   and uses these fields of their descriptors, the result's first:\n\n" +
          quoted_lines(stages.at("loops"), {"in ", "inout ", "out "});
  text += R"(
   The caller fills the descriptors of the operands, the types of all arrays included. Of a result stored at any coordinate, or on the pattern of an operand,
   the caller also provides the values' memory, which need not be cleared; of other results the kernel allocates the arrays
   through the context, and the caller owns them afterwards. The result's descriptor then says how it is stored, so that another kernel may take it. The kernel
   returns LACUNA_OK, LACUNA_OUT_OF_MEMORY, or LACUNA_BAD_ARGUMENT where a descriptor has another format, type or width.
)";
  for (const std::string& note : notes) text += fmt::format("   Before the call: {}.\n", note);
  return text + "*/\n";
}

int export_statement(const ExportArguments& arguments) {
  if (arguments.output.empty()) user_error("-o needs a folder or a name, as -o spmv");
  const Problem problem = understand_on_one(arguments.statement, "export");
  Request request = request_of(problem, load_operands(problem, MissingInput::Empty));
  set_widths(request.operands, arguments.widths);
  const fs::path base = base_of(arguments.output, problem.result());
  std::map<std::string, std::string> stages;
  Options options;
  options.target.threads = problem.threads;
  options.target.blas = false;  // nobody should need a library that he did not ask for
  options.kernel_name = function_name(base);
  options.checks_arguments = true;
  options.on_stage = [&](const Stage& stage) { stages[stage.name] = stage.text; };
  Engine engine = make_engine();
  const Prepared prepared = engine.prepare(request, options);
  const std::vector<std::string>& notes = prepared.compile_report().notes;

  std::error_code failure;
  if (base.has_parent_path()) fs::create_directories(base.parent_path(), failure);
  if (failure) throw RuntimeFailure(fmt::format("cannot make {}: {}", base.parent_path().string(), failure.message()));
  // Both are written in full before either appears.
  AtomicFile header(base.string() + ".h");
  AtomicFile code(base.string() + ".c");
  header.append(manual(options.kernel_name, stages, notes));
  header.append(prepared.c_header());
  code.append(prepared.c_code());
  header.commit();
  code.commit();
  const bool is_named_alike = options.kernel_name == base.filename();
  write_json(arguments.reporting, {{"statement", problem.statement.text},
                                   {"files", {base.string() + ".c", base.string() + ".h"}},
                                   {"function", options.kernel_name},
                                   {"notes", notes}});
  if (arguments.reporting.in_words()) {
    fmt::print("wrote {0}.c and {0}.h{1}\n", base.string(),
               is_named_alike ? "" : fmt::format("; the function is called {}", options.kernel_name));
    print_notes(notes);
  }
  print_warnings(problem, engine);
  return Success;
}

}  // namespace

void add_export(CLI::App& root, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = root.add_subcommand("export", "Write a statement's kernel as C for your own program");
  command->footer(R"(
Example:
  lacuna export 'y(i) = A(i,j) * x(j)' -f A:csr -o spmv       writes spmv.c and spmv.h
  cc -O3 -fopenmp -c spmv.c
  lacuna export 'C(i,k) = A(i,j) * B(j,k)' -f A:csr -f B:csr --widths A:int64,int32 -o spgemm
                      takes an A that another kernel made: what kernels make has 64-bit positions
The files need nothing of Lacuna. The header declares the kernel and the structs that describe tensors.)");
  add_statement_options(*command, arguments->statement);
  hide_machine(*command);
  command->add_option("-o,--output", arguments->output, "a name for NAME.c and NAME.h, or a folder")
      ->required()
      ->type_name("NAME|DIR");
  command
      ->add_option(
          "--widths", arguments->widths,
          "integer types of an operand's position and coordinate arrays; those of results are int64, and int32 "
          "where the dimension allows it")
      ->type_name("NAME:POS,CRD")
      ->allow_extra_args(false);
  add_reporting_options(*command, arguments->reporting);
  command->callback([arguments, &action] { action = [arguments] { return export_statement(*arguments); }; });
}

}  // namespace lacuna::tool
