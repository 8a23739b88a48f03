#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>

#define DOOR_FORKED                                                                              \
  "healthstore was in use before this process was forked, and threads do not survive that; use " \
  "it in one of both, or begin the child with spawn (in Python: "                                \
  "multiprocessing.set_start_method(\"spawn\"))."

/// Returns whether this process was forked from the one that first called this function.
bool door_is_forked(void);

#endif
