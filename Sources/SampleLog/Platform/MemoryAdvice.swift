internal import CPlatform

/// Advises the operating system to back memory with huge pages.
func adviseLargePages(_ base: UnsafeMutableRawPointer, _ count: Int) {
  cplatform_advise_large_pages(base, count)
}

/// Returns freed memory to the operating system; takes milliseconds.
///
/// The C allocator retains freed memory separately in each arena, and commits and background work
/// use different arenas.
func releaseFreeMemory() { cplatform_release_free_memory() }

/// Prefetches a cache line.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer) { cplatform_prefetch(address) }

/// Returns a mask with a bit for each of the first 21 bytes that equals `byte`; 32 bytes must be
/// readable.
@inline(__always)
func matches21(_ bytes: UnsafeRawPointer, _ byte: UInt8) -> UInt32 {
  cplatform_match_21(bytes, byte)
}
