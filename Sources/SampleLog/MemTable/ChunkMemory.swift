/// An allocator for the columns of full chunks, which are carved out of large pages.
///
/// The kernel otherwise maps and zeroes small pages one by one on the first write, which is a large
/// part of the cost of a commit or of recovery. Pages of sealed memtables are reused.
struct ChunkMemory {
  /// A page, which returns to the free list on deallocation.
  private final class Slab {
    static let byteCount = 2 << 20
    /// The maximum length of the free list: about the memory of a memtable of the usual size.
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

  /// Frees the pages of the free list.
  static func releaseUnused() { Slab.releaseUnused() }

  /// Returns memory that is aligned for every column, and the object that owns it.
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
