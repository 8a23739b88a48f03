import Foundation
import HealthStore
import HealthTransferServer
import SampleLog
import Testing

@testable import HealthTransfer

@Suite struct ReceivingTests {
  private let database: HealthDatabase
  private let server: HKHealthStore
  private let device = UUID()

  init() throws {
    database = try HealthDatabase.inMemory()
    server = database.store(subject: "ada")
  }

  /// A heart rate in a phone's encoding.
  private func beat(
    _ value: Double, id: UUID = UUID(), metadata: [String: Any]? = nil
  ) -> TransferSample {
    var sample = TransferSample(
      id: id, type: "HKQuantityTypeIdentifierHeartRate", start: 800_000_000, end: 800_000_000,
      source: OriginForm.bytes(Phone.revision), device: OriginForm.bytes(Phone.device))
    sample.value = value
    sample.unit = "count/min"
    sample.metadata = MetadataForm.bytes(metadata)
    return sample
  }

  private func batch(
    _ number: UInt64, _ samples: [TransferSample] = [], deleting deletions: [UUID] = [],
    from device: UUID? = nil, anchor: UInt8 = 1, cursor: UInt64 = 7
  ) -> TransferBatch {
    TransferBatch(
      device: device ?? self.device, number: number, cursor: cursor, anchor: [anchor],
      samples: samples, deletions: deletions)
  }

  private func beats(_ store: HKHealthStore) async throws -> [Double] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))], sortDescriptors: []
    ).result(for: store).map { $0.quantity.doubleValue(for: Phone.perMinute) }.sorted()
  }

  @Test func `A repeated batch is acknowledged and changes nothing`() async throws {
    let sample = beat(60)
    let first = try await server.receive(batch(1, [sample]))
    #expect(!first.isRepeated && first.addedCount == 1 && first.reply.number == 1)
    let again = try await server.receive(batch(1, [sample]))
    #expect(again.isRepeated && again.addedCount == 0 && again.reply == first.reply)
    #expect(again.reply.anchors == [7: [1]])
    #expect(try await beats(server) == [60])
  }

  @Test(arguments: 0...5)
  func `A batch rebuilt with other content is saved like a new one`(
    way: Int
  ) async throws {
    let (first, second, third) = (beat(60), beat(61), beat(62))
    let gone = UUID()
    _ = try await server.receive(batch(1, [beat(50)]))
    _ = try await server.receive(batch(2, [first, second], deleting: [gone]))
    let (changed, expected): (TransferBatch, [Double]) =
      switch way {
      // Newer samples, another limit, another order, a sample deleted since, only deletions, and
      // another cursor with a sample that both batches have.
      case 0: (batch(2, [first, second, third], anchor: 9), [50, 60, 61, 62])
      case 1: (batch(2, [first], anchor: 9), [50, 60, 61])
      case 2: (batch(2, [third, second, first], anchor: 9), [50, 60, 61, 62])
      case 3: (batch(2, [third], deleting: [gone, first.id], anchor: 9), [50, 61, 62])
      case 4: (batch(2, deleting: [first.id, second.id], anchor: 9), [50])
      default: (batch(2, [third, first], anchor: 9, cursor: 8), [50, 60, 61, 62])
      }
    let receipt = try await server.receive(changed)
    #expect(receipt.reply.number == 2)
    #expect(receipt.reply.anchors == [changed.cursor: [9]])
    #expect(try await beats(server) == expected)
    #expect(try await server.receive(changed).isRepeated)
    // The first version of the batch is not taken for another phone's either.
    _ = try await server.receive(batch(2, [first, second], deleting: [gone]))
    _ = try await server.receive(batch(3, [beat(70)]))
    #expect(try await beats(server).last == 70)
  }

  @Test(arguments: [[], [UUID()]])
  func `A batch that shares nothing with the last one is another phone's, even if empty`(
    deletions: [UUID]
  ) async throws {
    _ = try await server.receive(batch(1, [beat(60)]))
    await #expect(throws: TransferConflict.self) { try await server.receive(batch(1, [beat(61)])) }
    await #expect(throws: TransferConflict.self) {
      try await server.receive(batch(1, deleting: deletions))
    }
    #expect(try await beats(server) == [60])
    // Each phone's empty batch sets its own anchor.
    _ = try await server.receive(batch(2))
    #expect(try await server.receive(batch(2, anchor: 9)).reply.anchors == [7: [9]])
    await #expect(throws: TransferConflict.self) { try await server.receive(batch(2, [beat(62)])) }
  }

  @Test func `A server remembers a bounded number of devices, those that sent last`() async throws {
    for round in 1...2 as ClosedRange<UInt64> {
      _ = try await server.receive(batch(round, [beat(Double(round))]))
      for _ in 0..<40 { _ = try await server.receive(batch(1, [beat(60)], from: UUID())) }
    }
    let writer = try RowWriter(server)
    #expect(writer.values(beginningWith: "transfer/").count == TransferLimit.devices)
    #expect(try await server.transferState(of: device).number == 2)
    for _ in 0..<64 { _ = try await server.receive(batch(1, [beat(60)], from: UUID())) }
    // The forgotten device starts again, and the server still has its samples.
    await #expect(throws: TransferGap.self) { try await server.receive(batch(3, [beat(3)])) }
    #expect(try await server.transferState(of: device).number == 0)
  }

  @Test(arguments: [1, 2])
  func `The state of an earlier version is read, and acknowledges only what it records`(
    version: UInt8
  ) async throws {
    var bytes = ByteWriter()
    bytes.byte(version)
    bytes.varint(4)
    bytes.varint(1)
    bytes.fixed(7 as UInt64)
    bytes.string([5])
    if version == 2 {
      bytes.varint(1)
      for number in [1, 0] as [UInt64] { bytes.varint(number) }
      bytes.fixed(1 as UInt64)
    }
    var writer = try RowWriter(server)
    writer.set("transfer/\(device.uuidString)", to: bytes.bytes)
    _ = try writer.commit()
    #expect(try await server.transferState(of: device).anchors == [7: [5]])
    let receipt = try await server.receive(batch(4, [beat(60)], anchor: 9))
    #expect(receipt.addedCount == 1 && receipt.reply.anchors == [7: [9]])
    _ = try await server.receive(batch(5, [beat(61)]))
    #expect(try await beats(server) == [60, 61])
  }

  @Test func `A gap names the expected number, and nothing is saved`() async throws {
    _ = try await server.receive(batch(1, [beat(60)]))
    let gap = await #expect(throws: TransferGap.self) {
      try await server.receive(batch(3, [beat(61)]))
    }
    #expect(gap?.wanted == 2)
    #expect(gap?.reply.isGap == true)
    #expect(gap?.reply.anchors == [7: [1]])
    #expect(try await beats(server) == [60])
    _ = try await server.receive(batch(2, [beat(62)]))
    #expect(try await beats(server) == [60, 62])
  }

  @Test func `The batches of two devices and of two people are counted separately`() async throws {
    let other = UUID()
    _ = try await server.receive(batch(1, [beat(60)]))
    _ = try await server.receive(batch(1, [beat(61)], from: other))
    _ = try await server.receive(batch(2, [beat(62)], from: other))
    _ = try await database.store(subject: "bob").receive(batch(1, [beat(70)]))
    #expect(try await beats(server) == [60, 61, 62])
    #expect(try await beats(database.store(subject: "bob")) == [70])
    #expect(try await server.transferState(of: other).number == 2)
    #expect(try await server.transferState(of: device).number == 1)
    #expect(try await server.transferState(of: UUID()).number == 0)
  }

  @Test func `A sample that the store has is skipped`() async throws {
    let sample = beat(60)
    _ = try await server.receive(batch(1, [sample, sample]))
    let receipt = try await server.receive(batch(1, [sample, beat(61)], from: UUID()))
    #expect(receipt.knownCount == 1 && receipt.addedCount == 1)
    #expect(try await beats(server) == [60, 61])
  }

  @Test func `A deleted sample is not added again while its deletion is remembered`()
    async throws
  {
    let files = MemoryFileSystem()
    let time = Locked(800_000_000.0)
    var options = Database.Options()
    options.clock = { time.withLock { $0 } }
    let database = try Database(path: "store", options: options, fileSystem: files)
    let server = HKHealthStore(database: database, subject: "ada")
    let sample = beat(60)
    _ = try await server.receive(batch(1, [sample]))
    let deletion = try await server.receive(batch(2, deleting: [sample.id, UUID(), sample.id]))
    #expect(deletion.deletedCount == 1)
    let other = UUID()
    #expect(try await server.receive(batch(1, [sample], from: other)).revokedCount == 1)
    // Deletions are also found in a segment.
    _ = try database.compact()
    #expect(try await server.receive(batch(2, [sample], from: other)).revokedCount == 1)
    #expect(try await beats(server) == [])
    time.withLock { $0 += 31 * 86_400 }
    _ = try database.compact()
    #expect(try await server.receive(batch(3, [sample], from: other)).addedCount == 1)
    try database.close()
  }

  @Test func `Sync identifiers are kept and replace nothing`() async throws {
    let metadata: [String: Any] = [
      HKMetadataKeySyncIdentifier: "one", HKMetadataKeySyncVersion: 1,
    ]
    _ = try await server.receive(
      batch(1, [beat(60, metadata: metadata), beat(61, metadata: metadata)]))
    #expect(try await beats(server) == [60, 61])
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))], sortDescriptors: []
    ).result(for: server)
    #expect(samples.allSatisfy { $0.metadata?[HKMetadataKeySyncIdentifier] as? String == "one" })
  }

  @Test func `Another person's sample is an error, and cannot be deleted`() async throws {
    let (bob, sample) = (database.store(subject: "bob"), beat(60))
    _ = try await server.receive(batch(1, [sample]))
    await #expect(throws: TransferError.anotherSubject(sample: sample.id)) {
      try await bob.receive(batch(1, [beat(70), sample]))
    }
    #expect(try await bob.receive(batch(1, deleting: [sample.id])).deletedCount == 0)
    #expect(try await beats(server) == [60])
    #expect(try await beats(bob) == [])
  }

  @Test func `Child rows of a sample cannot be deleted without it`() async throws {
    try await Phone.fill(server)
    let children = try Contents(server).children.values.map(\.row)
      .filter { $0.childType == PointChunk.childType }.map(\.uuid)
    #expect(children.count > 4)
    #expect(try await server.receive(batch(1, deleting: children)).deletedCount == 0)
  }

  @Test func `Samples, deletions and the device's state are one commit`() async throws {
    let gone = beat(60)
    _ = try await server.receive(batch(1, [gone]))
    let before = try #require(try await database.metrics().activity)
    _ = try await server.receive(batch(2, [beat(61), beat(62)], deleting: [gone.id]))
    let after = try #require(try await database.metrics().activity)
    #expect(after.commitCount - before.commitCount == 1)
    #expect(after.recordCount - before.recordCount == 4)
  }

  @Test func `The state survives a restart, moves with a renamed person and is erased with one`()
    async throws
  {
    let files = MemoryFileSystem()
    let first = try Database(path: "store", fileSystem: files)
    let sample = beat(60)
    _ = try await HKHealthStore(database: first, subject: "ada").receive(batch(1, [sample]))
    // The state after a killed process.
    let second = try Database(path: "store", fileSystem: files.copy())
    let ada = HKHealthStore(database: second, subject: "ada")
    #expect(try await ada.receive(batch(1, [sample])).isRepeated)
    _ = try await ada.receive(batch(2, [beat(61)]))
    _ = try await server.receive(batch(1, [beat(70)]))
    try await database.rename(subject: "ada", to: "lovelace")
    let renamed = database.store(subject: "lovelace")
    #expect(try await renamed.transferState(of: device).number == 1)
    try await database.erase(subject: "lovelace")
    #expect(try await renamed.transferState(of: device).number == 0)
    #expect(try await renamed.receive(batch(1, [beat(71)])).addedCount == 1)
  }

  @Test func `Deleted samples of several types are not added again`() async throws {
    var samples = [beat(60), beat(61), beat(62)]
    (samples[1].type, samples[1].unit) = ("HKQuantityTypeIdentifierStepCount", "count")
    (samples[2].type, samples[2].unit) = ("HKQuantityTypeIdentifierBodyMass", "kg")
    _ = try await server.receive(batch(1, samples))
    _ = try await server.receive(batch(2, deleting: samples.map(\.id)))
    let receipt = try await server.receive(batch(1, samples, from: UUID()))
    #expect(receipt.revokedCount == 3 && receipt.addedCount == 0)
  }

  @Test func `Deletions survive renaming and merging their person`() async throws {
    let (gone, kept) = (beat(60), beat(61))
    let second = UUID()
    _ = try await server.receive(batch(1, [gone, kept]))
    _ = try await server.receive(batch(2, deleting: [gone.id]))
    try await database.rename(subject: "ada", to: "lovelace")
    try await database.store(subject: "bob").save(Self.walk())
    try await database.merge(subject: "lovelace", into: "bob")
    try await database.compact()
    try await database.rename(subject: "bob", to: "ada")
    let receipt = try await server.receive(batch(1, [gone, kept], from: second))
    #expect(receipt.revokedCount == 1 && receipt.knownCount == 1 && receipt.addedCount == 0)
    #expect(try await beats(server) == [61])
    // The first device continues at its position.
    #expect(try await server.receive(batch(3, [beat(62)])).addedCount == 1)
  }

  /// One phone's batches for two people, who are then merged.
  @Test(arguments: [false, true], [1, 3, 6] as [UInt64])
  func `A device of two people loses nothing when they are merged`(
    isReversed: Bool, before: UInt64
  ) async throws {
    let bob = database.store(subject: "bob")
    for number in 1...before {
      _ = try await server.receive(batch(number, [beat(Double(number))], anchor: UInt8(number)))
    }
    for number in 1...3 as ClosedRange<UInt64> {
      let value = Double(100 + number)
      _ = try await bob.receive(batch(number, [beat(value)], anchor: UInt8(100 + number)))
    }
    let (from, to) = isReversed ? ("bob", "ada") : ("ada", "bob")
    try await database.merge(subject: from, into: to)
    let one = database.store(subject: to)
    // The merged state is that of one of the two, with the anchor of a batch that it received.
    let state = try await one.transferState(of: device)
    #expect(state.number == (isReversed ? before : 3))
    #expect(state.anchors == [7: [isReversed ? UInt8(before) : 103]])
    let next = batch(state.number + 1, [beat(200)])
    #expect(try await one.receive(next).addedCount == 1)
    #expect(try await beats(one).count == Int(before) + 4)
  }

  private static func walk() throws -> HKQuantitySample {
    try HKQuantitySample.validated(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 5),
      start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 60))
  }

  @Test func `A server remembers the anchors of a bounded number of cursors`() async throws {
    for number in 1...20 as ClosedRange<UInt64> {
      _ = try await server.receive(batch(number, cursor: number))
    }
    let anchors = try await server.transferState(of: device).anchors
    #expect(anchors.keys.sorted() == Array(5...20))
  }

  @Test func `Concurrent copies of a batch are saved once`() async throws {
    let (server, batch) = (server, batch(1, (0..<50).map { beat(Double($0)) }))
    let repeated = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { try await server.receive(batch).isRepeated } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(repeated == 7)
    #expect(try await beats(server).count == 50)
  }
}
