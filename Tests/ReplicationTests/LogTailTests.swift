import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

@Suite struct LogTailTests {
  private let stores = Stores()

  private func numbers(_ database: Database, after last: UInt64 = 0) throws -> [UInt64] {
    var tail = try LogTail(database, after: last)
    var found: [UInt64] = []
    while let commits = try tail.next(byteLimit: 1) { found += commits.frames.map(\.first) }
    return found
  }

  @Test func `A reader continues from its position across sealed logs`() throws {
    let database = try stores.open()
    for value in 0..<6 {
      try database.save(Double(value))
      if value % 2 == 0 { try database.seal() }
    }
    #expect(try numbers(database) == [1, 2, 3, 4, 5, 6])
    #expect(try numbers(database, after: 4) == [5, 6])
    try database.close()
    #expect(try numbers(try stores.open(), after: 1) == [2, 3, 4, 5, 6])
  }

  @Test func `A reader continues while logs are rotated and sealed`() throws {
    let database = try stores.open()
    var tail = try LogTail(database, after: 0)
    for value in 0..<5 {
      try database.save(Double(value))
      #expect(try tail.next(byteLimit: .max)?.frames.map(\.first) == [UInt64(value) + 1])
      #expect(try tail.next(byteLimit: .max)?.frames == nil)
      try database.seal()
    }
    #expect(try tail.position == database.historyEnd)
  }

  @Test func `A reader whose next log is removed continues with the one after it`() throws {
    let database = try stores.open()
    try database.save(1)
    try database.seal()
    var tail = try LogTail(database, after: 0)
    for value in 2..<4 {
      try database.save(Double(value))
      try database.seal()
    }
    try database.releaseLogs(through: 2)
    let first = try #require(try tail.next(byteLimit: .max))
    #expect(first.frames.map(\.first) == [1] && tail.position.last == 1)
    let next = try #require(try tail.next(byteLimit: .max))
    #expect(next.before.last == 2)
    #expect(next.frames.map(\.first) == [3])
    #expect(try tail.position == database.historyEnd)
  }

  @Test func `A buffered commit is not read before it is durable`() throws {
    let database = try stores.open()
    let notified = Locked<[UInt64]>([])
    database.whenDurable { end in notified.withLock { $0.append(end) } }
    try database.save(1, durability: .buffered)
    #expect(try numbers(database) == [])
    #expect(notified.withLock { $0 } == [])
    try database.flush()
    #expect(try numbers(database) == [1])
    #expect(notified.withLock { $0 } == [1])
  }

  @Test func `Published logs are removed, except the retained ones`() throws {
    let database = try stores.open()
    for value in 0..<4 {
      try database.save(Double(value))
      try database.seal()
    }
    try database.releaseLogs(through: 1)
    #expect(try numbers(database) == [2, 3, 4])
    try database.releaseLogs(through: 4, keeping: 1)
    #expect(try numbers(database) == [4])
    var tail = try LogTail(database, after: 0)
    #expect(tail.position.last == 3)
    #expect(try tail.next(byteLimit: .max)?.before.last == 3)
  }

  @Test func `A log that recovery finds sealed is kept`() throws {
    let database = try stores.open()
    try database.save(1)
    let bytes = try log(1)
    try database.seal()
    try database.close()
    // A crash between publishing the segment's name and the log's leaves this state.
    try stores.files.remove("primary/" + FileNames.sealedLog(first: 1))
    let file = try stores.files.open("primary/" + FileNames.log(first: 1), .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    #expect(try numbers(try stores.open()) == [1])
  }

  private func log(_ first: UInt64) throws -> [UInt8] {
    let file = try stores.files.open("primary/" + FileNames.log(first: first), .read)
    return try #require(try file.bytes(try file.size(), at: 0))
  }

  @Test(arguments: [0, FrameHeader.size])
  func `Damage to durable frames is an error that names the log`(offset: Int) throws {
    let database = try stores.open()
    try database.save(1)
    let file = try stores.files.open("primary/" + FileNames.log(first: 1), .update)
    try [UInt8(1)].withUnsafeBytes { try file.write($0, at: LogHeader.size + offset) }
    do {
      var tail = try LogTail(database, after: 0)
      _ = try tail.next(byteLimit: .max)
      Issue.record("the damage was not reported")
    } catch StoreError.damaged(let file, _, _) {
      #expect(file == FileNames.log(first: 1))
    }
  }
}
