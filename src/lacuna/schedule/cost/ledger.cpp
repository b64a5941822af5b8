#include "lacuna/schedule/cost/ledger.h"

namespace lacuna::cost {

Work& Work::operator+=(const Work& o) {
  operations += o.operations;
  bytes_read += o.bytes_read;
  bytes_written += o.bytes_written;
  return *this;
}

void Ledger::read(const ArrayKey& array, double elements, int element_size) {
  work().bytes_read += elements * element_size;
  arrays_[array].read += elements * element_size;
}

void Ledger::write(const ArrayKey& array, double elements, int element_size) {
  work().bytes_written += elements * element_size;
  arrays_[array].written += elements * element_size;
}

}  // namespace lacuna::cost
