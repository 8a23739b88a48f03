#include "duckdb_functions.h"

#include <dlfcn.h>

static DuckDBFunctions functions;

const DuckDBFunctions *duckdb_functions_load(
  const char *library, const char *python, const char **reason) {
  if (python && !dlopen(python, RTLD_LAZY | RTLD_GLOBAL)) {
    *reason = dlerror();
    return NULL;
  }
  void *handle = dlopen(library, RTLD_LAZY);
  if (!handle) {
    *reason = dlerror();
    return NULL;
  }
#define F(result, name, parameters)                                                               \
  if (!(functions.name = (result(*) parameters)dlsym(handle, "duckdb_" #name))) {                 \
    *reason = "the library has no duckdb_" #name;                                                 \
    return NULL;                                                                                  \
  }
  DUCKDB_FUNCTIONS(F)
#undef F
  return &functions;
}
