/* The calls of MPI's that ranks make, as functions that do not name MPI's types: calls.c has them, compiled for the MPI
   of this computer. Messages are of bytes; no count is above 2^30. */
#ifndef LACUNA_MPI_CALLS_H
#define LACUNA_MPI_CALLS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An MPI_Comm, and an MPI_Request: a pointer in Open MPI, a number in MPICH. */
typedef struct {
  uint64_t bits;
} lacuna_mpi_comm;
typedef struct {
  uint64_t bits;
} lacuna_mpi_request;

/* A message that has come. */
typedef struct {
  int tag, bytes;
} lacuna_mpi_message;

enum { LACUNA_MPI_ANY = -1 }; /* rank, or tag */

typedef struct {
  int (*is_begun)(void);
  int (*is_over)(void);
  /* MPI_Init_thread for calls by the thread that began, and MPI_Finalize. */
  void (*begin)(void);
  void (*end)(void);
  /* Whether MPI allows this thread to call it. */
  int (*may_call)(void);

  lacuna_mpi_comm (*world)(void);
  int (*is_null)(lacuna_mpi_comm comm);
  int (*joins_two_groups)(lacuna_mpi_comm comm);
  /* Collective. In what is returned, an error of MPI's ends the program. */
  lacuna_mpi_comm (*duplicate)(lacuna_mpi_comm comm);
  void (*free_comm)(lacuna_mpi_comm comm);
  int (*rank)(lacuna_mpi_comm comm);
  int (*ranks)(lacuna_mpi_comm comm);
  void (*abort)(lacuna_mpi_comm comm, int exit_code);

  lacuna_mpi_request (*begin_send)(const void* data, int bytes, int to, int tag, lacuna_mpi_comm comm);
  lacuna_mpi_request (*begin_receive)(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm);
  /* Persistent ones, which do not move before they are started. */
  lacuna_mpi_request (*persistent_send)(const void* data, int bytes, int to, int tag, lacuna_mpi_comm comm);
  lacuna_mpi_request (*persistent_receive)(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm);
  void (*start)(lacuna_mpi_request* request);
  void (*free_request)(lacuna_mpi_request* request);
  void (*wait_all)(lacuna_mpi_request* requests, int count);
  /* Lets them move; whether all are done. */
  int (*test_all)(lacuna_mpi_request* requests, int count);
  /* Calls a receive off unless its message has come; whether it did. */
  int (*call_off)(lacuna_mpi_request* request);

  /* Waits for a message, and leaves it there. */
  lacuna_mpi_message (*probe)(int from, int tag, lacuna_mpi_comm comm);
  /* Whether one is there. */
  int (*is_there)(int from, int tag, lacuna_mpi_comm comm, lacuna_mpi_message* message);
  void (*take)(void* data, int bytes, int from, int tag, lacuna_mpi_comm comm);

  /* Collective, with as many bytes of each rank to each, or with numbers of bytes and places by rank. */
  void (*gather_all)(const void* mine, int bytes, void* all, lacuna_mpi_comm comm);
  void (*gather_all_sizes)(const void* mine, int bytes, void* all, const int* sizes, const int* begins,
                           lacuna_mpi_comm comm);
  void (*exchange_all)(const void* to_each, int bytes, void* from_each, lacuna_mpi_comm comm);
} lacuna_mpi_calls;

#ifdef __cplusplus
}
#endif
#endif
