import Foundation
import HealthStore
import HealthTransfer
import HealthTransferServer
import SampleLog

extension FuzzTarget {
  /// Batches of a phone with repaired checksums, parsed and received into a store in memory, which
  /// must be able to read everything that it accepted.
  static let transfer = FuzzTarget(name: "Transfer", maximumLength: 8192) { bytes in
    let data = Data([UInt8](bytes) + checksumBytes([UInt8](bytes)))
    _ = try? TransferReply(data)
    guard let batch = try? TransferBatch(data) else { return }
    if (try? TransferBatch(batch.data))?.data != batch.data {
      fail("a batch changes in a round trip")
    }
    let database = try? Database(
      path: Store.path, options: Store.options(toleratesDamage: false),
      fileSystem: MemoryFileSystem())
    guard let database else { fail("no store in memory") }
    // Creates the receiver alone: waiting for a task would take most of the time.
    let store = HKHealthStore(database: database)
    let receipt = receive(batch, store)
    if let receipt, receipt.addedCount + receipt.unusable.count > batch.sampleCount {
      fail("more samples than were sent")
    }
    read(store)
    try? database.close()
  } seeds: {
    let all = try transferSeeds()
    return all.map { Seed($0.0, [UInt8]($0.1.data.dropLast(4))) }
      + [
        Seed(
          "reply",
          [UInt8](
            TransferReply(
              device: Store.id.uuid, number: 7, isGap: true, anchors: [1: [2, 3]]
            ).data.dropLast(4)))
      ]
  }

  private static func checksumBytes(_ bytes: [UInt8]) -> [UInt8] {
    let sum = Repair.checksum(bytes, 0..<bytes.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
  }

  /// Receives a batch as the next one of its device.
  private static func receive(_ batch: TransferBatch, _ store: HKHealthStore) -> TransferReceipt? {
    let next = TransferBatch(
      device: batch.device, number: 1, cursor: batch.cursor, anchor: batch.anchor,
      samples: batch.samples, deletions: batch.deletions)
    return try? store.commitBlocking { writer, snapshot in
      var receiver = BatchReceiver(next)
      return try receiver.receive(into: &writer, snapshot)
    }
  }

  private static func read(_ store: HKHealthStore) {
    do {
      let objects = try StoredObjects(store)
      for type in objects.types {
        try objects.forEach(type) { object in
          _ = object.sample.map { "\($0) \($0.metadata ?? [:])" }
          guard let row = try objects.row(object.uuid) else { fail("a row is missing") }
          _ = try objects.members(of: row)
          try objects.forEachChunk(of: row) { _ in }
        }
      }
    } catch {
      fail("what was received cannot be read: \(error)")
    }
  }

  private static func transferSeeds() throws -> [(String, TransferBatch)] {
    func batch(_ samples: [TransferSample], _ deletions: [UUID] = []) -> TransferBatch {
      TransferBatch(
        device: Store.id.uuid, number: 1, cursor: 5, anchor: [1, 2], samples: samples,
        deletions: deletions)
    }
    func sample(_ number: UInt64, _ type: String) -> TransferSample {
      TransferSample(
        id: Identifier(high: 1, low: number).uuid, type: type, start: 8e8, end: 8e8 + 60,
        source: HKSourceRevision.unknown.storedBytes,
        device: HKDevice(
          name: "W", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
          softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil
        ).storedBytes)
    }
    var beat = sample(1, "HKQuantityTypeIdentifierHeartRate")
    beat.unit = "count/min"
    beat.value = 62
    beat.metadata = try MetadataCoding.encode(["a": 1, "b": "c"])
    var series = beat
    series.contents = [1, 2] + [UInt8](repeating: 0, count: 40)
    series.parts = [.points(width: 3, numbers: [8e8, 8e8, 60, 8e8 + 1, 8e8 + 2, 61])]
    var route = sample(2, "HKWorkoutRouteTypeIdentifier")
    route.contents = [1, 1]
    route.parts = [
      .points(width: 11, numbers: [8e8, 48, 6, 30, 3, -1, 7, 2, 3, 1, 1]),
      .workouts([Store.id.uuid]),
    ]
    var beats = sample(3, "HKDataTypeIdentifierHeartbeatSeries")
    beats.contents = [1, 2]
    beats.parts = [.points(width: 2, numbers: [0, 1, 0.75, 0])]
    let workout = try workoutSeed(sample(4, "HKWorkoutTypeIdentifier"))
    var pressure = sample(5, "HKCorrelationTypeIdentifierBloodPressure")
    pressure.contents = [1, 0]
    var mind = sample(6, "HKDataTypeStateOfMind")
    mind.contents = [1, 4] + [UInt8](repeating: 0, count: 8) + [1, 2, 0]
    return [
      ("quantity", batch([beat])), ("series", batch([series])), ("route", batch([route])),
      ("heartbeats", batch([beats])), ("workout", batch([workout, beat])),
      ("correlation", batch([pressure])), ("mind", batch([mind])),
      (
        "deletions",
        batch(
          [],
          [
            Store.id.uuid,
            UUID(
              uuid: (
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
              )),
          ])
      ),
    ]
  }

  private static func workoutSeed(_ sample: TransferSample) throws -> TransferSample {
    var result = sample
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(37)
    writer.fixed(60.0)
    // No totals, no events, one activity that is the workout, no statistics.
    writer.append([0, 0, 0, 0, 0, 1])
    writer.fixed(UInt64(3))
    writer.fixed(UInt64(4))
    writer.append([37, 1, 0, 0])
    writer.fixed(8e8)
    writer.append([0, 0, 0, 0])
    result.contents = writer.bytes
    var links = ByteWriter()
    links.append([1, 1, 1, 0x74])
    links.fixed(8e8)
    links.fixed(8e8 + 60)
    links.append([0, 0])
    result.parts = [.links(links.bytes)]
    return result
  }
}
