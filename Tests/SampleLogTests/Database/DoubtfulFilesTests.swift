import FoundationEssentials
@testable import SampleLog
import SampleLogSimulation
import Testing

/// Files that are valid individually but contradict each other or their names.
@Suite final class DoubtfulFilesTests {
  private let files = MemoryFileSystem()

  init() { files.createDirectory("store") }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = try files.open("store/" + name, .create)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
  }

  private func write(_ logs: LogMaker...) throws {
    for log in logs { try write(log.name, log.bytes) }
  }

  /// The bytes of a segment that contains nothing but settings.
  private func segment(
    _ range: ClosedRange<UInt64>, generation: UInt32 = 0, epoch: UInt32 = 1, floor: UInt64 = 0,
    storeID: Identifier = Identifier(high: 1, low: 2), settings: [Setting] = []
  ) throws -> [UInt8] {
    let file = SegmentTestFile()
    let writer = try SegmentWriter(
      file: file,
      header: SegmentHeader(
        storeID: storeID, epoch: epoch, first: range.lowerBound, last: range.upperBound,
        generation: generation, floor: floor, deletedThrough: 0), symbols: SymbolTable())
    _ = try writer.finish(settings: settings)
    return file.bytes
  }

  private func write(_ range: ClosedRange<UInt64>, generation: UInt32 = 0, _ bytes: [UInt8]) throws
  {
    let name = FileNames.segment(
      first: range.lowerBound, last: range.upperBound, generation: generation)
    try write(name, bytes)
  }

  /// Opens the store with damage tolerated.
  private func open() throws -> Database {
    try Database.inMemory(files.copy(), mode: .readOnly) { $0.toleratesDamage = true }
  }

  private func log(_ first: UInt64) -> String { FileNames.log(first: first) }

  @Test func `A segment whose name contradicts its header is damage`() throws {
    let names: [(ClosedRange<UInt64>, UInt32)] = [(1...9, 2), (1...8, 3), (2...9, 3), (1...10, 3)]
    for (range, generation) in names {
      let name = FileNames.segment(
        first: range.lowerBound, last: range.upperBound, generation: generation)
      try write(range, generation: generation, segment(1...9, generation: 3))
      try write(LogMaker(first: range.upperBound + 1))
      let damages = try open().damages
      #expect(
        damages.last
          == Damage(file: name, offset: 0, reason: "the header does not agree with the file's name")
      )
      #expect(damages.count == (range.lowerBound == 1 ? 1 : 2))
      try files.remove("store/" + name)
      try files.remove("store/" + log(range.upperBound + 1))
    }
    try write(1...9, generation: 3, segment(1...9, generation: 3))
    #expect(try open().damages == [])
    #expect(try open().end == 9)
  }

  @Test func `Missing files are reported by their sequence numbers`() throws {
    try write(LogMaker(first: 5))
    #expect(
      try open().damages
        == [Damage(file: log(5), offset: 0, reason: "sequence numbers 1 to 4 are missing")])
    try files.remove("store/" + log(5))
    try write(4...5, segment(4...5))
    try write(8...9, segment(8...9))
    try write(LogMaker(first: 12))
    #expect(
      try open().damages == [
        Damage(
          file: FileNames.segment(first: 4, last: 5, generation: 0), offset: 0,
          reason: "sequence numbers 1 to 3 are missing"),
        Damage(
          file: FileNames.segment(first: 8, last: 9, generation: 0), offset: 0,
          reason: "sequence numbers 6 to 7 are missing"),
        Damage(file: log(12), offset: 0, reason: "sequence numbers 10 to 11 are missing"),
      ])
  }

  @Test func `A log identifies its predecessor`() throws {
    var one = LogMaker()
    try one.add(1)
    try write(one)
    for predecessor in [nil, LogEnd(first: 2, last: 1, length: one.end.length, chain: 0)] {
      try write(LogMaker(first: 3, predecessor: predecessor))
      #expect(
        try open().damages.first
          == Damage(
            file: log(3), offset: 0,
            reason: "the log before it, of \(log(1)), is not the one it names"))
      try files.remove("store/" + log(3))
    }
    try write(LogMaker(first: 3, predecessor: one.end))
    #expect(try open().damages == [])
  }

  @Test func `A log whose header contradicts its name is ignored`() throws {
    var one = LogMaker()
    try one.add(1)
    try write(one)
    try write(log(2), one.bytes)
    let database = try open()
    #expect(
      database.damages == [
        Damage(file: log(2), offset: 0, reason: "the header does not agree with the file's name")
      ])
    #expect(try database.values() == [1])
  }

  @Test func `A valid frame after the end that the successor states is ignored`() throws {
    var one = LogMaker()
    try one.add(1)
    let end = one.end
    try one.add(2)
    var two = LogMaker(first: 3, predecessor: end)
    try two.add(3)
    try write(one, two)
    let database = try open()
    #expect(database.damages == [])
    #expect(try database.values() == [1, 3])
    #expect(database.end == 3)
  }

  @Test func `A frame whose number belongs to the next log is ignored`() throws {
    var one = LogMaker()
    try one.add(1)
    try one.add(2)
    let two = LogMaker(
      first: 2,
      predecessor: {
        var end = one.end
        end.last = 1
        return end
      }())
    try write(one, two)
    let database = try open()
    #expect(try database.values() == [1])
    #expect(database.damages.map(\.file) == [one.name])
  }

  @Test func `A log that does not end where its successor states is damage`() throws {
    var one = LogMaker()
    try one.add(1)
    for change in [
      { $0.last += 1 }, { $0.chain ^= 1 }, { $0.length += 8 },
    ] as [(inout LogEnd) -> Void] {
      var end = one.end
      change(&end)
      try write(one, LogMaker(first: 3, predecessor: end))
      #expect(
        try open().damages == [
          Damage(
            file: one.name, offset: Int(one.end.length),
            reason: "the log ends at sequence number 1, its successor says at \(end.last)")
        ])
      for first in [1, 3] as [UInt64] { try files.remove("store/" + log(first)) }
    }
    // Damage before the end already explains it.
    var damaged = LogMaker()
    try damaged.add(1)
    let offset = Int(damaged.end.length)
    damaged.addGarbage(64)
    try damaged.add(2, first: 2)
    var end = damaged.end
    end.chain ^= 1
    try write(damaged, LogMaker(first: 3, predecessor: end))
    #expect(
      try open().damages == [
        Damage(
          file: damaged.name, offset: offset, reason: "64 bytes before a good frame are not a frame"
        )
      ])
    #expect(try open().values() == [1, 2])
  }

  @Test func `In the newest log only a later frame that lists it as durable proves damage`() throws
  {
    for durable in [1, 2] as [UInt64] {
      var log = LogMaker()
      try log.add(1)
      log.addGarbage(104)
      try log.add(3, first: 3, durable: durable)
      try write(log)
      let database = try open()
      #expect(database.damages.count == (durable > 1 ? 1 : 0))
      #expect(try database.values() == (durable > 1 ? [1, 3] : [1]))
      try files.remove("store/" + log.name)
    }
  }

  @Test(arguments: [FrameHeader.maximumPayload, 1000])
  func `A frame header that claims more bytes than the file has hides no later frame`(
    payload: Int
  ) throws {
    var log = LogMaker()
    try log.add(1)
    for _ in 0..<8 { log.addHeader(promising: payload) }
    try log.add(3, first: 3, durable: 2)
    try write(log)
    let database = try open()
    #expect(database.damages.map(\.reason) == ["512 bytes before a good frame are not a frame"])
    #expect(try database.values() == [1, 3])
  }

  @Test func `A frame after more damage than one read covers is found`() throws {
    var log = LogMaker()
    var random = Seeded(1)
    var payload = CommitPayload()
    let noise = (0..<2 << 17).map { _ in random.next() }
    payload.settings = [([1], noise.withUnsafeBytes { Array($0) })]
    try log.add(payload)
    // Reads cover 4 MiB: one ends 2 MiB after this offset, and the frame is in the next.
    let place = Int(log.end.length)
    log.addGarbage(5 << 20)
    try log.add(3, first: 3, durable: 2)
    try write(log)
    let database = try open()
    let reason = "5242880 bytes before a good frame are not a frame"
    #expect(database.damages == [Damage(file: log.name, offset: place, reason: reason)])
    #expect(try database.values() == [3])
  }

  @Test func `Frame headers without frames do not each start a scan`() throws {
    var log = LogMaker()
    try log.add(1)
    for _ in 0..<500 { log.addHeader(promising: 5 << 20) }
    try write(log.name, log.bytes + [UInt8](repeating: 0, count: 12 << 20))
    let disk = HookedFileSystem(files)
    var reads = 0
    disk.beforeReading = { _ in reads += 1 }
    let database = try Database(
      path: "store", mode: .readOnly, options: testOptions(), fileSystem: disk)
    #expect(try database.values() == [1])
    // Ten frames read about four times the file's size; then the headers are trusted.
    #expect(reads < 50)
  }

  @Test func `A store whose newest log is damaged continues in a log with a new name`() throws {
    var log = LogMaker()
    try log.add(1)
    try write(log)
    let garbage = [UInt8](repeating: 7, count: 4096)
    try write(self.log(2), garbage)
    let database = try Database.inMemory(files) { $0.toleratesDamage = true }
    try database.save(start: 2, value: 2)
    // A record takes at least one byte, so the garbage has no sequence number from here on.
    #expect(database.end == 4099)
    let successor = self.log(4099)
    let header = try LogReader(file: files.open("store/" + successor, .read), name: successor)
      .header
    #expect(header.history == 0, "frames may be missing, so a new chain begins")
    let file = try files.open("store/" + self.log(2), .read)
    #expect(try file.bytes(4096, at: 0) == garbage)
    #expect(try open().values() == [1, 2])
  }

  @Test func `Commits made next to an unreadable log survive together with the repaired ones`()
    throws
  {
    var one = LogMaker()
    try one.add(1)
    var two = LogMaker(first: 2, predecessor: one.end)
    for value in 2...4 { try two.add(Double(value)) }
    try write(one)
    try write(two.name, [7] + two.bytes.dropFirst())
    for value in [5.0, 6] {
      let database = try Database.inMemory(files) { $0.toleratesDamage = true }
      try database.save(start: value, value: value)
      try database.close()
    }
    #expect(try open().values() == [1, 5, 6])
    _ = try Database.repair(from: "store", to: "repaired", fileSystem: files)
    let repaired = try Database(path: "repaired", options: testOptions(), fileSystem: files)
    #expect(try repaired.values() == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [false, true])
  func `A reader reports damage only if it sees it twice`(staysDamaged: Bool) throws {
    var log = LogMaker()
    try log.add(1)
    let place = Int(log.end.length) + 8
    try log.add(2)
    try log.add(3)
    try write(log)
    let good = try #require(try files.open("store/" + log.name, .read).bytes(8, at: place))
    func put(_ bytes: [UInt8]) throws {
      let file = try files.open("store/" + log.name, .update)
      try bytes.withUnsafeBytes { try file.write($0, at: place) }
    }
    // A page of the log that another process is writing.
    try put([UInt8](repeating: 0, count: 8))
    let disk = HookedFileSystem(files)
    var looks = 0
    disk.beforeListing = {
      looks += 1
      if looks == 4, !staysDamaged { #expect(throws: Never.self) { try put(good) } }
    }
    let database = try Database(
      path: "store", mode: .readOnly, options: testOptions { $0.toleratesDamage = true },
      fileSystem: disk)
    #expect(looks == 6)
    #expect(database.damages.count == (staysDamaged ? 1 : 0))
    #expect(try database.values() == (staysDamaged ? [1, 3] : [1, 2, 3]))
  }

  @Test func `A reader that misses a log which is being created looks again`() throws {
    var one = LogMaker()
    try one.add(1)
    let end = one.end
    // A failed save, according to the next log.
    try one.add(2)
    try write(one)
    var two = LogMaker(first: 3, predecessor: end)
    try two.add(3)
    let disk = HookedFileSystem(files)
    var looks = 0
    disk.beforeListing = { [two] in
      looks += 1
      if looks == 3 { #expect(throws: Never.self) { try self.write(two) } }
    }
    let database = try Database(
      path: "store", mode: .readOnly, options: testOptions(), fileSystem: disk)
    #expect(try database.values() == [1, 3])
  }

  @Test func `A frame whose count contradicts its payload is invalid`() throws {
    for count in [0, 1, 3] {
      var log = LogMaker()
      try log.add(1)
      var payload = CommitPayload()
      payload.settings = [([1], [2]), ([2], [3])]
      try log.add(payload, count: count)
      try write(log)
      #expect(try open().end == 1)
      try files.remove("store/" + log.name)
    }
  }

  @Test func `A directory of invalid files only reports the damage of one of them`() throws {
    try write(log(1), [UInt8](repeating: 7, count: 4096))
    #expect(
      throws: StoreError.damaged(
        file: log(1), offset: 0, reason: "the header's checksum is wrong")
    ) { try open() }
    try files.remove("store/" + log(1))
    try write(log(1), [UInt8](repeating: 7, count: LogHeader.size - 1))
    #expect(
      throws: StoreError.damaged(
        file: log(1), offset: 0, reason: "the file is shorter than its header")
    ) { try open() }
  }

  @Test func `Of the files of two stores, the fewer or older ones are reported`() throws {
    let other = Identifier(high: 1, low: 3)
    func strange(_ name: String) -> Damage {
      Damage(file: name, offset: 0, reason: "the file is of another store")
    }
    try write(1...9, segment(1...9))
    try write(LogMaker(first: 10, storeID: other))
    // If the number of files is equal, the owner is the store with the first sequence number.
    let name = log(10)
    #expect(throws: StoreError.damaged(file: name, offset: 0, reason: strange(name).reason)) {
      try Database.inMemory(files.copy(), mode: .readOnly)
    }
    #expect(try open().damages.first == strange(name))
    try write(10...11, segment(10...11))
    #expect(try open().damages == [strange(log(10))])
    #expect(try open().end == 11)
  }

  @Test
  func `Of stores with equal numbers of files, the one with the newest log owns them`() throws {
    let other = Identifier(high: 1, low: 3)
    try write(LogMaker(first: 10, storeID: other))
    try write(20...29, segment(20...29))
    let stranger = FileNames.segment(first: 20, last: 29, generation: 0)
    let database = try open()
    #expect(database.storeID == other)
    #expect(
      database.damages.first
        == Damage(file: stranger, offset: 0, reason: "the file is of another store"))
  }

  /// The setting that begins an epoch.
  private func beginning(at sequence: UInt64, after epochs: UInt32...) -> Setting {
    var lineage = Lineage()
    for epoch in epochs {
      lineage = lineage.adding(epoch, through: sequence - 1, end: sequence - 1)
    }
    return Setting(key: Lineage.key, value: lineage.encoded, sequence: sequence)
  }

  @Test func `The newest file determines the epoch, and the highest floor of all segments counts`()
    throws
  {
    try write(1...4, segment(1...4, epoch: 5, floor: 4))
    try write(
      5...9, segment(5...9, epoch: 6, floor: 2, settings: [beginning(at: 5, after: 5)]))
    #expect(try open().epoch == 6)
    #expect(try open().snapshot().floor == 4)
    #expect(try open().end == 9)
    var log = LogMaker(first: 10, epoch: 7)
    var payload = CommitPayload()
    let setting = beginning(at: 10, after: 5, 6)
    payload.settings = [(setting.key, setting.value)]
    try log.add(payload)
    try write(log)
    #expect(try open().damages == [])
    #expect(try open().epoch == 7)
    #expect(try open().end == 10)
  }

  @Test func `An epoch that begins in the middle of its log is damage`() throws {
    var one = LogMaker()
    try one.add(1)
    let end = one.end
    try one.add(2)
    var two = LogMaker(first: 2, epoch: 7, predecessor: end)
    let setting = beginning(at: 2, after: 1)
    var payload = CommitPayload()
    payload.settings = [(setting.key, setting.value)]
    try two.add(payload)
    try write(one, two)
    let reason =
      "it begins another epoch behind sequence number 1 of \(one.name), which goes on to 2"
    #expect(try open().damages.contains(Damage(file: two.name, offset: 0, reason: reason)))
  }

  @Test
  func `A file of an epoch that the newest file does not list belongs to another copy`() throws {
    let names = [1...4, 5...9].map {
      FileNames.segment(first: $0.lowerBound, last: $0.upperBound, generation: 0)
    }
    try write(1...4, segment(1...4, epoch: 5))
    try write(5...9, segment(5...9, epoch: 6, settings: [beginning(at: 5, after: 4)]))
    #expect(
      try open().damages.first
        == Damage(file: names[0], offset: 0, reason: "the file is of another copy of the store"))
    try files.remove("store/" + names[1])
    try write(5...9, segment(5...9, epoch: 6))
    #expect(
      try open().damages
        == [
          Damage(file: names[1], offset: 0, reason: "the record of the epochs before 6 is missing")
        ])
  }

  @Test func `Files of a single epoch need no record of earlier epochs`() throws {
    try write(1...4, segment(1...4, epoch: 6))
    try write(5...9, segment(5...9, epoch: 6))
    #expect(try open().damages == [])
    #expect(try open().epoch == 6)
  }

  @Test func `The value of a setting with the highest sequence number counts`() throws {
    func setting(_ name: String, _ value: UInt64, _ sequence: UInt64) -> Setting {
      var writer = ByteWriter()
      writer.fixed(value)
      return Setting(
        key: Array("subscription/\(name)".utf8), value: writer.bytes, sequence: sequence)
    }
    try write(
      1...4, segment(1...4, settings: [setting("a", 3, 4), setting("a", 1, 2), setting("b", 1, 3)]))
    #expect(try open().acknowledgements == ["a": 3, "b": 1])
    var log = LogMaker(first: 5)
    var payload = CommitPayload()
    payload.settings = [setting("b", 2, 0), setting("b", 4, 0)].map { ($0.key, $0.value) }
    try log.add(payload)
    try write(log)
    #expect(try open().acknowledgements == ["a": 3, "b": 4])
  }

  @Test(arguments: [false, true])
  func `Replaced files are kept while their replacement may be damaged`(isDamaged: Bool) throws {
    try write(1...9, segment(1...9))
    try write(1...9, generation: 1, segment(1...9, generation: 1))
    var log = LogMaker(first: 10)
    try log.add(1)
    if isDamaged {
      log.addGarbage(64)
      try log.add(2, first: 12)
    }
    try write(log)
    try write(FileNames.segment(first: 1, last: 9, generation: 2) + ".tmp", [1])
    let database = try Database.inMemory(files) { $0.toleratesDamage = true }
    #expect(database.damages.count == (isDamaged ? 1 : 0))
    let names = try #require(files.list("store"))
    #expect(names.filter { $0.hasSuffix("-0000.segment") }.count == (isDamaged ? 1 : 0))
    #expect(names.filter { $0.hasSuffix("-0001.segment") }.count == 1)
    #expect(names.filter { $0.hasSuffix(".tmp") }.count == (isDamaged ? 1 : 0))
    try database.save(start: 9, value: 3)
    #expect(try Database.inMemory(files.copy()) { $0.toleratesDamage = true }.values().last == 3)
  }
}

extension DoubtfulFilesTests {
  @Test func `An unreadable deletion in a segment is reported when the store is opened`()
    throws
  {
    let database = try Database.inMemory(files)
    try database.delete(database.save())
    try database.seal()
    try database.close()
    let name = try #require(files.list("store")?.first { $0.hasSuffix(".segment") })
    let file = try files.open("store/" + name, .update)
    let good = try #require(try file.bytes(file.size(), at: 0))
    var found = 0
    for place in good.indices {
      let bad = [good[place] ^ 4]
      try bad.withUnsafeBytes { try file.write($0, at: place) }
      // If only rows are damaged, opening reads those of deletions.
      if (try? Segment(file: file, name: name, symbols: SymbolTable())) != nil {
        let damages = try open().damages
        #expect(damages.allSatisfy { $0.file == name })
        found += damages.count
      }
      try [good[place]].withUnsafeBytes { try file.write($0, at: place) }
    }
    // Opening reads two columns of a deletion, each of at least two bytes.
    #expect(found >= 4)
    #expect(try open().damages == [])
  }

  private func backup() throws -> (record: String, log: LogMaker) {
    var log = LogMaker()
    try log.add(1)
    try log.add(2)
    try write(log)
    let database = try Database.inMemory(files)
    try database.backup(to: "copy")
    try database.close()
    return ("copy/" + FileNames.backup, log)
  }

  private func damages() throws -> [Damage] {
    try Database(
      path: "copy", mode: .readOnly, options: testOptions { $0.toleratesDamage = true },
      fileSystem: files
    ).damages
  }

  @Test func `An invalid backup record is damage`() throws {
    let (record, _) = try backup()
    #expect(try damages() == [])
    try files.open(record, .update).truncate(to: 20)
    #expect(
      try damages()
        == [Damage(file: FileNames.backup, offset: 0, reason: "the record makes no sense")])
  }

  @Test func `A backup with later files than its record, or without files, is damage`() throws {
    let (_, log) = try backup()
    var more = log
    try more.add(3)
    let file = try files.open("copy/" + log.name, .update)
    try more.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    #expect(
      try damages() == [
        Damage(
          file: FileNames.backup, offset: 0,
          reason: "the files end at sequence number 3, the backup was made at 2")
      ])
  }
}
