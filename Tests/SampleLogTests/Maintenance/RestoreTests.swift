import FoundationEssentials
@testable import SampleLog
import SampleLogSimulation
import Testing

/// Restoring backups, and the validity of anchors afterwards.
@Suite struct RestoreTests {
  private let files = MemoryFileSystem()

  private func open(_ path: String, _ mode: OpenMode = .readWrite) throws -> Database {
    try Database(path: path, mode: mode, options: testOptions(), fileSystem: files)
  }

  private func fill(_ database: Database, _ values: ClosedRange<Int>) throws {
    for value in values { try database.save(value: Double(value)) }
  }

  /// Translates a position of one store to another.
  private func place(_ sequence: UInt64, of giver: Database, in other: Database) throws -> UInt64 {
    try other.snapshot().check(giver.anchor(at: sequence)).sequence
  }

  @Test func `A copy's epoch is neither 0 nor a known one`() {
    let lineage = Lineage().adding(2, through: 5, end: 5)
    #expect(lineage.newEpoch(after: 1, random: 0) == 3)
    #expect(lineage.newEpoch(after: 3, random: 0) == 1)
    #expect(lineage.newEpoch(after: 1, random: 7) == 7)
  }

  @Test func `A lineage records the ends of epochs that a repair cut short`() {
    let lineage = Lineage().adding(1, through: 100, end: 100).adding(2, through: 50, end: 200)
    #expect(lineage.through(1) == 50)
    #expect(lineage.end(1) == 100)
    #expect(lineage.through(2) == 50)
    #expect(lineage.end(2) == 200)
    #expect(Lineage(lineage.encoded) == lineage)
    let unknown = lineage.including([2, 9], end: 200)
    #expect(unknown.through(9) == 0 && unknown.end(9) == 200 && unknown.through(2) == 50)
  }

  @Test func `A position of another store is refused although the epochs are equal`() throws {
    let stores = try ["store", "other"].map { try open($0) }
    for store in stores { try fill(store, 1...3) }
    #expect(stores[0].epoch == stores[1].epoch)
    #expect(throws: StoreError.anchorOfAnotherStore) {
      try place(2, of: stores[1], in: stores[0])
    }
    #expect(try place(2, of: stores[0], in: stores[0]) == 2)
  }

  @Test func `A restored store continues after the end of the backup`() throws {
    let original = try open("store")
    try fill(original, 1...5)
    try original.backup(to: "backup")
    let result = try Database.restore(
      from: "backup", to: "restored", options: testOptions(), fileSystem: files)
    #expect(result.end == 5)
    let restored = try open("restored")
    #expect(restored.epoch == result.epoch)
    #expect(restored.epoch != original.epoch)
    #expect(restored.storeID == original.storeID)
    #expect(try restored.values().sorted() == [1, 2, 3, 4, 5])
    try fill(restored, 6...7)
    try restored.compact()
    try restored.close()
    let again = try open("restored")
    #expect(try again.values().sorted() == [1, 2, 3, 4, 5, 6, 7])
    #expect(again.epoch == result.epoch)
    #expect(try Verification(path: "restored", fileSystem: files).isGood)
    #expect(try open("backup", .readOnly).values().count == 5)
  }

  @Test func `Anchors up to the backup remain valid and later ones stay refused`() throws {
    let original = try open("store")
    try fill(original, 1...5)
    try original.backup(to: "backup")
    try fill(original, 6...8)
    try Database.restore(
      from: "backup", to: "restored", options: testOptions(), fileSystem: files)
    for isGrown in [false, true] {
      let restored = try open("restored")
      if isGrown { try fill(restored, 100...120) }
      for sequence: UInt64 in 0...5 {
        #expect(try place(sequence, of: original, in: restored) == sequence)
      }
      for sequence: UInt64 in 6...8 {
        #expect(throws: StoreError.anchorFromTheFuture(anchor: sequence, end: 5)) {
          try place(sequence, of: original, in: restored)
        }
      }
      // Anchors of the restored store are valid in it, and not in the original.
      #expect(try place(6, of: restored, in: restored) == 6)
      #expect(throws: StoreError.anchorOfAnotherStore) {
        try place(3, of: restored, in: original)
      }
      if isGrown { try restored.compact() }
      try restored.close()
    }
  }

  @Test func `An anchor of a page that omitted a sample of the backup is refused`() throws {
    let original = try open("store")
    try fill(original, 1...3)
    try original.backup(to: "backup")
    // The page omits the first sample because its deletion follows.
    let first = try #require(try original.snapshot().changes(after: .beginning).changes.first)
    try original.delete(first.row.id)
    let page = try original.snapshot().changes(after: .beginning, limit: 1)
    #expect(page.anchor.sequence == 2 && page.anchor.horizon == 4)
    try Database.restore(
      from: "backup", to: "restored", options: testOptions(), fileSystem: files)
    let restored = try open("restored")
    try fill(restored, 10...20)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 4, end: 3)) {
      try restored.snapshot().changes(after: page.anchor)
    }
    #expect(try restored.snapshot().changes(after: original.anchor(at: 2)).changes.count == 12)
  }

  @Test func `Two stores restored from one backup refuse each other's anchors`() throws {
    let original = try open("store")
    try fill(original, 1...3)
    try original.backup(to: "backup")
    for name in ["one", "two"] {
      try Database.restore(from: "backup", to: name, options: testOptions(), fileSystem: files)
    }
    let (one, two) = (try open("one"), try open("two"))
    try fill(one, 10...12)
    try fill(two, 20...22)
    #expect(throws: StoreError.anchorOfAnotherStore) { try place(5, of: one, in: two) }
    #expect(throws: StoreError.anchorOfAnotherStore) { try place(5, of: two, in: one) }
  }

  @Test func `Every ancestor's anchors are valid as far as the history is shared`() throws {
    let first = try open("store")
    try fill(first, 1...3)
    try first.backup(to: "backup 1")
    try fill(first, 4...9)
    try Database.restore(
      from: "backup 1", to: "second", options: testOptions(), fileSystem: files)
    let second = try open("second")
    try fill(second, 10...14)
    try second.compact()
    let end = try second.backup(to: "backup 2").end
    try fill(second, 15...16)
    try Database.restore(
      from: "backup 2", to: "third", options: testOptions(), fileSystem: files)
    let third = try open("third")
    try fill(third, 20...40)
    #expect(try place(3, of: first, in: third) == 3)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: 4, end: 3)) {
      try place(4, of: first, in: third)
    }
    #expect(try place(end, of: second, in: third) == end)
    #expect(throws: StoreError.anchorFromTheFuture(anchor: end + 1, end: end)) {
      try place(end + 1, of: second, in: third)
    }
  }

  @Test(arguments: 0..<Trials.count(12, quick: 6))
  func `From every earlier anchor of the original the feed leads to the restored state`(
    seed: Int
  ) throws {
    var workload = try Workload(seed: UInt64(2000 + seed)) { $0.sealRowCount = 100 }
    for _ in 0..<12 { try workload.step() }
    try workload.database.backup(to: "backup")
    try Database.restore(
      from: "backup", to: "restored", options: testOptions(), fileSystem: workload.fileSystem)
    let restored = try Database(
      path: "restored", options: testOptions(), fileSystem: workload.fileSystem)
    let expected = Set(workload.model.state().map(\.saved))
    #expect(try restored.records() == expected)
    let floor = restored.snapshot().floor
    let step = max(1, Int(workload.model.end / 50))
    for anchor in stride(from: floor, through: workload.model.end, by: step) {
      let place = try place(anchor, of: workload.database, in: restored)
      #expect(try restored.fold(workload.model.state(anchor), after: place) == expected)
    }
  }

  @Test func `A damaged backup is not restored`() throws {
    let original = try open("store")
    try fill(original, 1...50)
    try original.seal()
    try original.backup(to: "backup", linksFiles: false)
    let name = try #require(files.list("backup")?.first { $0.hasSuffix(".segment") })
    let file = try files.open("backup/" + name, .update)
    try [0xFF, 0xFF].withUnsafeBytes { try file.write($0, at: 120) }
    #expect(throws: StoreError.self) {
      try Database.restore(
        from: "backup", to: "restored", options: testOptions(), fileSystem: files)
    }
    #expect(files.list("restored") ?? [] == [])
  }

  @Test func `A crash during a restore leaves a complete store or none that opens`() throws {
    let hooked = HookedFileSystem()
    let original = try Database(path: "store", options: testOptions(), fileSystem: hooked)
    try fill(original, 1...3)
    try original.seal()
    try fill(original, 4...5)
    try original.backup(to: "backup")
    var whole = 0
    func look() throws {
      let crashed = hooked.memory.copy()
      do {
        let store = try Database(
          path: "restored", mode: .readOnly, options: testOptions(), fileSystem: crashed)
        #expect(try store.values().count == 5)
        #expect(store.epoch != original.epoch)
        whole += 1
      } catch let error as StoreError {
        #expect(
          error == .isUnfinished(path: "restored") || error == .notAStore(path: "restored"))
      }
    }
    hooked.before = { _, _ in try look() }
    try Database.restore(
      from: "backup", to: "restored", options: testOptions(), fileSystem: hooked)
    hooked.before = { _, _ in }
    try look()
    #expect(whole == 2)
  }

  @Test func `A restored store can be restored from an empty log and from no files`() throws {
    let original = try open("store")
    try original.backup(to: "nothing")
    let empty = try Database.restore(
      from: "nothing", to: "from nothing", options: testOptions(), fileSystem: files)
    #expect(empty.end == 0)
    try fill(try open("from nothing"), 1...2)
    try fill(original, 1...2)
    try original.seal()
    try original.backup(to: "sealed")
    try Database.restore(
      from: "sealed", to: "from sealed", options: testOptions(), fileSystem: files)
    let store = try open("from sealed")
    try fill(store, 3...4)
    #expect(try store.values().count == 4)
  }
}
