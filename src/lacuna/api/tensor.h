#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lacuna/api/element.h"
#include "lacuna/api/entries.h"
#include "lacuna/api/expression.h"
#include "lacuna/api/placed_format.h"
#include "lacuna/api/ranks.h"
#include "lacuna/api/tensor_core.h"
#include "lacuna/api/whole.h"
#include "lacuna/support/error.h"
#include "lacuna/tensor/convert.h"
#include "lacuna/tensor/value_at.h"

namespace lacuna {

/// An array that outlives the call: a named container, or a view of one. A temporary would leave a tensor dangling.
template <typename R>
concept BorrowableArray = std::ranges::contiguous_range<R> &&
    (std::is_lvalue_reference_v<R> || std::ranges::borrowed_range<R>);

/// A part of a tensor, a tensor by itself, whose coordinates count from 0: coordinate c of mode m here is
/// coordinates[m].number(c) of the whole.
template <Element T>
struct TensorPart {
  std::vector<IndexSet> coordinates;
  Tensor<T> entries;
};

/// A(i, j): converts to an expression where it is read, and is assigned to where it is written. Not to be kept: it
/// refers to its tensor.
template <Element T>
class TensorAccess {
 public:
  /// A(i) = e: A becomes the value of e, computed when it is first read. The operands are those of this moment: what
  /// happens to the tensors afterwards does not change A. Arrays of the program that a tensor borrows are another
  /// matter: they are read when A is computed, so what is written to them before that does change A.
  TensorAccess& operator=(const Expression& right) {
    tensor_.core_.assign(indices_, false, right);
    return *this;
  }
  TensorAccess& operator=(const TensorAccess& right) { return *this = Expression(right); }
  template <Element U>
  TensorAccess& operator=(const TensorAccess<U>& right) {
    return *this = Expression(right);
  }
  /// A(i) += e.
  TensorAccess& operator+=(const Expression& right) {
    tensor_.core_.assign(indices_, true, right);
    return *this;
  }
  TensorAccess& operator-=(const Expression& right) { return *this += -right; }
  TensorAccess(const TensorAccess&) = default;
  ~TensorAccess() = default;

  operator Expression() const { return tensor_.core_.access(indices_); }  // NOLINT(google-explicit-constructor)

 private:
  friend class Tensor<T>;
  TensorAccess(Tensor<T>& tensor, std::vector<IndexVar> indices) : tensor_(tensor), indices_(std::move(indices)) {}

  Tensor<T>& tensor_;
  std::vector<IndexVar> indices_;
};

/// A tensor of any order and format. Copies are independent of each other, and cheap: they share memory. Several
/// threads may read one tensor at once after evaluate(); changing it takes one thread alone.
template <Element T>
class Tensor {
 public:
  /// A tensor that takes dimensions and format from what is assigned to it.
  Tensor() : core_(type_of<T>()) {}
  /// A scalar. Throws Error for a value that T cannot hold, but for digits that it rounds.
  template <typename U>
  requires(std::is_same_v<U, T> || std::is_arithmetic_v<U>) explicit Tensor(U value)
      : core_(type_of<T>(), "", {}, Format()) {
    core_.insert({}, fitting(Scalar(value), type_of<T>()));
  }
  /// A dense tensor of zeros.
  explicit Tensor(std::initializer_list<std::int64_t> dimensions) : Tensor(std::vector<std::int64_t>(dimensions)) {}
  explicit Tensor(const std::vector<std::int64_t>& dimensions)
      : Tensor(dimensions, dense_format(static_cast<int>(dimensions.size()))) {}
  /// An empty tensor in a format. Throws Error when the format is for another order.
  Tensor(const std::vector<std::int64_t>& dimensions, const Format& format) : Tensor("", dimensions, format) {}
  /// The same with a name, for messages and for the generated code.
  Tensor(const std::string& name, const std::vector<std::int64_t>& dimensions, const Format& format)
      : core_(type_of<T>(), name, dimensions, format) {}
  /// One with a distribution; place() changes it.
  Tensor(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format) : Tensor("", dimensions, format) {}
  Tensor(const std::string& name, const std::vector<std::int64_t>& dimensions, const PlacedFormat& format)
      : Tensor(name, dimensions, format.format()) {
    place(format.distribution());
  }
  /// Takes over storage, whose arrays may be borrowed. Throws Error when it holds another type.
  explicit Tensor(Storage storage, const std::string& name = "") : core_(name, checked(std::move(storage))) {}

  /// What an expression over whole tensors gives, computed when it is first read: as A(i) = e of TensorAccess says.
  Tensor(const WholeExpression& right) : Tensor() { *this = right; }  // NOLINT(google-explicit-constructor)
  Tensor& operator=(const WholeExpression& right) {
    core_.assign(right.modes(), false, right.entry());
    return *this;
  }
  Tensor& operator+=(const WholeExpression& right) {
    const WholeExpression all = right.over(order());
    core_.assign(all.modes(), true, all.entry());
    return *this;
  }
  Tensor& operator-=(const WholeExpression& right) { return *this += -right; }
  operator WholeExpression() const {  // NOLINT(google-explicit-constructor)
    std::vector<IndexVar> modes(static_cast<std::size_t>(order()));
    const Expression entry = core_.access(modes);
    return {std::move(modes), entry};
  }

  /// One vector of coordinates a mode, and one of values; duplicates are summed.
  static Tensor from_coordinates(std::vector<std::int64_t> dimensions,
                                 const std::vector<std::vector<std::int64_t>>& coordinates,
                                 const std::vector<T>& values, const Format& format);
  // Tensors over arrays of the program are borrowed from it, not copied: `owner` keeps the arrays alive, or else the
  // program does, also while results that read them are not computed yet. What is written to a borrowed array shows in
  // every tensor that borrows it, and in results that were assigned before and are computed afterwards. So evaluate()
  // results first, or take a copy: from_dense(…).copied().

  /// Compressed rows over borrowed arrays. Any integer type serves for `pos` (rows + 1 positions) and `crd`. Throws
  /// Error unless they form a matrix, whose columns ascend within each row and do not repeat; positions and coordinates
  /// must not change afterwards.
  template <BorrowableArray Pos, BorrowableArray Crd, BorrowableArray Values>
  static Tensor from_csr(std::int64_t rows, std::int64_t columns, Pos&& pos, Crd&& crd, Values&& values,
                         const std::shared_ptr<const void>& owner = nullptr) {
    return from_csr(rows, columns, pos, crd, values, CoordinateOrder::Ascending, owner);
  }
  /// The same where columns do not ascend, as `order` says: CoordinateOrder::Unordered takes the arrays as they are,
  /// and CoordinateOrder::Sort copies them sorted, with the values of columns that repeat in a row added up.
  template <BorrowableArray Pos, BorrowableArray Crd, BorrowableArray Values>
  static Tensor from_csr(std::int64_t rows, std::int64_t columns, Pos&& pos, Crd&& crd, Values&& values,
                         CoordinateOrder order, const std::shared_ptr<const void>& owner = nullptr) {
    return Tensor(adopt_csr(rows, columns, borrow(pos, owner), borrow(crd, owner), borrow(values, owner), order));
  }
  /// The same by columns.
  template <BorrowableArray Pos, BorrowableArray Crd, BorrowableArray Values>
  static Tensor from_csc(std::int64_t rows, std::int64_t columns, Pos&& pos, Crd&& crd, Values&& values,
                         const std::shared_ptr<const void>& owner = nullptr) {
    return from_csc(rows, columns, pos, crd, values, CoordinateOrder::Ascending, owner);
  }
  template <BorrowableArray Pos, BorrowableArray Crd, BorrowableArray Values>
  static Tensor from_csc(std::int64_t rows, std::int64_t columns, Pos&& pos, Crd&& crd, Values&& values,
                         CoordinateOrder order, const std::shared_ptr<const void>& owner = nullptr) {
    return Tensor(adopt_csc(rows, columns, borrow(pos, owner), borrow(crd, owner), borrow(values, owner), order));
  }
  /// Coordinates of a matrix, sorted by rows and without duplicates (throws Error otherwise), in borrowed arrays.
  template <BorrowableArray Rows, BorrowableArray Columns, BorrowableArray Values>
  static Tensor from_coo(std::int64_t rows, std::int64_t columns, Rows&& row_of, Columns&& column_of, Values&& values,
                         const std::shared_ptr<const void>& owner = nullptr) {
    return from_coo(rows, columns, row_of, column_of, values, CoordinateOrder::Ascending, owner);
  }
  /// The same where they are in another order, as `order` says (from_csr).
  template <BorrowableArray Rows, BorrowableArray Columns, BorrowableArray Values>
  static Tensor from_coo(std::int64_t rows, std::int64_t columns, Rows&& row_of, Columns&& column_of, Values&& values,
                         CoordinateOrder order, const std::shared_ptr<const void>& owner = nullptr) {
    return Tensor(
        adopt_coo({rows, columns}, {borrow(row_of, owner), borrow(column_of, owner)}, borrow(values, owner), order));
  }
  /// Row-major values in a borrowed array.
  template <BorrowableArray Values>
  static Tensor from_dense(std::vector<std::int64_t> dimensions, Values&& values,
                           const std::shared_ptr<const void>& owner = nullptr) {
    const LevelMap row_major = LevelMap::identity(static_cast<int>(dimensions.size()));
    return Tensor(adopt_dense(std::move(dimensions), borrow(values, owner), row_major));
  }
  /// Reads a .mtx, .ttx, .tns, .rb, .npy or .npz file (also with .gz) in a format, or in the file's natural one. Throws
  /// Error for a value that T cannot hold: an imaginary part, a number out of range, or a fraction for integers.
  static Tensor read(const std::string& path, const std::optional<Format>& format = std::nullopt,
                     const std::string& name = "");
  /// The same on ranks, each of which reads some lines and gets its parts, and never has more of it. Collective.
  static Tensor read(const std::string& path, const PlacedFormat& format, Communicator& ranks,
                     const std::string& name = "");

  /// A tensor that ranks already hold in parts, which are used where they are, not copied: each rank gives its own, as
  /// tensors of the sizes that local_parts says, whose coordinates count from 0 in the part. Blocks that are not equal
  /// are placed as `blocks(x, {5, 9})` says:
  ///
  ///   PlacedFormat rows(csr_format(), Distribution({x, y}, M, {blocks(x, begins)}));
  ///   auto mine = Tensor<double>::from_csr(my_rows, n, pos, crd, values);  // arrays of this rank's program
  ///   auto A = Tensor<double>::from_parts({n, n}, rows, ranks, {mine}, "A");
  ///
  /// The program may write to the values, but not before statements that read them are evaluated: they are borrowed.
  /// Throws Error, on all ranks, where parts do not fit.
  static Tensor from_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format, Communicator& ranks,
                           const std::vector<Tensor>& parts, const std::string& name = "");
  /// Writes a file; its ending says the file format.
  void write(const std::string& path) const { core_.write(path); }
  /// The same on ranks: a partitioned tensor is written block by block (write_placed). The file is there when any rank
  /// returns. Where it cannot be written, all ranks throw the same error. Collective.
  void write(const std::string& path, Communicator& ranks) const { core_.write(path, ranks); }

  const std::string& name() const { return core_.name(); }
  int order() const { return static_cast<int>(dimensions().size()); }
  const std::vector<std::int64_t>& dimensions() const { return core_.dimensions(); }
  const Format& format() const { return core_.format(); }
  /// How many entries are stored (dense levels store all of theirs). Of a tensor in parts, nothing is gathered for it.
  std::int64_t stored() const { return core_.stored(); }

  // Changing entries. Where all levels of the format are dense or dynamic (and one is), they change in place, and
  // an update takes about as long as the level's own function. In all other formats insertions wait until the tensor is
  // read, and anything else builds the tensor again. What was computed from the tensor, or copied from it, does not
  // change: `const Tensor<double> snapshot = A;` shares memory until A's next update, which copies it. The copy must be
  // made by the thread that updates; then others may read it meanwhile.

  /// Adds `value` to the entry at a coordinate. Throws Error when it is outside, or where a level's file has no
  /// function for it.
  void insert(std::initializer_list<std::int64_t> coordinate, T value) {
    core_.insert({coordinate.begin(), coordinate.size()}, Scalar(value));
  }
  void insert(const std::vector<std::int64_t>& coordinate, T value) { core_.insert(coordinate, Scalar(value)); }
  /// Replaces the entry at a coordinate, or stores it where there is none. Returns whether it is new.
  bool assign(std::initializer_list<std::int64_t> coordinate, T value) {
    return core_.update(UpdateOperation::Assign, {coordinate.begin(), coordinate.size()}, Scalar(value));
  }
  bool assign(const std::vector<std::int64_t>& coordinate, T value) {
    return core_.update(UpdateOperation::Assign, coordinate, Scalar(value));
  }
  /// Takes the entry at a coordinate out. Returns whether there was one. Throws Error where the last level is dense.
  bool erase(std::initializer_list<std::int64_t> coordinate) {
    return core_.update(UpdateOperation::Erase, {coordinate.begin(), coordinate.size()});
  }
  bool erase(const std::vector<std::int64_t>& coordinate) { return core_.update(UpdateOperation::Erase, coordinate); }

  /// The same of many entries, by one vector of coordinates a mode, in any order; those of equal coordinates count in
  /// the order given. They are sorted, so that each row is looked up once. Throws Error, and then nothing has changed,
  /// when one is outside. Return how many entries are new, or of erase, how many there were.
  std::int64_t insert(const std::vector<std::vector<std::int64_t>>& coordinates, const std::vector<T>& values) {
    return core_.update(UpdateOperation::Add, coordinates, array_of(values));
  }
  std::int64_t assign(const std::vector<std::vector<std::int64_t>>& coordinates, const std::vector<T>& values) {
    return core_.update(UpdateOperation::Assign, coordinates, array_of(values));
  }
  std::int64_t erase(const std::vector<std::vector<std::int64_t>>& coordinates) {
    const std::size_t count = coordinates.empty() ? 0 : coordinates.front().size();
    return core_.update(UpdateOperation::Erase, coordinates,
                        Array::allocate(type_of<T>(), static_cast<std::int64_t>(count), true));
  }

  /// From now on, what was just assigned to this tensor follows `operand`, which the assignment reads:
  ///
  ///   y(i) = G(i, j) * x(j);
  ///   y.follow(G);
  ///   G.insert(edges, weights);  // y is what G(i, j) * x(j) gives now
  ///
  /// Each update of the operand adds to this tensor what it changes, which takes time for the entries updated and what
  /// they meet, not for all that is stored: batches take less than as many single updates. Of all else that the
  /// assignment reads, the values are those of when it was made. Integers are what a new evaluation would give,
  /// floating point within rounding, and as long as numbers are finite; to be rid of that, assign and follow again.
  /// Entries of this tensor stay where they were once, as stored zeros. It ends when either tensor is assigned to, and
  /// when this one is updated otherwise; copies do not follow.
  ///
  /// Throws Error, and nothing changes, unless the statement is linear in the operand (each term reads it once at most,
  /// outside functions), the operand is stored so that it changes in place, as is this tensor or it is dense, and it
  /// was assigned to but not read since.
  template <Element U>
  void follow(Tensor<U>& operand) {
    core_.follow(operand.core_);
  }

  /// A(i, j), to be read in an expression or assigned to. Throws Error for a wrong number of variables.
  template <std::same_as<IndexVar>... Vars>
  TensorAccess<T> operator()(const Vars&... vars) {
    return TensorAccess<T>(*this, {vars...});
  }
  template <std::same_as<IndexVar>... Vars>
  Expression operator()(const Vars&... vars) const {
    return core_.access({vars...});
  }

  /// Says where on a machine the parts of this tensor lie: statements that read or write it from now on run there, and
  /// move what they need. What is assigned to it is left there, in parts; whatever reads its entries gathers them, on
  /// all ranks that evaluated it, which have to read it together. Throws Error where its format does not allow the
  /// distribution.
  void place(const Distribution& distribution) { core_.place(distribution); }

  /// Makes one tensor of what each rank has put into this one: entries go to the ranks that hold the parts in which
  /// they are, and those at one coordinate are added up. What is inserted afterwards waits for the next time, which
  /// adds it. Without this, a tensor is the same on all ranks, which is checked where they compute with it. Collective.
  /// Throws Error where the tensor is not placed.
  ///
  ///   Tensor<double> A("A", {n, n}, rows);              // a placed format
  ///   for (const auto& [i, j, v] : mine) A.insert({i, j}, v);  // any entries, also those that lie elsewhere
  ///   A.contribute(ranks);
  void contribute(Communicator& ranks) { core_.contribute(ranks); }

  /// The parts of a placed tensor that this rank has, as they lie here: nothing is copied or gathered. Their order is
  /// that of local_parts. What was assigned to the tensor is computed, if it was not yet: then all ranks have to ask.
  /// Throws Error where the tensor does not lie in parts on these ranks.
  ///
  ///   for (const auto& part : y.parts(*ranks))
  ///     for (const auto& [at, v] : part.entries) use(part.coordinates[0].number(at[0]), v);
  std::vector<TensorPart<T>> parts(Communicator& ranks) const;

  // What this rank holds, as arrays, for programs that go on with them: its part of a tensor in parts, else the whole
  // tensor. What was assigned is computed, if it was not yet; nothing is gathered or copied, and arrays that were
  // borrowed (from_csr, from_parts) are the program's own. They stay until the tensor changes, or a statement that
  // reads it is evaluated; parts(ranks) keeps them longer. `part` counts the parts of this rank, as local_parts does:
  // it is needed where there are several. On a rank without parts, arrays are empty.
  //
  //   for (const double v : y.values()) use(v);
  //   const auto columns = A.coordinates<std::int32_t>(1);

  /// The values, one a position of the last level. Throws Error where they are in nodes of a dynamic level.
  std::span<const T> values(std::optional<std::size_t> part = std::nullopt) const {
    return view_of<T>(core_.values(part));
  }
  /// Where the children of each parent begin in a level, and where the last ones end. Throws Error where the level is
  /// neither compressed nor hashed, and naming the type that the array has where that is not Index.
  template <std::integral Index>
  std::span<const Index> positions(int level, std::optional<std::size_t> part = std::nullopt) const {
    return view_of<Index>(core_.positions(level, type_of<Index>(), part));
  }
  /// The coordinates of a level, by position; in a part, they count from its first one. Throws Error where the level
  /// is dense, bitmap or dynamic, and as positions does.
  template <std::integral Index>
  std::span<const Index> coordinates(int level, std::optional<std::size_t> part = std::nullopt) const {
    return view_of<Index>(core_.coordinates(level, type_of<Index>(), part));
  }

  /// Computes what was assigned, unless it is computed already; without it, the first read does. Returns times and
  /// notes.
  Report evaluate(const EvaluateOptions& options = {}) { return core_.evaluate(options); }
  /// The same into memory of the program, which the tensor borrows from then on: as many values as a dense result has,
  /// in its order. Throws Error unless the result is dense, has that many, and is not computed yet or on a machine.
  Report evaluate_into(std::span<T> values, const EvaluateOptions& options = {}) {
    return core_.evaluate_into(Array::borrow_to_write(type_of<T>(), values.data(), std::ssize(values)), options);
  }
  /// Every stage of compiling what was assigned, as text. Throws Error once it is computed.
  std::string explain(const EvaluateOptions& options = {}) const { return core_.explain(options); }
  /// The C text of the kernel behind this tensor. Throws Error when nothing was assigned.
  std::string c_code(const EvaluateOptions& options = {}) const { return core_.c_code(options); }

  /// The value at a coordinate, zero where nothing is stored. Throws Error when it is outside.
  T at(const std::vector<std::int64_t>& coordinate) const { return value_at(storage(), coordinate).template as<T>(); }
  /// The value of a scalar. Throws Error for a tensor with dimensions.
  T value() const {
    if (order() != 0)
      throw Error("value() is for scalars; this tensor has " + std::to_string(order()) + " dimension(s): use at({…})");
    return at({});
  }
  /// The stored entries, in storage order.
  EntryIterator<T> begin() const { return EntryIterator<T>(storage()); }
  std::default_sentinel_t end() const { return {}; }
  /// The arrays behind the tensor, computed if need be.
  const Storage& storage() const { return core_.storage(); }

  /// The same tensor in memory of its own: what is written later to arrays that this one borrows does not show in it.
  /// Tensors that are copied in the ordinary way share memory, borrowed arrays included.
  Tensor copied() const { return Tensor(with_own_arrays(storage()), name()); }
  /// The same tensor in another format, or of another type. Where nothing has to be changed, memory is shared.
  Tensor to(const Format& format) const { return Tensor(in_format(storage(), format), name()); }
  template <Element U>
  Tensor<U> as() const {
    return Tensor<U>(in_type(storage(), type_of<U>()), name());
  }
  /// Mode m of the result is mode permutation[m] of this; without one, the modes are reversed. Shares memory.
  Tensor transpose(std::vector<int> permutation = {}) const {
    if (permutation.empty()) {
      permutation.resize(static_cast<std::size_t>(order()));
      std::iota(permutation.rbegin(), permutation.rend(), 0);
    }
    return Tensor(lacuna::transpose(storage(), permutation));
  }
  /// Without stored zeros.
  Tensor drop_zeros() const { return Tensor(lacuna::drop_zeros(storage()), name()); }
  /// Same dimensions and the same values up to a relative tolerance, whatever the formats; stored zeros are as absent.
  bool equals(const Tensor& other, double tolerance = 0) const {
    return dimensions() == other.dimensions() && is_equal(storage(), other.storage(), tolerance);
  }

 private:
  friend class TensorAccess<T>;
  template <Element... Us>
  friend Report evaluate_together(const EvaluateOptions& options, const Tensor<Us>&... tensors);
  template <Element U>
  friend class Tensor;

  explicit Tensor(TensorCore core) : core_(std::move(core)) {}

  static Storage checked(Storage storage) {
    if (storage.type != type_of<T>())
      throw Error("a tensor of " + std::string(type_name(type_of<T>())) + " cannot hold values of type " +
                  std::string(type_name(storage.type)));
    return storage;
  }
  static Array array_of(const std::vector<T>& values) {
    Array array = Array::allocate(type_of<T>(), static_cast<std::int64_t>(values.size()), false);
    std::copy(values.begin(), values.end(), array.template mutable_view<T>().begin());
    return array;
  }
  template <typename Item>
  static std::span<const Item> view_of(const Array* array) {
    return array != nullptr ? array->view<Item>() : std::span<const Item>();
  }
  template <typename Range>
  static Array borrow(const Range& range, const std::shared_ptr<const void>& owner) {
    using Item = std::ranges::range_value_t<Range>;
    return Array::borrow(type_of<Item>(), std::ranges::data(range), static_cast<std::int64_t>(std::ranges::size(range)),
                         owner);
  }

  TensorCore core_;
};

template <Element T>
Tensor<T> Tensor<T>::from_coordinates(std::vector<std::int64_t> dimensions,
                                      const std::vector<std::vector<std::int64_t>>& coordinates,
                                      const std::vector<T>& values, const Format& format) {
  Tensor tensor(dimensions, format);
  if (coordinates.size() != dimensions.size()) {
    throw Error(std::to_string(dimensions.size()) + " dimension(s) need as many vectors of coordinates, not " +
                std::to_string(coordinates.size()));
  }
  for (const auto& mode : coordinates) {
    if (mode.size() == values.size()) continue;
    throw Error(std::to_string(values.size()) + " values need as many coordinates in every mode, not " +
                std::to_string(mode.size()));
  }
  std::vector<std::int64_t> coordinate(dimensions.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (std::size_t mode = 0; mode < dimensions.size(); ++mode) coordinate[mode] = coordinates[mode][k];
    tensor.core_.gather(coordinate, Scalar(static_cast<T>(values[k])));
  }
  return tensor;
}

template <Element T>
Tensor<T> Tensor<T>::read(const std::string& path, const PlacedFormat& format, Communicator& ranks,
                          const std::string& name) {
  return Tensor(TensorCore(name, read_parts(path, format, type_of<T>(), name, ranks), ranks));
}

template <Element T>
std::vector<TensorPart<T>> Tensor<T>::parts(Communicator& ranks) const {
  std::vector<TensorPart<T>> mine;
  for (auto& [coordinates, entries] : core_.parts_on(ranks))
    mine.push_back({std::move(coordinates), Tensor(std::move(entries), name())});
  return mine;
}

template <Element T>
Tensor<T> Tensor<T>::from_parts(const std::vector<std::int64_t>& dimensions, const PlacedFormat& format,
                                Communicator& ranks, const std::vector<Tensor>& parts, const std::string& name) {
  std::vector<Storage> storages;
  for (const Tensor& part : parts) storages.push_back(part.storage());
  return Tensor(TensorCore(name, adopted_parts(dimensions, format, type_of<T>(), storages, name, ranks), ranks));
}

template <Element T>
Tensor<T> Tensor<T>::read(const std::string& path, const std::optional<Format>& format, const std::string& name) {
  return Tensor(read_in_format(path, format, type_of<T>()), name);
}

/// Computes what was assigned to all of these tensors by one kernel, which goes through what they have in common once:
///
///   A(i, j) = B(i, j) + C(i, j);
///   D(i, j) = B(i, j) * C(i, j);
///   evaluate_together({}, A, D);  // B and C are merged once
///
/// Loops over variables of one name that visit the same become one; options.schedule is applied to each assignment.
/// Those that are computed already stay as they are. Where one of them runs on a machine, they are evaluated one after
/// the other, in this order, each by kernels of its own. Throws Error where one reads another of them, or, by one
/// kernel, adds to a diagonal.
template <Element... Ts>
Report evaluate_together(const EvaluateOptions& options, const Tensor<Ts>&... tensors) {
  return TensorCore::evaluate_together({&tensors.core_...}, options);
}

}  // namespace lacuna
