#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* The number of allocations so far, by any thread; 0 on systems that cannot count them. */
uint64_t allocations_count(void);

/* The number of bytes allocated so far. */
uint64_t allocations_bytes(void);

#endif
