#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How many processors the process may expect to have.
let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
