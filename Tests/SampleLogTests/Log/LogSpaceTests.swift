import FoundationEssentials
import SampleLog
import SampleLogSimulation
import Testing

/// The log's disk operations and their order.
@Suite final class LogSpaceTests {
  private enum Step: Equatable {
    case reserve(Int)
    case write(Range<Int>)
    case sync
    case truncate
  }

  private struct Full: Error {}

  private let disk = HookedFileSystem()
  private var steps: [Step] = []
  private var capacity = Int.max

  init() {
    disk.beforeReserving = { [unowned self] path, length in
      guard length <= capacity else { throw Full() }
      steps.append(.reserve(length))
    }
    disk.beforeWriting = { [unowned self] path, range in
      if path.contains(".log") { steps.append(.write(range)) }
    }
    disk.before = { [unowned self] operation, path in
      guard path.contains(".log") else { return }
      if operation == "sync" { steps.append(.sync) }
      if operation == "truncate" { steps.append(.truncate) }
    }
  }

  private func open(zeros: Int = 4096) throws -> Database {
    try Database(
      path: "store", options: testOptions { $0.zeroByteCount = zeros }, fileSystem: disk)
  }

  /// The disk operations of a body.
  private func traced(_ body: () throws -> Void) rethrows -> [Step] {
    steps = []
    try body()
    return steps
  }

  /// The range of the frame that a save wrote last.
  private func saved(_ database: Database, metadata count: Int = 0) throws -> Range<Int> {
    var random = Seeded(UInt64(count))
    var extras = Extras()
    let noise = (0..<count / 8).map { _ in random.next() }
    extras.metadata = noise.withUnsafeBytes { Array($0) }
    try database.save(extras: extras)
    let writes = steps.compactMap { step in
      if case .write(let range) = step { range } else { nil }
    }
    return try #require(writes.last)
  }

  @Test func `A small save is one write and one sync, into preallocated zeros`() throws {
    let database = try open()
    var frame = 0..<0
    let first = try traced { frame = try saved(database) }
    #expect(frame.lowerBound == LogHeader.size)
    let zeros = LogHeader.size..<frame.upperBound + 4096
    #expect(first == [.reserve(4 << 20), .write(zeros), .write(frame), .sync])
    var zeroed = zeros.upperBound
    for _ in 0..<60 {
      let end = frame.upperBound
      let more = try traced { frame = try saved(database) }
      #expect(frame.lowerBound == end)
      if frame.upperBound <= zeroed {
        #expect(more == [.write(frame), .sync])
      } else {
        // The zeros continue after the previous ones.
        #expect(more == [.write(zeroed..<frame.upperBound + 4096), .write(frame), .sync])
        zeroed = frame.upperBound + 4096
      }
    }
    #expect(zeroed > 8192)
    // The bytes after a large frame are not known to be zeros.
    let large = try traced { frame = try saved(database, metadata: 20_000) }
    #expect(large == [.write(frame), .sync])
    let end = frame.upperBound
    let next = try traced { frame = try saved(database) }
    #expect(next == [.write(end..<frame.upperBound + 4096), .write(frame), .sync])
  }

  @Test func `Zeros are preallocated for frames of up to sixteen kibibytes`()
    throws
  {
    let database = try open(zeros: 0)
    var sizes: Set<Int> = []
    for count in stride(from: 16_096, to: 16_400, by: 8) {
      var frame = 0..<0
      let found = try traced { frame = try saved(database, metadata: count) }
      sizes.insert(frame.count)
      #expect(found.contains(.write(frame)) && found.last == .sync)
      #expect(found.count { $0 == .write(frame) } == (frame.count <= 16 << 10 ? 2 : 1))
    }
    #expect(sizes.isSuperset(of: [16 << 10, 16 << 10 + 8]))
  }

  @Test func `Space for a frame is reserved before it is written, in whole steps`() throws {
    let database = try open()
    var frame = 0..<0
    _ = try traced { frame = try saved(database) }
    let large = try traced { frame = try saved(database, metadata: 9 << 20) }
    #expect(frame.upperBound > 9 << 20)
    #expect(large == [.reserve(12 << 20), .write(frame), .sync])
    // A full disk does not matter while the reserved space lasts.
    capacity = 0
    let small = try traced { frame = try saved(database) }
    #expect(!small.contains { if case .reserve = $0 { true } else { false } })
    #expect(throws: Full.self) { try saved(database, metadata: 4 << 20) }
  }

  @Test func `The last space of a disk is reserved for deletions`() throws {
    capacity = 200_000
    let database = try open()
    var ids: [Identifier] = []
    var end = 0
    do {
      while ids.count < 10_000 {
        ids.append(try database.save())
        end = try saved(database, metadata: 1000).upperBound
      }
    } catch is Full {}
    let growingEnd = capacity - 64 << 10
    #expect(growingEnd - 2000...growingEnd ~= end)
    let refused = traced { #expect(throws: Full.self) { try saved(database, metadata: 1000) } }
    #expect(refused == [])
    // A deletion is about as large as the sample.
    for id in ids { try database.delete(id) }
    #expect(throws: Full.self) { try database.save() }
    #expect(try afterDeath().values() == database.values())
  }

  @Test func `A frame whose sync failed is overwritten, and no other bytes are`() throws {
    let database = try open()
    try database.save()
    let note = disk.before
    var failures = 1
    disk.before = { operation, path in
      try note(operation, path)
      guard operation == "sync", path.contains(".log"), failures > 0 else { return }
      failures -= 1
      throw Full()
    }
    let failed = traced { #expect(throws: Full.self) { try database.save() } }
    guard case .write(let frame)? = failed.first else {
      Issue.record("Nothing was written.")
      return
    }
    #expect(failed.prefix(4) == [.write(frame), .sync, .write(frame), .sync])
  }

  private func afterDeath() throws -> Database {
    try Database(path: "store", options: testOptions(), fileSystem: disk.memory.copy())
  }

  private func logPath() throws -> String {
    "store/" + (try #require(disk.list("store")?.first { $0.hasSuffix(".log") }))
  }

  @Test(arguments: [1, 100, 1 << 20, 5 << 19 + 13])
  func `The remains of a torn write are overwritten and synced before truncation`(count: Int) throws
  {
    let database = try open()
    try database.save(value: 1)
    try database.close()
    let file = try disk.memory.open(logPath(), .update)
    let end = try file.size()
    let garbage = [UInt8](repeating: 0xA5, count: count)
    try garbage.withUnsafeBytes { try file.write($0, at: end) }
    let note = disk.before
    var wasCleared = false
    disk.before = { operation, path in
      if operation == "truncate" {
        let left = try file.bytes(count, at: end)
        wasCleared = left == [UInt8](repeating: 0, count: count)
      }
      try note(operation, path)
    }
    steps = []
    let again = try open()
    #expect(wasCleared)
    let cut = try #require(steps.firstIndex(of: .truncate))
    #expect(steps[cut - 1] == .sync)
    #expect(steps.last == .sync)
    #expect(try file.size() == end)
    #expect(try again.values() == [1])
  }

  @Test func `Opening rewrites only frames that no later frame states to be durable`() throws {
    var database = try open()
    var frame = 0..<0
    for _ in 0..<50 { frame = try saved(database) }
    try database.close()
    var opening = try traced { database = try open() }
    #expect(opening == [.write(frame), .sync])
    try database.close()
    database = try Database(
      path: "store", options: testOptions { $0.durability = .buffered }, fileSystem: disk)
    let end = frame.upperBound
    for _ in 0..<50 { frame = try saved(database) }
    try database.close()
    // The last frame lists no preceding one as durable.
    opening = try traced { database = try open() }
    #expect(opening == [.write(end..<frame.upperBound), .sync])
    try database.close()
  }

  @Test func `Opening rewrites from the first frame that no other states to be durable`() throws {
    var log = LogMaker()
    var ends: [Int] = []
    for (value, durable) in [(1, 0), (2, 0), (3, 1)] as [(Double, UInt64)] {
      try log.add(value, durable: durable)
      ends.append(Int(log.end.length))
    }
    disk.memory.createDirectory("store")
    let file = try disk.memory.open("store/" + log.name, .create)
    try log.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    let opening = try traced { _ = try open() }
    #expect(opening.prefix(2) == [.write(ends[0]..<ends[2]), .sync])
  }

  @Test
  func `A log that was being created when its process died does not prevent opening`() throws {
    disk.memory.createDirectory("store")
    _ = try disk.memory.open(
      "store/" + FileNames.log(first: 1) + FileNames.temporarySuffix, .create)
    let database = try open()
    try database.save(value: 1)
    #expect(try afterDeath().values() == [1])
  }
}
