#include "lacuna/distribute/comm/mpi_begun.h"

namespace lacuna {

void MpiBegun::call_off() {
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (requests[k] == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&requests[k]);
    MPI_Status status{};
    MPI_Wait(&requests[k], &status);
    int called_off = 0;
    MPI_Test_cancelled(&status, &called_off);
    if (called_off != 0) --pieces[static_cast<std::size_t>(others[k])];
  }
  forget();
}

MpiMessage::~MpiMessage() {
  if (mpi_is_over()) return;
  for (MPI_Request& each : requests_) MPI_Request_free(&each);
}

void MpiMessage::start() {
  for (MPI_Request& each : requests_) {  // MPI_Startall may begin with any of them
    MPI_Start(&each);
    begun_.add(each, other_);
  }
  begun_.bytes += bytes_;
}

}  // namespace lacuna
