import SampleLog
import SampleLogSimulation
import Testing

/// Making buffered commits durable, on a disk that refuses.
@Suite final class FlushTests {
  private let disk = FaultyFileSystem()

  private func open() throws -> Database {
    try Database(
      path: "store", options: testOptions { $0.durability = .buffered }, fileSystem: disk)
  }

  @Test func `A flush with nothing to make durable asks nothing of the disk`() throws {
    let database = try open()
    disk.faults = .sync
    try database.flush()
    disk.faults = []
    try database.save(value: 1)
    try database.flush()
    disk.faults = .sync
    try database.flush()
    try database.save(value: 2)
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
  }

  @Test(arguments: [false, true], [1, 3 << 20])
  func `A flush that failed works another time when what was written is still there`(
    hasFlushed: Bool, size: Int
  ) throws {
    let database = try open()
    try database.save(value: 1)
    if hasFlushed { try database.flush() }
    var random = Seeded(1)
    var extras = Extras()
    let noise = (0..<size / 8).map { _ in random.next() }
    extras.metadata = noise.withUnsafeBytes { Array($0) }
    for value in 2...4 { try database.save(start: 1, value: Double(value), extras: extras) }
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
    disk.faults = []
    try database.flush()
    disk.faults = .sync
    try database.flush()
    #expect(try Database.inMemory(disk.memory.copy()).values() == [1, 2, 3, 4])
  }

  @Test func `A flush that failed does not work another time when what was written is gone`() throws
  {
    let database = try open()
    try database.save(value: 1)
    let name = try #require(disk.list("store")?.first { $0.hasSuffix(".log") })
    let file = try disk.memory.open("store/" + name, .update)
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
    disk.faults = []
    // The system has dropped what it could not write, and says so once.
    let zeros = [UInt8](repeating: 0, count: 8)
    try zeros.withUnsafeBytes { try file.write($0, at: LogHeader.size + FrameHeader.size) }
    let gone = StoreError.inputOutput(
      operation: "sync", path: name, code: 5, message: "what was written is gone")
    #expect(throws: gone) { try database.flush() }
    // Nor when the file has become shorter.
    try file.truncate(to: LogHeader.size + 8)
    #expect(throws: gone) { try database.flush() }
  }
}
