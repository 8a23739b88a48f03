import Foundation
import SampleLog
import SampleLogSimulation
import Testing

/// Readers that run concurrently with a writer in another process.
@Suite struct TailingTests {
  /// A batch with the given number of samples of one operation.
  private func batch(_ database: Database, _ operation: UInt64, _ size: Int) -> Batch {
    var batch = Batch()
    for index in 0..<size {
      TortureRow(operation: operation, index: index, size: size).add(to: &batch, database.symbols)
    }
    return batch
  }

  @Test
  func `A refreshed reader sees every acknowledged save, and its earlier snapshots stay unchanged`()
    throws
  {
    let folder = try Folder()
    let writer = try Database(path: folder.path + "/store")
    let reader = try Database(path: writer.path, mode: .readOnly)
    for operation in 1...200 as ClosedRange<UInt64> {
      let before = reader.snapshot()
      try writer.commit(batch(writer, operation, 3))
      #expect(try reader.refresh())
      #expect(reader.end == writer.end)
      #expect(before.end == writer.end - 3)
      #expect(try TortureWriter.operations(before).count == Int(operation) - 1)
      #expect(try TortureWriter.operations(reader.snapshot()).count == Int(operation))
      #expect(try !reader.refresh(), "there were no commits")
      if operation % 50 == 0 { try writer.seal() }
      if operation % 80 == 0 { try writer.compact() }
      if operation % 30 == 0 {
        var batch = Batch()
        for index in 0..<3 {
          batch.delete(TortureRow(operation: operation, index: index, size: 3).id)
        }
        try writer.commit(batch)
        #expect(try reader.refresh())
        #expect(try TortureWriter.operations(reader.snapshot())[operation] == nil)
        try writer.commit(self.batch(writer, operation, 3))
        try reader.refresh()
      }
      if operation % 20 == 0 {
        try writer.acknowledge("place", through: operation)
        try reader.refresh()
        #expect(reader.acknowledgements["place"] == operation)
      }
    }
    try reader.close()
    #expect(throws: StoreError.closed) { try reader.refresh() }
  }

  @Test
  func `A subscription of a reader is notified of the commits that a refresh reveals`() throws {
    let folder = try Folder()
    let writer = try Database(path: folder.path + "/store")
    let reader = try Database(path: writer.path, mode: .readOnly)
    let notified = Locked<[UInt64]>([])
    let observation = reader.observe { notice in
      #expect(!notice.series.isEmpty)
      notified.withLock { $0.append(notice.end) }
    }
    try writer.commit(batch(writer, 1, 3))
    try reader.refresh()
    try writer.commit(batch(writer, 4, 3))
    try writer.seal()
    try reader.refresh()
    #expect(notified.withLock { $0 } == [3, 6])
    observation.cancel()
  }

  @Test func `A waiting reader is woken by a commit of another process`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    try Database(path: store).close()
    let reader = try Database(path: store, mode: .readOnly)
    #expect(try !reader.waitForChange(atMost: .seconds(0)))
    let ended = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = try? WriterRun(store, seed: 1, operations: 1)
      ended.signal()
    }
    #expect(try reader.waitForChange(atMost: .seconds(60)))
    #expect(reader.end > 0)
    ended.wait()
  }

  @Test func `A reader rejects a directory in which another store has replaced its own`() throws {
    let folder = try Folder()
    let store = folder.path + "/store"
    let old = folder.path + "/old"
    for _ in 0..<2 {
      let writer = try Database(path: store)
      try writer.commit(batch(writer, writer.end + 1, 3))
      try writer.close()
      if !FileManager.default.fileExists(atPath: old) {
        try FileManager.default.copyItem(atPath: store, toPath: old)
      }
    }
    let reader = try Database(path: store, mode: .readOnly)
    #expect(reader.end == 6)
    // An older copy with a segment, so that its files differ.
    let copy = try Database(path: old)
    try copy.seal()
    try copy.close()
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.moveItem(atPath: old, toPath: store)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 6, end: 3)) { try reader.refresh() }
    try FileManager.default.removeItem(atPath: store)
    let other = try Database(path: store)
    try other.seal()
    try other.commit(batch(other, 1, 3))
    try other.seal()
    #expect(throws: StoreError.anchorOfAnotherStore) { try reader.refresh() }
  }

  @Test
  func `Readers concurrent with a busy writer see complete batches, and all acknowledged ones`()
    throws
  {
    let folder = try Folder()
    let executable = try Programs.prove()
    var run = TortureRun(
      folder.path + "/store", seed: UInt64(Programs.number("SEED", default: 5)),
      executable: executable, arguments: ["writer"])
    // On a busy machine a writer may be killed before its first save.
    let rounds = UInt64(Programs.number("ROUNDS", default: Trials.count(15, quick: 6)))
    while run.round < rounds || run.observations == 0 && run.round < 50 * rounds {
      let problems = try run.next()
      #expect(problems == [])
    }
    #expect(run.observations > 0)
  }
}
