#include "lacuna/distribute/comm/mpi_begun.h"

namespace lacuna {

void MpiBegun::call_off() {
  for (std::size_t k = 0; k < requests.size(); ++k)
    if (mpi().call_off(&requests[k]) != 0) --pieces[static_cast<std::size_t>(others[k])];
  forget();
}

MpiMessage::~MpiMessage() {
  if (mpi().is_over() != 0) return;
  for (MpiRequest& each : requests_) mpi().free_request(&each);
}

void MpiMessage::start() {
  for (MpiRequest& each : requests_) {  // in this order, as MPI_Startall need not
    mpi().start(&each);
    begun_.add(each, other_);
  }
  begun_.bytes += bytes_;
}

}  // namespace lacuna
