internal import CPlatform

/// The work that an asynchronous call may do on its caller's thread, without waiting.
///
/// A small answer takes less time than handing the call to a worker and the result back. A call is
/// therefore first attempted on the thread that makes it, between ``begin()`` and ``end()``. The
/// attempt is refused, and the call moves to a worker and begins anew, if it would
///
/// - scan more than ``maximumRows`` rows, open more than ``maximumBlocks`` blocks or read more than
///   ``maximumBytes`` bytes;
/// - read bytes that are not in the page cache; or
/// - wait for a lock that a commit, a sync, a seal or the loading of an index holds.
///
/// An attempt takes, without waiting, the locks of memtables, of settings and of lazily loaded
/// parts of segments. It waits only for locks under which no thread reads a file or does work whose
/// amount a commit decides: those of the published snapshot, of the symbol table and of the caches.
package enum InlineWork {
  /// The rows that an attempt may scan: two blocks, which take about a millisecond if they must be
  /// decoded.
  package static let maximumRows = 8192
  /// The blocks that an attempt may open.
  package static let maximumBlocks = 64
  /// The bytes that an attempt may read from files.
  package static let maximumBytes = 1 << 20

  /// The attempt cannot go on.
  struct Refusal: Error {}

  /// Begins an attempt on this thread.
  package static func begin() {
    current.pointee = cplatform_inline_work(
      rows: Int64(maximumRows), blocks: Int64(maximumBlocks), bytes: Int64(maximumBytes),
      is_active: 1, is_refused: 0)
  }

  /// Ends the attempt; returns whether it was refused, so that its result does not count.
  package static func end() -> Bool {
    let work = current
    work.pointee.is_active = 0
    return work.pointee.is_refused != 0
  }

  /// Whether this thread attempts a call.
  @inline(__always)
  package static var isActive: Bool { current.pointee.is_active != 0 }

  /// The rest of this thread's budget.
  private static var current: UnsafeMutablePointer<cplatform_inline_work> {
    @inline(__always) get { cplatform_current_inline_work().unsafelyUnwrapped }
  }

  /// Refuses the attempt, if this thread is in one.
  package static func refuse() throws { if isActive { throw refusal() } }

  /// Refuses the attempt; returns the error to throw.
  static func refusal() -> Refusal {
    current.pointee.is_refused = 1
    return Refusal()
  }

  /// Counts work; refuses the attempt that this thread is in if it exceeds a limit.
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
  /// Reads like ``read(into:at:)``, for a call that may be attempted inline.
  func readNow(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
    guard InlineWork.isActive else { return try read(into: buffer, at: offset) }
    try InlineWork.spend(bytes: buffer.count)
    var bytes = buffer.mutableBytes
    guard try readCached(into: &bytes, at: offset) else { throw InlineWork.refusal() }
    return buffer.count
  }
}
