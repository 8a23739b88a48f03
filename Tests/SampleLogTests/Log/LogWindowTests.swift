import Testing

@testable import SampleLog

/// Reading a log in chunks.
@Suite final class LogWindowTests {
  private let disk = HookedFileSystem()
  private var reads = 0

  init() {
    disk.beforeReading = { [unowned self] _ in reads += 1 }
  }

  private func window(_ count: Int) throws -> LogWindow {
    let file = try disk.open("log", .create)
    try [UInt8](repeating: 7, count: count).withUnsafeBytes { try file.write($0, at: 0) }
    return LogWindow(file, end: count)
  }

  @Test func `A short log is read once, even if more bytes are requested than it has`() throws {
    let window = try window(1000)
    for (offset, wanted, found) in [(0, 64, 1000), (900, 64, 100), (990, 64, 10), (999, 64, 1)] {
      #expect(try window.bytes(at: offset, wanted: wanted).count == found)
    }
    #expect(reads == 1)
  }

  @Test func `The chunks of a long log are read into the same memory`() throws {
    let piece = 4 << 20
    let window = try window(3 * piece)
    let first = try window.bytes(at: 0, wanted: 64)
    let second = try window.bytes(at: piece, wanted: 64)
    #expect(first.count == piece && second.count == piece)
    #expect(reads == 2)
    #expect(first.baseAddress == second.baseAddress)
    // Only a larger frame needs more memory.
    #expect(try window.bytes(at: piece, wanted: piece + 1).count == piece + 1)
    #expect(reads == 3)
  }
}
