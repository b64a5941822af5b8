#include "lacuna/schedule/cost/ledger.h"

namespace lacuna::cost {

Work& Work::operator+=(const Work& o) {
  operations += o.operations;
  bytes_read += o.bytes_read;
  bytes_written += o.bytes_written;
  return *this;
}

void Ledger::read(const ArrayKey& array, double elements, int element_size) {
  const double bytes = times_ * elements * element_size;
  work().bytes_read += bytes;
  arrays_[array].read += bytes;
}

void Ledger::write(const ArrayKey& array, double elements, int element_size) {
  const double bytes = times_ * elements * element_size;
  work().bytes_written += bytes;
  arrays_[array].written += bytes;
}

}  // namespace lacuna::cost
