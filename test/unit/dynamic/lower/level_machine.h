#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lacuna/dynamic/lower/dynamic_level.h"
#include "lacuna/dynamic/schema/level.h"
#include "lacuna/loop/interpret.h"

// Runs the functions of a level on memory that the test can look into.
namespace lacuna::dynamic {

/// What one step of a history does to a tree.
enum class Op : std::int32_t { Make, Find, Assign, Add, Erase, AppendFirst, AppendRest, Build, Check };

struct Step {
  Op op;
  std::int64_t tree = 0;
  std::int64_t coordinate = 0;  // of Build: the number of steps that follow and hold its elements
  double value = 0;
};

/// What a step returned: `place` of Find, Assign and Add, 0 or 1 of Erase and Check; the entry at the place.
struct Outcome {
  std::int64_t place = nothing;
  std::int64_t coordinate = -1;
  double value = 0;
};

/// A level file's functions with a kernel that takes steps, and the memory of some trees.
class LevelMachine {
 public:
  /// How a module is run on bindings; in the interpreter when there is none.
  using Runner = std::function<void(const std::vector<loop::Binding>&)>;

  LevelMachine(const std::string& text, const std::string& name, Type coordinate = Type::Int32);

  const Structure& structure() const { return level_->structure(); }
  const schema::NodeSchema& schema() const { return stored_; }
  const DynamicLevel& level() const { return *level_; }
  const loop::Module& module() const { return module_; }
  void run_by(Runner runner) { runner_ = std::move(runner); }

  /// Takes all steps in one run, with as much memory as callers promise (where one step changes arrays without bound;
  /// several may need more) and no more. Expects no limit to be reached.
  std::vector<Outcome> take(const std::vector<Step>& steps);

  /// The roots of the trees, by number.
  const std::vector<std::uint32_t>& roots() const { return roots_; }
  /// The bytes of the memory that a variable of `structure()` is.
  const std::vector<std::byte>& memory(const loop::Var& var) const { return memory_.at(var.name()); }
  std::int64_t memory_field(const std::string& field, std::int64_t slot = 0) const;

 private:
  loop::Module make_module();
  void make_room(const std::vector<Step>& steps);
  void set_memory_field(const std::string& field, std::int64_t value);

  std::shared_ptr<const schema::LevelDefinition> definition_;
  std::shared_ptr<const schema::LevelProgram> program_;
  schema::NodeSchema stored_;
  std::unique_ptr<DynamicLevel> level_;
  loop::Module module_;
  std::unique_ptr<loop::Interpreter> interpreter_;
  Runner runner_;
  std::map<std::string, std::vector<std::byte>> memory_;
  std::vector<std::uint32_t> roots_;
};

/// Reads an integer field of a record from bytes.
std::int64_t integer_at(const loop::Record& record, const std::vector<std::byte>& bytes, std::uint32_t index,
                        const std::string& field, std::int64_t slot = 0);
double real_at(const loop::Record& record, const std::vector<std::byte>& bytes, std::uint32_t index,
               const std::string& field, std::int64_t slot = 0);

}  // namespace lacuna::dynamic
