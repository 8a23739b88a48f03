import SampleLog
import Testing

@testable import SampleLogSimulation

/// The deletion floor, at every sequence number and through every crash.
@Suite struct FloorTests {
  private func options() -> Database.Options {
    var options = Database.Options()
    options.sealsInBackground = false
    options.deletionRetention = .seconds(-1)
    options.clock = { 0 }
    return options
  }

  private func id(_ number: UInt64) -> Identifier { Identifier(high: 7, low: number) }

  /// Six samples in two files, then a file with the deletions of one of each.
  private func fill(_ database: Database) throws {
    let subject = database.symbols.intern("ada")
    let type = database.symbols.intern("steps")
    for group in 0..<2 as Range<UInt64> {
      var batch = Batch()
      for number in group * 3..<group * 3 + 3 {
        batch.add(
          subject: subject, type: type, id: id(number), start: Double(number), end: Double(number),
          value: Double(number))
      }
      try database.commit(batch)
      try database.seal()
    }
    var batch = Batch()
    batch.delete(id(1))
    batch.delete(id(4))
    try database.commit(batch)
    try database.seal()
  }

  /// Reads from every sequence number and checks the results against the store's floor.
  private func check(_ database: Database, _ comment: Comment) throws {
    let snapshot = database.snapshot()
    #expect([0, 8].contains(snapshot.floor), comment)
    #expect(snapshot.end == 8, comment)
    for place in 0...UInt64(9) {
      do {
        let page = try snapshot.changes(after: Anchor(sequence: place))
        #expect(place == 0 || (place >= snapshot.floor && place <= 8), comment)
        let alive = [1, 3, 4, 6].filter { UInt64($0) > place }
        let gone = snapshot.floor == 0 ? [7, 8].filter { UInt64($0) > place } : []
        #expect(page.changes.map { Int($0.sequence) } == alive + gone, comment)
      } catch StoreError.anchorExpired(let anchor, let floor) {
        #expect(anchor == place && floor == snapshot.floor && place < floor && place > 0, comment)
      } catch StoreError.anchorFromTheFuture(let anchor, _) {
        #expect(anchor == place && place > 8, comment)
      }
    }
  }

  private final class Cutter: Sendable {
    let state = Locked((left: 0, files: MemoryFileSystem?.none))
  }

  @Test func `A crash in a compaction that raises the floor leaves the old floor or the new one`()
    throws
  {
    var floors: Set<UInt64> = []
    for cut in 1... {
      let files = MemoryFileSystem()
      let cutter = Cutter()
      let stepping = SteppingFileSystem(files) {
        cutter.state.withLock { state in
          state.left -= 1
          if state.left == 0 { state.files = files.copy() }
        }
      }
      let database = try Database(path: "store", options: options(), fileSystem: stepping)
      try fill(database)
      try check(database, "before")
      cutter.state.withLock { $0.left = cut }
      try database.compact()
      try check(database, "after")
      #expect(database.snapshot().floor == 8)
      guard let left = cutter.state.withLock({ $0.files }) else {
        #expect(cut > 5, "a compaction of more than five operations")
        break
      }
      let again = try Database(path: "store", options: options(), fileSystem: left)
      try check(again, "cut before operation \(cut)")
      floors.insert(again.snapshot().floor)
      try again.compact()
      #expect(again.snapshot().floor == 8, "compacted again after a cut before \(cut)")
      try check(again, "compacted again after a cut before \(cut)")
    }
    #expect(floors == [0, 8], "cuts before and after the decision")
  }

  @Test func `Removing a durable subscription that stalls lets the floor rise`() throws {
    let database = try Database(
      path: "store", options: options(), fileSystem: MemoryFileSystem())
    try database.acknowledge("stalled", through: 0)
    try fill(database)
    try database.compact()
    #expect(database.snapshot().floor == 0)
    try database.removeAcknowledgement("stalled")
    try database.compact()
    #expect(database.snapshot().floor == 9)
  }

  @Test func `A subscription cannot begin below the floor of a running compaction`() throws {
    let database = try Database(
      path: "store", options: options(), fileSystem: MemoryFileSystem())
    try fill(database)
    var refused = 0
    try database.compact(progress: { progress in
      // The compaction decides its floor before it copies the first row.
      guard progress.rowsDone > 0 else { return }
      do { try database.acknowledge("late", through: 3) } catch { refused += 1 }
    })
    #expect(refused > 0)
    let place = database.acknowledgements["late"]
    #expect(place == nil || database.snapshot().floor <= 3)
  }

  @Test func `Acknowledgements under one name never move back, in any order of threads`() throws {
    let database = try Database(
      path: "store", options: options(), fileSystem: MemoryFileSystem())
    try fill(database)
    let notified = Locked<UInt64>(0)
    runThreads(8) { thread in
      for place in 1...UInt64(8) where (thread + Int(place)) % 2 == 0 {
        do { try database.acknowledge("shared", through: place) } catch { continue }
        let now = database.acknowledgements["shared"] ?? 0
        if now < place { Issue.record("\(place) was acknowledged but the store has \(now)") }
        notified.withLock { $0 = max($0, place) }
      }
    }
    #expect(database.acknowledgements["shared"] == notified.withLock { $0 })
  }
}
