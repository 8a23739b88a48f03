/// The bytes of a log, read in pieces, so that memory depends on the largest frame and not on how
/// long the file is or says it is.
final class LogWindow {
  private static let size = 4 << 20

  /// The byte after the last that is read.
  private(set) var end: Int
  private let file: any File
  private var memory = RawMemory(0)
  private var base = 0
  private var count = 0

  init(_ file: any File, end: Int) {
    self.file = file
    self.end = end
  }

  /// Returns the bytes from an offset on: as many as wanted, and maybe more, unless the end comes
  /// before.
  ///
  /// No offset is less than one before. The bytes are valid until the next call, while the window
  /// is kept.
  func bytes(at offset: Int, wanted: Int) throws -> UnsafeRawBufferPointer {
    let needed = min(wanted, end - offset)
    if offset + needed > base + count { try load(offset, needed) }
    let first = min(offset - base, count)
    return UnsafeRawBufferPointer(start: memory.base + first, count: count - first)
  }

  /// Returns the first offset at or behind an offset that is not in a hole of the file.
  func nextData(from offset: Int) throws -> Int {
    offset < end ? min(try file.nextData(from: offset), end) : offset
  }

  private func load(_ offset: Int, _ needed: Int) throws {
    let wanted = min(max(needed, Self.size), end - offset)
    if memory.count < wanted { memory = RawMemory(wanted) }
    let target = UnsafeMutableRawBufferPointer(start: memory.base, count: wanted)
    base = offset
    count = try file.read(into: target, at: offset)
    // Somebody may have cut the file meanwhile.
    if count < wanted { end = offset + count }
  }
}
