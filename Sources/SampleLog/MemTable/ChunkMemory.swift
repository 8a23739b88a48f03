/// Memory for the columns of full chunks, several cut out of each large page.
///
/// The system hands out small pages one by one, when they are first written: for rows that are
/// committed or read back after a crash that is a good part of the work.
struct ChunkMemory {
  private static let slabByteCount = 2 << 20
  private var slab: RawMemory?
  private var used = 0

  /// Returns memory, aligned for every column, and what keeps it.
  mutating func take(_ byteCount: Int) -> (UnsafeMutableRawPointer, RawMemory) {
    let size = (byteCount + 63) & ~63
    if let slab, used + size <= slab.count {
      defer { used += size }
      return (slab.base + used, slab)
    }
    let new = RawMemory(max(size, Self.slabByteCount))
    (slab, used) = (new, size)
    return (new.base, new)
  }
}
