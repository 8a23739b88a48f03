internal import CPlatform

/// Asks the system to put large pages behind some memory; it may not.
func adviseLargePages(_ base: UnsafeMutableRawPointer, _ count: Int) {
  cplatform_advise_large_pages(base, count)
}

/// Gives memory that has been freed back to the system; takes milliseconds.
///
/// The C library keeps what was freed for each of its heaps, and background work and commits use
/// different ones.
func releaseFreeMemory() { cplatform_release_free_memory() }

/// Asks for a cache line before it is needed.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) { cplatform_prefetch(address) }

/// A bit for each of 21 bytes that equals one; 32 bytes must be readable.
@inline(__always)
func matches21(_ bytes: UnsafeRawPointer, _ byte: UInt8) -> UInt32 {
  cplatform_match_21(bytes, byte)
}
