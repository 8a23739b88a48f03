#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* Begins and ends counting; nothing is counted before. */
void allocations_begin(void);
void allocations_end(void);

/* Begins to count the values that the store decodes from blocks; must be called before any other
 * thread runs. */
void decoded_values_begin(void);

/* The number of values that the store has decoded since. */
uint64_t decoded_values(void);

/* The number of allocations so far, by any thread; 0 on systems that cannot count them. */
uint64_t allocations_count(void);

/* The number of bytes allocated so far. */
uint64_t allocations_bytes(void);

#endif
