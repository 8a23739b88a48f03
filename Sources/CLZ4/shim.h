// Imports the system's liblz4 into Swift.

#include <lz4.h>
