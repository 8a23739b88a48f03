/// A sliding window over the bytes of a log.
///
/// Its memory depends on the largest frame, not on the length of the file.
final class LogWindow {
  private static let size = 4 << 20

  /// The offset at which reading ends.
  private(set) var end: Int
  private let file: any File
  private var memory = RawMemory(0)
  private var base = 0
  private var count = 0

  init(_ file: any File, end: Int) {
    self.file = file
    self.end = end
  }

  /// Returns the bytes at an offset: at least as many as wanted, unless the end comes first.
  ///
  /// Offsets must not decrease between calls. The bytes are valid until the next call and while the
  /// window is alive.
  func bytes(at offset: Int, wanted: Int) throws -> UnsafeRawBufferPointer {
    let needed = min(wanted, end - offset)
    if offset + needed > base + count { try load(offset, needed) }
    let first = min(offset - base, count)
    return UnsafeRawBufferPointer(start: memory.base + first, count: count - first)
  }

  /// Returns the first offset, at or after the given one, that is not in a hole of the file.
  func nextData(from offset: Int) throws -> Int {
    offset < end ? min(try file.nextData(from: offset), end) : offset
  }

  private func load(_ offset: Int, _ needed: Int) throws {
    let wanted = min(max(needed, Self.size), end - offset)
    if memory.count < wanted { memory = RawMemory(wanted) }
    let target = UnsafeMutableRawBufferPointer(start: memory.base, count: wanted)
    base = offset
    count = try file.read(into: target, at: offset)
    // Another process may have truncated the file in the meantime.
    if count < wanted { end = offset + count }
  }
}
