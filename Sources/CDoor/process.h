#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>

#define DOOR_FORKED                                                                              \
  "healthstore was used before this process was forked, and its threads do not survive a fork; " \
  "use it only in the parent or only in the child, or start the child with spawn (in Python: "   \
  "multiprocessing.set_start_method(\"spawn\"))."

/// Returns whether this process is a fork of the process that first called this function.
bool door_is_forked(void);

#endif
