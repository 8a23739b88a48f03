import SampleLog
import SampleLogSimulation
import Testing

@testable import SampleLogReplication

/// A primary with a full disk, which only removing published logs can free.
@Suite struct FullDiskTests {
  private let disk = SmallDisk()
  private let stream = SimulatedStream(seed: 1)

  private func open() throws -> Database {
    try Database(path: "primary", options: Stores.options(), fileSystem: disk)
  }

  private var keptLogs: [String] {
    (disk.files.list("primary") ?? []).filter { FileNames.sealedLogFirst($0) != nil }
  }

  private func sealed(_ count: Int) throws -> Database {
    let database = try open()
    for value in 0..<count {
      try database.save(Double(value))
      try database.seal()
    }
    #expect(keptLogs.count == count)
    return database
  }

  @Test(arguments: [1, 2, 3]) func `Published logs free a full disk`(missing: Int) throws {
    let database = try sealed(6)
    disk.fill(missing: missing)
    let publisher = Publisher(database, stream, keptLogCount: 1)
    try publisher.publishAll()
    // A primary with nothing to publish polls its stream.
    for _ in 0..<missing { publisher.check() }
    #expect(!disk.isFull)
    #expect(keptLogs.count == 1)
    #expect(try database.confirmedPosition == database.historyEnd)
    try database.save(7)
    try publisher.publishAll()
    #expect(publisher.publishedThrough == database.end)
  }

  @Test func `A full disk loses no unpublished log`() throws {
    let database = try sealed(4)
    stream.faults.hasCrashed = true
    disk.fill()
    let publisher = Publisher(database, stream, keptLogCount: 1)
    for _ in 0..<20 { _ = try publisher.step() }
    publisher.check()
    #expect(disk.isFull && keptLogs.count == 4)
  }
}
