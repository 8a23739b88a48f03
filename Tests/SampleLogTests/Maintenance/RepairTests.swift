import Foundation
import SampleLog
import Testing

/// Damaged directories, their verification and their repair.
@Suite struct RepairTests {
  /// A store with two segments of several blocks each, one of them with deletions, and a log.
  private struct Damaged {
    private static let original = Result { try Damaged(MemoryFileSystem()) }

    private(set) var files: MemoryFileSystem
    let storeID: Identifier
    let epoch: UInt32
    let end: UInt64
    /// Every record of the store: samples by sequence number, and deletions.
    private(set) var samples: [UInt64: Model.Record] = [:]
    private(set) var deletions: Set<UInt64> = []
    /// The sequence numbers of live samples.
    private(set) var alive: Set<UInt64> = []

    /// Copies a store that is made once.
    init() throws {
      let original = try Self.original.get()
      self = original
      files = MemoryFileSystem()
      files.createDirectory("store")
      for (name, bytes) in try original.contents() { try write(name, bytes) }
    }

    /// Makes a store with an identifier of its own.
    init(_ files: MemoryFileSystem) throws {
      self.files = files
      let options = testOptions { $0.blockRowCount = 512 }
      let database = try Database(path: "store", options: options, fileSystem: files)
      var ids: [Identifier] = []
      func add(_ count: Int, _ type: String, deleting: [Identifier] = []) throws {
        var batch = Batch()
        let key = database.key(type)
        for index in 0..<count {
          let id = Identifier(UUID())
          ids.append(id)
          batch.add(
            subject: key.subject, type: key.type, id: id, start: Double(ids.count),
            end: Double(ids.count), value: Double(index % 50) + 0.5,
            unit: database.symbols.intern("unit"), source: database.symbols.intern("watch"))
        }
        for id in deleting { batch.delete(id) }
        try database.commit(batch)
      }
      try add(1125, "heartRate")
      try add(20, "stepCount")
      try database.acknowledge("reader", through: 1125)
      try database.seal()
      try add(625, "heartRate", deleting: Array(ids[10..<30]))
      try add(30, "bodyMass")
      try database.seal()
      for _ in 0..<4 { try add(10, "stepCount") }
      try add(5, "stepCount", deleting: Array(ids[40..<45]))
      try add(1, "stepCount")
      storeID = database.storeID
      epoch = database.epoch
      end = database.end
      let snapshot = database.snapshot()
      for change in try snapshot.changes(after: .beginning).changes {
        if change.kind == .sample {
          samples[change.sequence] = Model.Record(change.row)
          alive.insert(change.sequence)
        } else {
          deletions.insert(change.sequence)
        }
      }
      try database.close()
    }

    func names(_ suffix: String) -> [String] {
      (files.list("store") ?? []).filter { $0.hasSuffix(suffix) }.sorted()
    }

    func bytes(_ name: String) throws -> [UInt8] {
      let file = try files.open("store/" + name, .read)
      return try file.bytes(file.size(), at: 0) ?? []
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
      try? files.remove("store/" + name)
      let file = try files.open("store/" + name, .create)
      try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    func change(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
      var content = try bytes(name)
      change(&content)
      try write(name, content)
    }

    /// The contents of all source files, to detect changes.
    func contents() throws -> [String: [UInt8]] {
      var result: [String: [UInt8]] = [:]
      for name in files.list("store") ?? [] { result[name] = try bytes(name) }
      return result
    }

    func repair() throws -> (report: RepairReport, store: Database) {
      let before = try contents()
      let report = try Database.repair(
        from: "store", to: "repaired", options: testOptions(), fileSystem: files)
      #expect(try contents() == before, "the source has changed")
      let store = try Database(path: "repaired", options: testOptions(), fileSystem: files)
      #expect(try Verification(path: "repaired", fileSystem: files).damages == [])
      return (report, store)
    }

    /// Checks that the store has all samples except those with the given sequence numbers, and no
    /// others.
    func expectEverything(
      but lost: [ClosedRange<UInt64>], _ store: Database, back: Set<UInt64> = [],
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      var found: [UInt64: Model.Record] = [:]
      for record in try store.records() { found[record.sequence] = record }
      let isLost = { (sequence: UInt64) in lost.contains { $0.contains(sequence) } }
      for sequence in alive where !isLost(sequence) {
        if found[sequence] != samples[sequence] {
          Issue.record("\(sequence) was not recovered", sourceLocation: sourceLocation)
          return
        }
      }
      let known = alive.union(back)
      #expect(found.keys.allSatisfy { known.contains($0) }, sourceLocation: sourceLocation)
      for (sequence, record) in found where samples[sequence] != nil {
        if record != samples[sequence] { Issue.record("\(sequence) differs from the saved sample") }
      }
    }
  }

  /// The offsets of a segment's parts, from its footer.
  private struct Parts {
    var regions: [Range<Int>] = []
    var blocks: [Range<Int>] = []
    let size: Int

    init(_ bytes: [UInt8]) {
      size = bytes.count
      func word(_ offset: Int, _ count: Int = 8) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
      }
      let footer = bytes.count - 168
      for index in 0..<6 {
        let offset = word(footer + index * 20)
        regions.append(offset..<offset + word(footer + index * 20 + 8))
      }
      for entry in stride(from: regions[2].lowerBound, to: regions[2].upperBound, by: 192) {
        let offset = word(entry)
        let length = (0..<11).reduce(0) { $0 + word(entry + 16 + $1 * 4, 4) }
        blocks.append(offset..<offset + length)
      }
    }
  }

  /// Kinds of damage.
  enum Fault: CaseIterable, CustomTestStringConvertible {
    case flipped, zeroed, swapped

    var testDescription: String { "\(self)" }

    func apply(_ bytes: inout [UInt8], _ range: Range<Int>) {
      switch self {
      case .flipped: bytes[range.lowerBound + range.count / 2] ^= 0x10
      case .zeroed:
        let sector = range.lowerBound..<min(range.lowerBound + 512, range.upperBound)
        for index in sector { bytes[index] = 0 }
      case .swapped:
        let half = range.count / 2
        for index in 0..<half {
          bytes.swapAt(range.lowerBound + index, range.lowerBound + half + index)
        }
      }
    }
  }

  @Test func `An undamaged store is recovered completely`() throws {
    let damaged = try Damaged()
    let (report, store) = try damaged.repair()
    #expect(report.isWhole)
    #expect(report.mended.isEmpty)
    #expect(report.end == damaged.end)
    #expect(report.anchorsThrough == damaged.end)
    #expect(store.acknowledgements == ["reader": 1125])
    try damaged.expectEverything(but: [], store)
    #expect(
      report.sampleRows == damaged.alive.count + 25, "samples of the first segment are deleted")
    #expect(store.epoch == report.epoch && store.epoch != damaged.epoch)
  }

  @Test(arguments: Fault.allCases, [0, 1, 2, 3])
  func `A damaged block loses its own rows`(fault: Fault, block: Int) throws {
    let damaged = try Damaged()
    let name = damaged.names(".segment")[0]
    let parts = Parts(try damaged.bytes(name))
    try damaged.change(name) { fault.apply(&$0, parts.blocks[block]) }
    let verification = try Verification(path: "store", fileSystem: damaged.files)
    #expect(
      verification.damages.contains {
        $0.file == name && parts.blocks[block].contains($0.offset) && !$0.reason.isEmpty
      })
    let (report, store) = try damaged.repair()
    let loss = try #require(report.losses.first)
    #expect(report.losses.count == 1)
    #expect(loss.file == name)
    #expect(loss.bytes == parts.blocks[block])
    #expect(loss.deletions == 0)
    let range = try #require(loss.sequences)
    #expect(loss.samples == range.count)
    #expect(report.anchorsThrough == range.lowerBound - 1)
    try damaged.expectEverything(but: [range], store)
    let origin = Anchor.Origin(storeID: damaged.storeID, epoch: damaged.epoch)
    let seen = try store.snapshot().check(Anchor(sequence: range.lowerBound - 1, origin: origin))
    #expect(seen.sequence == range.lowerBound - 1)
    #expect(throws: StoreError.self) {
      try store.snapshot().check(Anchor(sequence: range.lowerBound, origin: origin))
    }
    #expect(store.acknowledgements["reader"] == min(1125, report.anchorsThrough))
  }

  @Test(arguments: Fault.allCases)
  func `A damaged block of deletions restores its samples and reports it`(fault: Fault) throws {
    let damaged = try Damaged()
    let name = damaged.names(".segment")[1]
    let parts = Parts(try damaged.bytes(name))
    let block = try #require(parts.blocks.last)
    try damaged.change(name) { fault.apply(&$0, block) }
    let (report, store) = try damaged.repair()
    let loss = try #require(report.losses.first)
    #expect(report.losses.count == 1)
    #expect(loss.deletions == 20)
    #expect(loss.samples == 0)
    try damaged.expectEverything(but: [], store, back: Set(11...30))
    #expect(try store.records().count == damaged.alive.count + 20)
    #expect(report.anchorsThrough == (try #require(loss.sequences)).lowerBound - 1)
  }

  @Test(arguments: Fault.allCases, [0, 1])
  func `A damaged header, footer, backup header or index of a segment loses nothing`(
    fault: Fault, file: Int
  ) throws {
    for part in 0..<6 {
      let damaged = try Damaged()
      let name = damaged.names(".segment")[file]
      let parts = Parts(try damaged.bytes(name))
      let range = [
        0..<80, parts.size - 168..<parts.size,
        parts.regions[3].upperBound..<parts.regions[4].lowerBound,
        parts.regions[4], parts.size - 100..<parts.size - 90, 4..<20,
      ][part]
      let whole = try damaged.bytes(name)
      try damaged.change(name) { fault.apply(&$0, range) }
      if try damaged.bytes(name) == whole { continue }
      let verification = try Verification(path: "store", fileSystem: damaged.files)
      #expect(verification.damages.contains { $0.file == name }, "part \(part)")
      let (report, store) = try damaged.repair()
      #expect(report.losses == [], "part \(part)")
      #expect(report.mended.contains { $0.file == name }, "part \(part)")
      try damaged.expectEverything(but: [], store)
      #expect(report.anchorsThrough == damaged.end)
    }
  }

  @Test func `A damaged directory entry loses its own block`() throws {
    for (at, loses) in [(0, true), (8, true), (16, true), (60, true), (130, false), (184, true)] {
      let damaged = try Damaged()
      let name = damaged.names(".segment")[0]
      let parts = Parts(try damaged.bytes(name))
      try damaged.change(name) { $0[parts.regions[2].lowerBound + 192 + at] ^= 0x04 }
      #expect(!(try Verification(path: "store", fileSystem: damaged.files).isGood))
      let (report, store) = try damaged.repair()
      #expect(report.losses.count == (loses ? 1 : 0), "byte \(at)")
      #expect(try store.records().count == damaged.alive.count - (loses ? 512 : 0), "byte \(at)")
      try damaged.expectEverything(but: loses ? [513...1024] : [], store)
      if loses { #expect(report.anchorsThrough == 0, "any number of the segment may be lost") }
    }
  }

  @Test func `Unreadable names lose their file and no other`() throws {
    for region in [0, 1] {
      let damaged = try Damaged()
      let name = damaged.names(".segment")[1]
      let parts = Parts(try damaged.bytes(name))
      try damaged.change(name) { $0[parts.regions[region].lowerBound + 9] ^= 1 }
      let (report, store) = try damaged.repair()
      let range = try #require(report.losses.first?.sequences)
      #expect(report.losses.count == 1)
      #expect(report.losses[0].file == name)
      try damaged.expectEverything(but: [range], store, back: Set(11...30))
      #expect(range == 1147...1821)
    }
  }

  @Test func `A truncated segment yields the remaining blocks`() throws {
    let damaged = try Damaged()
    let name = damaged.names(".segment")[0]
    let whole = try damaged.bytes(name)
    let parts = Parts(whole)
    for length in [
      whole.count - 1, whole.count - 168, parts.regions[5].lowerBound,
      parts.regions[4].lowerBound + 5,
    ] {
      try damaged.write(name, Array(whole.prefix(length)))
      let (report, store) = try damaged.repair()
      #expect(report.losses == [])
      try damaged.expectEverything(but: [], store)
      try store.close()
      for file in damaged.files.list("repaired") ?? [] {
        try damaged.files.remove("repaired/" + file)
      }
    }
    // Without the backup footer the offsets are unknown.
    try damaged.write(name, Array(whole.prefix(parts.blocks[1].upperBound)))
    let (report, store) = try damaged.repair()
    #expect(report.losses.map(\.sequences) == [1...1146])
    try damaged.expectEverything(but: [1...1146], store)
  }

  @Test func `A missing segment loses its own rows`() throws {
    for number in [0, 1] {
      let damaged = try Damaged()
      try damaged.files.remove("store/" + damaged.names(".segment")[number])
      let verification = try Verification(path: "store", fileSystem: damaged.files)
      #expect(verification.damages.contains { $0.reason.contains("are missing") })
      let (report, store) = try damaged.repair()
      let range: ClosedRange<UInt64> = number == 0 ? 1...1146 : 1147...1821
      #expect(report.losses.map(\.sequences) == [range])
      #expect(report.losses[0].file.isEmpty)
      try damaged.expectEverything(but: [range], store, back: Set(11...30))
      #expect(store.end >= damaged.end)
    }
  }

  @Test
  func `Segments with swapped names are both lost, and one of another store is lost alone`() throws
  {
    let damaged = try Damaged()
    let names = damaged.names(".segment")
    let contents = try names.map { try damaged.bytes($0) }
    try damaged.write(names[0], contents[1])
    try damaged.write(names[1], contents[0])
    let verification = try Verification(path: "store", fileSystem: damaged.files)
    #expect(verification.damages.filter { $0.reason.contains("file's name") }.count == 2)
    let (report, store) = try damaged.repair()
    #expect(Set(report.losses.map(\.file)) == Set(names))
    try damaged.expectEverything(but: [1...1821], store)
    let other = try Damaged(MemoryFileSystem())
    let mixed = try Damaged()
    let foreign = other.names(".segment")[1]
    try mixed.write(foreign, try other.bytes(foreign))
    let second = try mixed.repair()
    #expect(second.report.losses.count == 1, "\(second.report.losses)")
  }

  @Test func `An older generation replaces an unreadable one`() throws {
    let damaged = try Damaged()
    let name = damaged.names(".segment")[0]
    let newer = name.replacing("-0000.", with: "-0001.")
    try damaged.write(newer, [UInt8](repeating: 7, count: 500))
    let (report, store) = try damaged.repair()
    #expect(report.isWhole)
    #expect(report.mended.map(\.file) == [newer])
    try damaged.expectEverything(but: [], store)
  }

  // MARK: Logs

  /// The ranges of a log's frames.
  private func frames(_ bytes: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var offset = LogHeader.size
    while offset + 64 <= bytes.count, bytes[offset] == 0x53 {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << ($1 * 8) }
      let end = offset + ((FrameHeader.size + length + 7) & ~7)
      result.append(offset..<end)
      offset = end
    }
    return result
  }

  @Test(arguments: Fault.allCases, [0, 2, 4])
  func `A damaged frame loses its own commit`(fault: Fault, number: Int) throws {
    let damaged = try Damaged()
    let name = try #require(damaged.names(".log").first)
    let frame = frames(try damaged.bytes(name))[number]
    try damaged.change(name) { fault.apply(&$0, frame) }
    let verification = try Verification(path: "store", fileSystem: damaged.files)
    #expect(verification.damages.contains { $0.file == name && $0.offset == frame.lowerBound })
    let (report, store) = try damaged.repair()
    let loss = try #require(report.losses.first)
    #expect(report.losses.count == 1)
    #expect(loss.bytes == frame)
    let first = 1822 + UInt64(number) * 10
    #expect(loss.sequences == first...first + 9)
    // The last of these frames has deletions, so their samples return.
    try damaged.expectEverything(but: [first...first + 9], store, back: Set(41...45))
    #expect(report.anchorsThrough == first - 1)
  }

  @Test(arguments: Fault.allCases)
  func `A damaged log header loses nothing`(fault: Fault) throws {
    let damaged = try Damaged()
    let name = try #require(damaged.names(".log").first)
    try damaged.change(name) { fault.apply(&$0, 0..<100) }
    let verification = try Verification(path: "store", fileSystem: damaged.files)
    #expect(verification.damages.contains { $0.file == name && $0.offset == 0 })
    let (report, store) = try damaged.repair()
    #expect(report.losses == [])
    #expect(report.mended.map(\.file) == [name])
    try damaged.expectEverything(but: [], store)
  }

  @Test func `A store of one log without a header is repaired as a new store`() throws {
    let files = MemoryFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    for value in 1...3 { try database.save(value: Double(value)) }
    try database.close()
    let name = try #require(files.list("store")?.first { $0.hasSuffix(".log") })
    let file = try files.open("store/" + name, .update)
    try [UInt8](repeating: 0, count: 128).withUnsafeBytes { try file.write($0, at: 0) }
    let report = try Database.repair(
      from: "store", to: "repaired", options: testOptions(), fileSystem: files)
    #expect(report.isWhole)
    let store = try Database(path: "repaired", options: testOptions(), fileSystem: files)
    #expect(try store.values() == [1, 2, 3])
    #expect(throws: StoreError.anchorOfAnotherStore) {
      try store.snapshot().check(database.anchor(at: 1))
    }
  }

  @Test func `A missing log between others loses its own commits`() throws {
    let disk = FaultyFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    for value in 1...3 {
      try database.save(value: Double(value))
      disk.faults = .write
      #expect(throws: StoreError.self) { try database.save(value: 99) }
      disk.faults = []
    }
    let files = disk.memory.copy()
    let names = (files.list("store") ?? []).filter { $0.hasSuffix(".log") }.sorted()
    #expect(names.count == 3)
    try files.remove("store/" + names[1])
    let report = try Database.repair(
      from: "store", to: "repaired", options: testOptions(), fileSystem: files)
    #expect(report.losses.count == 1)
    let store = try Database(path: "repaired", options: testOptions(), fileSystem: files)
    #expect(try store.values() == [1, 3])
  }

  @Test
  func `A directory without a store is not repaired, and a non-empty target is refused`() throws {
    let files = MemoryFileSystem()
    #expect(throws: StoreError.notAStore(path: "nothing")) {
      try Database.repair(from: "nothing", to: "x", options: testOptions(), fileSystem: files)
    }
    let damaged = try Damaged()
    #expect(throws: StoreError.notEmpty(path: "store")) {
      try Database.repair(
        from: "store", to: "store", options: testOptions(), fileSystem: damaged.files)
    }
  }

  @Test func `A store that is open for writing is in use, and can be repaired afterwards`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/repair-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (store, new) = (folder + "/store", folder + "/new")
    let database = try Database(path: store, options: testOptions())
    try database.save(value: 5)
    #expect {
      try Database.repair(from: store, to: new)
    } throws: { error in
      guard case StoreError.locked(store, _) = error else { return false }
      return true
    }
    #expect(!FileManager.default.fileExists(atPath: new))
    try database.close()
    #expect(try Database.repair(from: store, to: new).isWhole)
    // Repair releases the lock.
    try Database(path: store, options: testOptions()).save(value: 6)
    #expect(try Database(path: new, options: testOptions()).values() == [5])
  }

  @Test func `A file that is removed during a repair means that the store is in use`() throws {
    let files = HookedFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: files)
    for _ in 0..<2 {
      try database.save()
      try database.seal()
    }
    files.beforeOpening = { path in
      guard path.hasSuffix(".segment") else { return }
      files.beforeOpening = { _ in }
      _ = try database.compact()
    }
    #expect(throws: StoreError.locked(path: "store", holder: "another process")) {
      try Database.repair(from: "store", to: "new", fileSystem: files)
    }
    #expect(try Database.repair(from: "store", to: "new", fileSystem: files).isWhole)
  }
}
