internal import CPlatform

/// The work that an asynchronous call may do on its caller's thread, without waiting.
///
/// A small answer takes less time than switching to a worker and back. A call is therefore first
/// attempted on the caller's thread, between ``begin()`` and ``end()``. The attempt is refused, and
/// a worker answers the call from the start, if it would
///
/// - scan more than ``maximumRows`` rows, open more than ``maximumBlocks`` blocks or read more than
///   ``maximumBytes`` bytes;
/// - read bytes that are not in the page cache; or
/// - wait for a lock that a commit, a sync, a seal or the loading of an index holds.
///
/// An attempt only tries the locks of memtables, settings and lazily loaded parts of segments. It
/// waits only for the locks of the published snapshot, the symbol table and the caches. No thread
/// holds one of these while it reads a file or does work proportional to a commit's size.
package enum InlineWork {
  /// The maximum number of rows that an attempt may scan.
  ///
  /// Decoding the two blocks takes about a millisecond.
  package static let maximumRows = 8192
  /// The maximum number of blocks that an attempt may open.
  package static let maximumBlocks = 64
  /// The maximum number of bytes that an attempt may read from files.
  package static let maximumBytes = 1 << 20

  /// The error that ends an attempt which must not continue on the caller's thread.
  struct Refusal: Error {}

  /// Begins an attempt on this thread.
  package static func begin() {
    current.pointee = cplatform_inline_work(
      rows: Int64(maximumRows), blocks: Int64(maximumBlocks), bytes: Int64(maximumBytes),
      is_active: 1, is_refused: 0)
  }

  /// Ends the attempt and returns whether it was refused, in which case its result is invalid.
  package static func end() -> Bool {
    let work = current
    work.pointee.is_active = 0
    return work.pointee.is_refused != 0
  }

  /// Whether this thread is attempting a call.
  @inline(__always)
  package static var isActive: Bool { current.pointee.is_active != 0 }

  /// The remaining budget of this thread.
  private static var current: UnsafeMutablePointer<cplatform_inline_work> {
    @inline(__always) get { cplatform_current_inline_work().unsafelyUnwrapped }
  }

  /// Throws and refuses the attempt if this thread is attempting a call.
  package static func refuse() throws { if isActive { throw refusal() } }

  /// Marks the attempt as refused and returns the error to throw.
  static func refusal() -> Refusal {
    current.pointee.is_refused = 1
    return Refusal()
  }

  /// Deducts work from the budget of this thread's attempt; throws if the budget is exceeded.
  @inline(__always)
  static func spend(rows: Int = 0, blocks: Int = 0, bytes: Int = 0) throws {
    let work = current
    if work.pointee.is_active == 0 { return }
    work.pointee.rows -= Int64(rows)
    work.pointee.blocks -= Int64(blocks)
    work.pointee.bytes -= Int64(bytes)
    if work.pointee.rows < 0 || work.pointee.blocks < 0 || work.pointee.bytes < 0 {
      throw refusal()
    }
  }
}

extension File {
  /// Reads like ``read(into:at:)``, but only from the page cache if the call is attempted inline.
  func readNow(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    guard InlineWork.isActive else { return try read(into: buffer, at: offset) }
    try InlineWork.spend(bytes: buffer.count)
    var bytes = buffer.mutableBytes
    guard try readCached(into: &bytes, at: offset) else { throw InlineWork.refusal() }
    return buffer.count
  }
}
