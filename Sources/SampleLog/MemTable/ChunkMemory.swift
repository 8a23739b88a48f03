/// Memory for the columns of full chunks, several cut out of each large page.
///
/// The system hands out small pages one by one, when they are first written: for rows that are
/// committed or read back after a crash that is a good part of the work. It clears them, too, so
/// pages of memtables that have been sealed are used again.
struct ChunkMemory {
  /// A page, which is kept for others in the end.
  private final class Slab {
    static let byteCount = 2 << 20
    /// What the process keeps: about as much as a memtable of the usual size takes.
    private static let maximumCount = 24
    private static let free = Locked<[RawMemory]>([])

    let memory: RawMemory

    static func releaseUnused() { free.withLock { $0 = [] } }

    init() { memory = Self.free.withLock { $0.popLast() } ?? RawMemory(Self.byteCount) }

    deinit {
      Self.free.withLock { [memory] in
        if $0.count < Self.maximumCount { $0.append(memory) }
      }
    }
  }

  private var slab: Slab?
  private var used = 0

  /// Frees the pages that nobody uses.
  static func releaseUnused() { Slab.releaseUnused() }

  /// Returns memory, aligned for every column, and what keeps it.
  mutating func take(_ byteCount: Int) -> (UnsafeMutableRawPointer, AnyObject) {
    let size = (byteCount + 63) & ~63
    if size > Slab.byteCount {
      let own = RawMemory(size)
      return (own.base, own)
    }
    if slab == nil || used + size > Slab.byteCount { (slab, used) = (Slab(), 0) }
    guard let slab else { preconditionFailure("there is a page") }
    defer { used += size }
    return (slab.memory.base + used, slab)
  }
}
