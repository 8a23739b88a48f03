import SampleLog
import SampleLogSimulation
import Testing

/// The disk space that a store takes after compaction.
@Suite struct DiskUseTests {
  private final class Clock: Sendable {
    private let time = Locked(0.0)

    /// Returns a later time at each call.
    func now() -> Double {
      time.withLock {
        $0 += 1
        return $0
      }
    }
  }

  private func bytes(_ fileSystem: MemoryFileSystem) throws -> Int {
    try (fileSystem.list("store") ?? []).reduce(0) { sum, name in
      try sum + fileSystem.open("store/" + name, .read).size()
    }
  }

  @Test(arguments: 0..<Trials.count(12, quick: 4))
  func `After compaction a store is as small as a new one with the same samples`(
    seed: Int
  ) throws {
    let clock = Clock()
    let change: (inout Database.Options) -> Void = { options in
      options.clock = clock.now
      options.deletionRetention = .seconds(0)
      options.sealRowCount = [50, 700, 1_000_000][seed % 3]
    }
    var workload = try Workload(seed: UInt64(seed), change)
    for _ in 0..<60 {
      switch Int.random(in: 0..<10, using: &workload.random) {
      case 0..<5: try workload.commit()
      case 5..<7: try workload.delete()
      case 7: try workload.database.seal()
      case 8: try workload.database.compact()
      default: try workload.reopen(closing: Bool.random(using: &workload.random))
      }
    }
    // A deletion can be forgotten only once no file has its sample.
    try workload.database.compact()
    try workload.database.compact()
    let statistics = try workload.database.statistics()
    #expect(statistics.deletedRowCount == 0)
    #expect(statistics.deletionCount == 0)

    let files = MemoryFileSystem()
    let new = try Database.inMemory(files, change)
    var batch = Batch()
    for key in Workload.types.map({ workload.database.key($0) }) {
      for row in try workload.database.snapshot().select([key], order: .any) {
        let extras = batch.intern(extras: row.block.extras(at: row.row).map { $0 })
        func same(_ symbol: Symbol) -> Symbol {
          new.symbols.intern(workload.database.symbols.name(symbol))
        }
        batch.add(
          subject: same(key.subject), type: same(key.type), id: row.id, start: row.start,
          end: row.block.end[row.row], value: row.value, unit: same(row.block.unit[row.row]),
          source: same(row.block.source[row.row]), extras: extras)
      }
    }
    try new.commit(batch)
    try new.compact()
    let expected = try bytes(files)
    // Sequence numbers with gaps take slightly more space.
    #expect(try bytes(workload.fileSystem) <= expected + expected / 10)
    #expect(try new.statistics().sampleCount == statistics.sampleCount)
  }

  @Test func `Statistics count every file of a store`() throws {
    var workload = try Workload(seed: 99) { $0.sealRowCount = 200 }
    for step in 0..<40 {
      try workload.commit()
      if step % 3 == 0 { try workload.delete() }
      if step % 5 == 0 { try workload.database.compact() }
      let statistics = try workload.database.statistics()
      #expect(
        workload.fileSystem.list("store")?.filter { $0 != "LOCK" }.count
          == statistics.segmentCount + statistics.logCount)
      #expect(try bytes(workload.fileSystem) == statistics.byteCount)
    }
  }

  @Test func `An unreadable file fails the statistics, a removed one does not`()
    throws
  {
    let files = HookedFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    try database.save()
    let byteCount = try database.statistics().byteCount
    #expect(byteCount > 0)
    files.beforeOpening = { _ in throw FaultyFileSystem.error }
    #expect(throws: FaultyFileSystem.error) { try database.statistics() }
    files.beforeOpening = { [memory = files.memory] in try memory.remove($0) }
    #expect(try database.statistics().byteCount == 0)
  }
}
