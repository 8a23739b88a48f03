import SampleLog
import SampleLogSimulation
import Testing

/// Flushing buffered commits on a failing disk.
@Suite final class FlushTests {
  private let disk = FaultyFileSystem()

  private func open() throws -> Database {
    try Database(
      path: "store", options: testOptions { $0.durability = .buffered }, fileSystem: disk)
  }

  @Test func `A flush without buffered commits does not access the disk`() throws {
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
  func `A failed flush succeeds on retry if the written bytes are intact`(
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

  @Test func `A failed flush fails again if the written bytes are lost`() throws {
    let database = try open()
    try database.save(value: 1)
    let name = try #require(disk.list("store")?.first { $0.hasSuffix(".log") })
    let file = try disk.memory.open("store/" + name, .update)
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.flush() }
    disk.faults = []
    // The system has dropped the dirty pages, and reports that once.
    let zeros = [UInt8](repeating: 0, count: 8)
    try zeros.withUnsafeBytes { try file.write($0, at: LogHeader.size + FrameHeader.size) }
    let gone = StoreError.inputOutput(
      operation: "sync", path: name, code: 5, message: "the written bytes are lost")
    #expect(throws: gone) { try database.flush() }
    // The same applies to a file that has become shorter.
    try file.truncate(to: LogHeader.size + 8)
    #expect(throws: gone) { try database.flush() }
  }
}
