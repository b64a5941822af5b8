/* What follows calls.h in the text that is compiled with mpicc, when a program first uses ranks. */
#include <mpi.h>
#include <string.h>

_Static_assert(sizeof(MPI_Comm) <= sizeof(lacuna_mpi_comm), "a communicator is wider than its place");
_Static_assert(sizeof(MPI_Request) <= sizeof(lacuna_mpi_request), "a request is wider than its place");

static MPI_Comm comm_of(lacuna_mpi_comm kept) {
  MPI_Comm comm;
  memcpy(&comm, &kept, sizeof comm);
  return comm;
}

static lacuna_mpi_comm kept_comm(MPI_Comm comm) {
  lacuna_mpi_comm kept = {0};
  memcpy(&kept, &comm, sizeof comm);
  return kept;
}

static MPI_Request request_of(lacuna_mpi_request kept) {
  MPI_Request request;
  memcpy(&request, &kept, sizeof request);
  return request;
}

static lacuna_mpi_request kept_request(MPI_Request request) {
  lacuna_mpi_request kept = {0};
  memcpy(&kept, &request, sizeof request);
  return kept;
}

static lacuna_mpi_message message_of(const MPI_Status* status) {
  lacuna_mpi_message message = {status->MPI_TAG, 0};
  MPI_Get_count(status, MPI_BYTE, &message.bytes);
  return message;
}

static int source_of(int from) { return from == LACUNA_MPI_ANY ? MPI_ANY_SOURCE : from; }
static int tag_of(int tag) { return tag == LACUNA_MPI_ANY ? MPI_ANY_TAG : tag; }

static int is_begun(void) {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag;
}

static int is_over(void) {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag;
}

static void begin(void) {
  int provided = 0;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
}

static void end(void) { MPI_Finalize(); }

static int may_call(void) {
  int provided = MPI_THREAD_SINGLE, is_main = 0;
  MPI_Query_thread(&provided);
  MPI_Is_thread_main(&is_main);
  return is_main || provided >= MPI_THREAD_SERIALIZED;
}

static lacuna_mpi_comm world(void) { return kept_comm(MPI_COMM_WORLD); }
static int is_null(lacuna_mpi_comm comm) { return comm_of(comm) == MPI_COMM_NULL; }

static int joins_two_groups(lacuna_mpi_comm comm) {
  int flag = 0;
  MPI_Comm_test_inter(comm_of(comm), &flag);
  return flag;
}

static lacuna_mpi_comm duplicate(lacuna_mpi_comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm_of(comm), &copy);
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_ARE_FATAL);
  return kept_comm(copy);
}

static void free_comm(lacuna_mpi_comm kept) {
  MPI_Comm comm = comm_of(kept);
  MPI_Comm_free(&comm);
}

static int rank(lacuna_mpi_comm comm) {
  int mine = 0;
  MPI_Comm_rank(comm_of(comm), &mine);
  return mine;
}

static int ranks(lacuna_mpi_comm comm) {
  int count = 1;
  MPI_Comm_size(comm_of(comm), &count);
  return count;
}

static void abort_all(lacuna_mpi_comm comm, int exit_code) { MPI_Abort(comm_of(comm), exit_code); }

static lacuna_mpi_request begin_send(const void* data, int bytes, int to, int tag, lacuna_mpi_comm comm) {
  MPI_Request request;
  MPI_Isend(data, bytes, MPI_BYTE, to, tag, comm_of(comm), &request);
  return kept_request(request);
}

static lacuna_mpi_request begin_receive(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm) {
  MPI_Request request;
  MPI_Irecv(data, bytes, MPI_BYTE, from, tag, comm_of(comm), &request);
  return kept_request(request);
}

static lacuna_mpi_request persistent_send(const void* data, int bytes, int to, int tag, lacuna_mpi_comm comm) {
  MPI_Request request;
  MPI_Send_init(data, bytes, MPI_BYTE, to, tag, comm_of(comm), &request);
  return kept_request(request);
}

static lacuna_mpi_request persistent_receive(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm) {
  MPI_Request request;
  MPI_Recv_init(data, bytes, MPI_BYTE, from, tag, comm_of(comm), &request);
  return kept_request(request);
}

static void start(lacuna_mpi_request* kept) {
  MPI_Request request = request_of(*kept);
  MPI_Start(&request);
  *kept = kept_request(request);
}

static void free_request(lacuna_mpi_request* kept) {
  MPI_Request request = request_of(*kept);
  MPI_Request_free(&request);
  *kept = kept_request(request);
}

/* One after the other: a request that waits lets all others move. */
static void wait_all(lacuna_mpi_request* requests, int count) {
  for (int k = 0; k < count; ++k) {
    MPI_Request request = request_of(requests[k]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    requests[k] = kept_request(request);
  }
}

/* MPI_Test of a request that is done already, null or persistent, says again that it is done. */
static int test_all(lacuna_mpi_request* requests, int count) {
  int all = 1;
  for (int k = 0; k < count; ++k) {
    MPI_Request request = request_of(requests[k]);
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    requests[k] = kept_request(request);
    all &= done;
  }
  return all;
}

static int call_off(lacuna_mpi_request* kept) {
  MPI_Request request = request_of(*kept);
  if (request == MPI_REQUEST_NULL) return 0;
  MPI_Status status;
  int called_off = 0;
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &called_off);
  *kept = kept_request(request);
  return called_off;
}

static lacuna_mpi_message probe(int from, int tag, lacuna_mpi_comm comm) {
  MPI_Status status;
  MPI_Probe(source_of(from), tag_of(tag), comm_of(comm), &status);
  return message_of(&status);
}

static int is_there(int from, int tag, lacuna_mpi_comm comm, lacuna_mpi_message* message) {
  MPI_Status status;
  int flag = 0;
  MPI_Iprobe(source_of(from), tag_of(tag), comm_of(comm), &flag, &status);
  if (flag) *message = message_of(&status);
  return flag;
}

static void take(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm) {
  MPI_Recv(data, bytes, MPI_BYTE, from, tag, comm_of(comm), MPI_STATUS_IGNORE);
}

static void gather_all(const void* mine, int bytes, void* all, lacuna_mpi_comm comm) {
  MPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm_of(comm));
}

static void gather_all_sizes(const void* mine, int bytes, void* all, const int* sizes, const int* begins,
                             lacuna_mpi_comm comm) {
  MPI_Allgatherv(mine, bytes, MPI_BYTE, all, sizes, begins, MPI_BYTE, comm_of(comm));
}

static void exchange_all(const void* to_each, int bytes, void* from_each, lacuna_mpi_comm comm) {
  MPI_Alltoall(to_each, bytes, MPI_BYTE, from_each, bytes, MPI_BYTE, comm_of(comm));
}

const lacuna_mpi_calls* lacuna_mpi(void) {
  static const lacuna_mpi_calls calls = {
      .is_begun = is_begun,
      .is_over = is_over,
      .begin = begin,
      .end = end,
      .may_call = may_call,
      .world = world,
      .is_null = is_null,
      .joins_two_groups = joins_two_groups,
      .duplicate = duplicate,
      .free_comm = free_comm,
      .rank = rank,
      .ranks = ranks,
      .abort = abort_all,
      .begin_send = begin_send,
      .begin_receive = begin_receive,
      .persistent_send = persistent_send,
      .persistent_receive = persistent_receive,
      .start = start,
      .free_request = free_request,
      .wait_all = wait_all,
      .test_all = test_all,
      .call_off = call_off,
      .probe = probe,
      .is_there = is_there,
      .take = take,
      .gather_all = gather_all,
      .gather_all_sizes = gather_all_sizes,
      .exchange_all = exchange_all,
  };
  return &calls;
}
