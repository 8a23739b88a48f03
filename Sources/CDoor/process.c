#include "process.h"

#include <stdatomic.h>
#include <unistd.h>

static _Atomic(pid_t) owner;

bool door_is_forked(void) {
  pid_t expected = 0, own = getpid();
  if (atomic_compare_exchange_strong(&owner, &expected, own)) return false;
  return expected != own;
}
