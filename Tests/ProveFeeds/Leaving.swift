#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Ends the process.
func leave(_ status: Int32) {
  fflush(nil)
  exit(status)
}
