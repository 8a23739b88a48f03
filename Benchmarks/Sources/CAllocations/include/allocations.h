#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdint.h>

/* Starts and stops counting. Counting is off at first. */
void allocations_begin(void);
void allocations_end(void);

/* Starts counting the values that the store decodes from blocks. Must be called before the program
 * starts other threads. */
void decoded_values_begin(void);

/* Returns the number of values decoded since counting started. */
uint64_t decoded_values(void);

/* The number of allocations so far, by any thread; 0 on systems that cannot count them. */
uint64_t allocations_count(void);

/* The number of bytes allocated so far. */
uint64_t allocations_bytes(void);

#endif
