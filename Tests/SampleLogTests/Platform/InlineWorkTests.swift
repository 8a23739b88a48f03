import Dispatch
import Foundation
@testable import SampleLog
import Testing

/// The limits within which a call is answered on its caller's thread.
@Suite struct InlineWorkTests {
  /// Returns the result of an attempt, or nil if it is refused.
  private func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
    InlineWork.begin()
    do {
      let value = try body()
      return InlineWork.end() ? nil : value
    } catch {
      if InlineWork.end() { return nil }
      throw error
    }
  }

  private func database(_ files: any FileSystem = MemoryFileSystem()) throws -> (Database, Series) {
    var options = Database.Options()
    options.sealsInBackground = false
    let database = try Database(path: "store", options: options, fileSystem: files)
    let series = database.series(subject: "ada", type: "heartRate")
    for part in 0..<2 {
      var batch = database.makeBatch()
      for number in 0..<100 { batch.add(to: series, start: Double(part * 100 + number), value: 1) }
      try database.commit(batch)
      if part == 0 { try database.seal() }
    }
    return (database, series)
  }

  @Test func `Work counts towards the limits only during an attempt`() throws {
    try InlineWork.spend(rows: .max / 2)
    #expect(!InlineWork.isActive)
    let most: Void? = try attempt {
      try InlineWork.spend(
        rows: InlineWork.maximumRows, blocks: InlineWork.maximumBlocks,
        bytes: InlineWork.maximumBytes)
    }
    #expect(most != nil)
    let rows: Void? = try attempt { try InlineWork.spend(rows: InlineWork.maximumRows + 1) }
    let blocks: Void? = try attempt { try InlineWork.spend(blocks: InlineWork.maximumBlocks + 1) }
    let bytes: Void? = try attempt { try InlineWork.spend(bytes: InlineWork.maximumBytes + 1) }
    let caught: Void? = try attempt { _ = try? InlineWork.refuse() }
    for refused in [rows, blocks, bytes, caught] { #expect(refused == nil) }
    try InlineWork.refuse()
    #expect(!InlineWork.isActive)
  }

  @Test func `An attempt does not wait for a lock that a commit holds`() throws {
    let (database, series) = try database()
    let snapshot = database.snapshot()
    func newest() throws -> Double?? { try attempt { try snapshot.newest(series)?.start } }
    func count() throws -> Int? { try attempt { try snapshot.select([series]).count } }
    #expect(try newest() == 199)
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let memTable = database.state.withLock { $0.active }
    let holder = Thread {
      memTable.state.withLock { _ in
        held.signal()
        release.wait()
      }
      held.signal()
    }
    holder.start()
    held.wait()
    #expect(try newest() == .none)
    #expect(try count() == nil)
    let row = try attempt { try snapshot.row(Identifier(high: 1, low: 2)) }
    #expect(row == nil)
    let page = try attempt { try snapshot.changes(after: .beginning, in: [series]) }
    #expect(page == nil)
    // The published snapshot is read without the locks of commits.
    let end = try attempt { database.snapshot().end }
    #expect(end == snapshot.end)
    release.signal()
    held.wait()
    #expect(try count() == 200)
  }

  @Test func `An attempt does not index the identifiers of a large log`() throws {
    let files = MemoryFileSystem()
    let (writer, series) = try database(files)
    let id = Identifier(high: 1, low: 2)
    var batch = writer.makeBatch()
    batch.add(to: series, id: id, start: 0, value: 1)
    for number in 0..<InlineWork.maximumRows {
      batch.add(to: series, start: Double(number), value: 1)
    }
    try writer.commit(batch)
    let reopened = try Database(path: "store", mode: .readOnly, fileSystem: files)
    let snapshot = reopened.snapshot()
    #expect(try attempt { try snapshot.row(id)?.id } == nil)
    #expect(try snapshot.row(id)?.id == id)
    #expect(try attempt { try snapshot.row(id)?.id } == .some(id))
  }

  @Test(arguments: [false, true])
  func `An attempt reads no more changes than it may scan rows`(isSealed: Bool) throws {
    let (database, series) = try database()
    var batch = database.makeBatch()
    for number in 0..<InlineWork.maximumRows {
      batch.add(to: series, start: Double(number), value: 1)
    }
    try database.commit(batch)
    if isSealed { try database.seal() }
    let snapshot = database.snapshot()
    func changeCount(limit: Int? = nil) throws -> Int {
      try snapshot.changes(after: .beginning, in: [series], limit: limit).changes.count
    }
    // Computing the commit order counts as work, too, so it is computed and cached before.
    #expect(try changeCount() == InlineWork.maximumRows + 200)
    #expect(try attempt { try changeCount() } == nil)
    #expect(try attempt { try changeCount(limit: 100) } == 100)
  }

  @Test func `An attempt reads the snapshot, but no setting, while the state is locked`() throws {
    let (database, _) = try database()
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      database.state.withLock { _ in
        held.signal()
        release.wait()
      }
      held.signal()
    }
    held.wait()
    #expect(database.snapshot().end == 200)
    #expect(!database.isClosed)
    func setting() throws -> [UInt8]?? { try attempt { try database.setting([1]) } }
    #expect(try setting() == .none)
    release.signal()
    held.wait()
    #expect(try setting() == .some(nil))
  }

  @Test func `An attempt reads only from the page cache`() throws {
    let hooked = HookedFileSystem()
    let (database, series) = try database(hooked)
    // Files of this file system use the default implementation of `readCached`.
    func count(_ database: Database, _ series: Series) throws -> Int? {
      try attempt { try database.snapshot().select([series]).count }
    }
    #expect(try count(database, series) == nil)
    #expect(try database.snapshot().select([series]).count == 200)
    let (other, same) = try self.database()
    #expect(try count(other, same) == 200)
  }

  @Test func `A cached read returns the written bytes or is refused`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try PosixFileSystem().open(path, .create)
    let bytes: [UInt8] = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    var found = [UInt8](repeating: 0, count: 500)
    let isFilled = try found.withUnsafeMutableBytes { buffer in
      try attempt { try file.readNow(into: buffer, at: 9_000) }
    }
    // The file system may not support cached reads; if it does, the bytes must be correct.
    if isFilled != nil { #expect(found == Array(bytes[9_000..<9_500])) }
    let beyond = try found.withUnsafeMutableBytes { buffer in
      try attempt { try file.readNow(into: buffer, at: 9_900) }
    }
    #expect(beyond == nil)
  }

  @Test func `An attempt decodes blocks on its own thread`() throws {
    let here = currentThread()
    let threads = try attempt {
      try parallelMap(50) { _ in currentThread() }
    }
    #expect(threads == Array(repeating: here, count: 50))
  }
}
