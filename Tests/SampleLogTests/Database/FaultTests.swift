import FoundationEssentials
import SampleLog
import Testing

/// Disk failures.
@Suite final class FaultTests {
  private let disk = FaultyFileSystem()

  private func open(_ fileSystem: any FileSystem) throws -> Database {
    try Database(path: "store", options: testOptions(), fileSystem: fileSystem)
  }

  /// The store as recovery finds it if the process dies now.
  private func afterDeath() throws -> Database { try open(disk.memory.copy()) }

  @Test(arguments: [FaultyFileSystem.Faults.write, .sync, [.sync, .create]])
  func `A failed save does not return, and the next one succeeds`(
    faults: FaultyFileSystem.Faults
  ) throws {
    let database = try open(disk)
    try database.save(value: 1)
    disk.faults = faults
    #expect(throws: FaultyFileSystem.error) { try database.save(value: 2) }
    #expect(try database.values() == [1])
    disk.faults = []
    #expect(try database.values() == [1])
    try database.save(value: 3)
    #expect(try database.values() == [1, 3])
    #expect(try afterDeath().values() == [1, 3])
    try database.close()
    #expect(try open(disk).values() == [1, 3])
  }

  @Test func `A save whose sync failed does not return if the process dies at once`() throws {
    let database = try open(disk)
    try database.save(value: 1)
    // The frame reaches the file, the acknowledgement does not reach the caller.
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.save(value: 2) }
    disk.faults = []
    #expect(throws: Never.self) { try database.save(value: 3) }
    #expect(try afterDeath().values() == [1, 3])
  }

  @Test func `A full disk fails a save before it writes, and saving resumes once there is space`()
    throws
  {
    let database = try open(disk)
    disk.faults = .preallocate
    #expect(throws: FaultyFileSystem.error) { try database.save(value: 1) }
    disk.faults = []
    try database.save(value: 2)
    #expect(try database.values() == [2])
    #expect(try afterDeath().values() == [2])
    // The log stays in use and no sequence number is skipped.
    #expect(database.end == 1)
    #expect(disk.list("store")?.count { $0.hasSuffix(".log") } == 1)
  }

  @Test func `A log that cannot be sealed keeps its data and is sealed later`() throws {
    let database = try open(disk)
    try database.save(value: 1)
    try database.seal()
    try database.save(value: 2)
    disk.faults = .create
    #expect(throws: FaultyFileSystem.error) { try database.seal() }
    #expect(try database.values() == [1, 2])
    #expect(try afterDeath().values() == [1, 2])
    disk.faults = []
    try database.seal()
    #expect(try database.values() == [1, 2])
    #expect(try database.statistics().segmentCount == 2)
  }

  @Test func `A failed compaction leaves the store unchanged`() throws {
    let database = try open(disk)
    for value in 1...3 {
      try database.save(value: Double(value))
      try database.seal()
    }
    disk.faults = .create
    #expect(throws: FaultyFileSystem.error) { try database.compact() }
    disk.faults = []
    #expect(try database.values() == [1, 2, 3])
    #expect(try database.compact().segmentsAfter == 1)
    #expect(try afterDeath().values() == [1, 2, 3])
  }
}
