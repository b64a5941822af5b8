#include "bench/gpu/cusparse.h"

#include <dlfcn.h>

#include <array>
#include <vector>

#include <fmt/format.h>

#include "bench/kernels/arrays.h"
#include "lacuna/support/error.h"

// cuSPARSE's generic interface, as its manual declares it: no header of CUDA is needed to build. Its memory is that of
// the device that Lacuna opened, in the primary context that both use.
namespace lacuna::contest {
namespace {

using Handle = void*;
constexpr int index_32 = 2, base_zero = 0, real_64 = 1, as_it_is = 0, by_rows = 2;

struct Functions {
  int (*cudaDeviceSynchronize)() = nullptr;
  int (*cusparseCreate)(Handle* handle) = nullptr;
  int (*cusparseDestroy)(Handle handle) = nullptr;
  int (*cusparseCreateCsr)(Handle* matrix, std::int64_t rows, std::int64_t columns, std::int64_t stored, void* pos,
                           void* crd, void* values, int pos_type, int crd_type, int base, int type) = nullptr;
  int (*cusparseCreateDnVec)(Handle* vector, std::int64_t size, void* values, int type) = nullptr;
  int (*cusparseCreateDnMat)(Handle* matrix, std::int64_t rows, std::int64_t columns, std::int64_t stride, void* values,
                             int type, int order) = nullptr;
  int (*cusparseSpMV_bufferSize)(Handle handle, int op, const void* alpha, Handle a, Handle x, const void* beta,
                                 Handle y, int type, int algorithm, std::size_t* bytes) = nullptr;
  int (*cusparseSpMV)(Handle handle, int op, const void* alpha, Handle a, Handle x, const void* beta, Handle y,
                      int type, int algorithm, void* buffer) = nullptr;
  int (*cusparseSpMM_bufferSize)(Handle handle, int op_a, int op_x, const void* alpha, Handle a, Handle x,
                                 const void* beta, Handle y, int type, int algorithm, std::size_t* bytes) = nullptr;
  int (*cusparseSpMM)(Handle handle, int op_a, int op_x, const void* alpha, Handle a, Handle x, const void* beta,
                      Handle y, int type, int algorithm, void* buffer) = nullptr;
};

void check(int code, const char* what) {
  if (code != 0) throw RuntimeFailure(fmt::format("cuSPARSE cannot {}: status {}", what, code));
}

void* first_library(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
  return nullptr;
}

/// Memory of a device.
class Memory {
 public:
  Memory(Device& device, std::int64_t bytes) : device_(device), data_(device.allocate(bytes, true)) {
    if (data_ == nullptr) throw RuntimeFailure(fmt::format("the device has no memory for {} bytes", bytes));
  }
  Memory(Device& device, const void* from, std::int64_t bytes) : Memory(device, bytes) {
    device.write(data_, from, bytes);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { device_.release(data_); }
  void* data() const { return data_; }

 private:
  Device& device_;
  void* data_;
};

class Product : public CusparseProduct {
 public:
  Product(const Functions& functions, Handle handle, const Problem& problem, Device& device, int algorithm)
      : f_(functions),
        handle_(handle),
        device_(device),
        a_(compressed_rows(problem.operand("A"))),
        is_vector_(problem.operation == Operation::Spmv),
        columns_(is_vector_ ? 1 : problem.operand("X").dimensions[1]),
        algorithm_(algorithm),
        pos_(device, a_.pos, (a_.rows + std::int64_t{1}) * 4),
        crd_(device, a_.crd, std::int64_t{a_.stored()} * 4),
        values_(device, a_.values, std::int64_t{a_.stored()} * 8),
        x_(device, dense_values(problem.operand(is_vector_ ? "x" : "X")), a_.columns * columns_ * 8),
        y_(device, a_.rows * columns_ * 8) {
    check(f_.cusparseCreateCsr(&matrix_, a_.rows, a_.columns, a_.stored(), pos_.data(), crd_.data(), values_.data(),
                               index_32, index_32, base_zero, real_64),
          "describe a matrix");
    for (const auto& [at, rows, memory] : {std::tuple{&in_, a_.columns, x_.data()}, {&out_, a_.rows, y_.data()}})
      check(is_vector_ ? f_.cusparseCreateDnVec(at, rows, memory, real_64)
                       : f_.cusparseCreateDnMat(at, rows, columns_, columns_, memory, real_64, by_rows),
            "describe a dense operand");
    std::size_t bytes = 0;
    check(is_vector_ ? f_.cusparseSpMV_bufferSize(handle_, as_it_is, &one, matrix_, in_, &zero, out_, real_64,
                                                  algorithm_, &bytes)
                     : f_.cusparseSpMM_bufferSize(handle_, as_it_is, as_it_is, &one, matrix_, in_, &zero, out_, real_64,
                                                  algorithm_, &bytes),
          "say how much memory it needs");
    buffer_ = std::make_unique<Memory>(device, static_cast<std::int64_t>(bytes) + 1);
    device.wait();
  }

  void run() override {
    check(is_vector_ ? f_.cusparseSpMV(handle_, as_it_is, &one, matrix_, in_, &zero, out_, real_64, algorithm_,
                                       buffer_->data())
                     : f_.cusparseSpMM(handle_, as_it_is, as_it_is, &one, matrix_, in_, &zero, out_, real_64,
                                       algorithm_, buffer_->data()),
          "multiply");
    check(f_.cudaDeviceSynchronize(), "finish");
  }

  Storage result() const override {
    std::vector<double> y(static_cast<std::size_t>(a_.rows * columns_));
    device_.read(y_.data(), 0, y.data(), std::ssize(y) * 8);
    return is_vector_ ? dense_result({a_.rows}, y.data()) : dense_result({a_.rows, columns_}, y.data());
  }

 private:
  static constexpr double one = 1, zero = 0;

  const Functions& f_;
  Handle handle_;
  Device& device_;
  CompressedRows a_;
  bool is_vector_;
  std::int64_t columns_;
  int algorithm_;
  Memory pos_, crd_, values_, x_, y_;
  std::unique_ptr<Memory> buffer_;
  Handle matrix_ = nullptr, in_ = nullptr, out_ = nullptr;
};

class Opened : public Cusparse {
 public:
  Opened(const Functions& functions, Handle handle) : f_(functions), handle_(handle) {}
  ~Opened() override { f_.cusparseDestroy(handle_); }

  std::unique_ptr<CusparseProduct> product(const Problem& problem, Device& device, int algorithm) override {
    if (problem.operation != Operation::Spmv && problem.operation != Operation::Spmm) return nullptr;
    return std::make_unique<Product>(f_, handle_, problem, device, algorithm);
  }

 private:
  Functions f_;
  Handle handle_;
};

}  // namespace

std::shared_ptr<Cusparse> Cusparse::open(std::string& missing) {
  void* runtime = first_library({"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so"});
  void* library = first_library({"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so.11", "libcusparse.so"});
  missing = runtime == nullptr ? "libcudart" : library == nullptr ? "libcusparse" : "";
  if (!missing.empty()) return nullptr;
  Functions f;
  const auto find = [&](void* from, const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(from, name));
    if (function == nullptr) missing = name;
  };
  find(runtime, "cudaDeviceSynchronize", f.cudaDeviceSynchronize);
  find(library, "cusparseCreate", f.cusparseCreate);
  find(library, "cusparseDestroy", f.cusparseDestroy);
  find(library, "cusparseCreateCsr", f.cusparseCreateCsr);
  find(library, "cusparseCreateDnVec", f.cusparseCreateDnVec);
  find(library, "cusparseCreateDnMat", f.cusparseCreateDnMat);
  find(library, "cusparseSpMV_bufferSize", f.cusparseSpMV_bufferSize);
  find(library, "cusparseSpMV", f.cusparseSpMV);
  find(library, "cusparseSpMM_bufferSize", f.cusparseSpMM_bufferSize);
  find(library, "cusparseSpMM", f.cusparseSpMM);
  if (!missing.empty()) return nullptr;
  Handle handle = nullptr;
  check(f.cusparseCreate(&handle), "begin");
  return std::make_shared<Opened>(f, handle);
}

}  // namespace lacuna::contest
