#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* How often memory was asked for so far, by any thread; 0 where the library cannot be asked. */
uint64_t allocations_count(void);

/* How many bytes were asked for so far. */
uint64_t allocations_bytes(void);

#endif
