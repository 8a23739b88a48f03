import Foundation
import SampleLog
import Testing

/// What a process leaves behind that ends without closing its stores.
@Suite struct ExitTests {
  /// So many that closing makes a segment of them.
  private let count = 8192

  private func segmentCount(_ store: String) throws -> Int {
    let reader = try Database(path: store, mode: .readOnly)
    #expect(reader.snapshot().end == UInt64(count))
    return try reader.statistics().segmentCount
  }

  @Test(arguments: [false, true], [false, true])
  func `A store is closed when its process exits, in use or idle`(isIdle: Bool, returns: Bool)
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

  @Test func `An idle store is locked no longer than its process lives`() throws {
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
