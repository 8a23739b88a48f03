import Foundation
import SampleLog
import Testing

/// A process that exits without closing its stores.
@Suite struct ExitTests {
  /// Enough rows for closing to seal a segment.
  private let count = 8192

  private func segmentCount(_ store: String) throws -> Int {
    let reader = try Database(path: store, mode: .readOnly)
    #expect(reader.snapshot().end == UInt64(count))
    return try reader.statistics().segmentCount
  }

  @Test(arguments: [false, true], [false, true])
  func `A store in use or idle is closed when its process exits`(isIdle: Bool, returns: Bool)
    throws
  {
    let folder = try Folder()
    let store = folder.path + "/store"
    let writer = try WriterProcess(store)
    _ = try writer.save(count)
    if isIdle { _ = try writer.order("release") }
    #expect(try segmentCount(store) == 0)
    if returns { try writer.finish() } else { try writer.exit() }
    #expect(writer.process.terminationStatus == 0)
    #expect(try segmentCount(store) == 1)
  }

  @Test func `The lock of an idle store is released when its process ends`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    let writer = try WriterProcess(store)
    _ = try writer.save(count)
    _ = try writer.order("release")
    writer.end(SIGKILL)
    #expect(try segmentCount(store) == 0)
    try Database(path: store).close()
  }
}
