import HealthStore
import SampleLog

/// Payloads are written byte by byte, so that a change of a layout is noticed.

extension FuzzTarget {
  /// The payloads of rows; the first byte selects the kind.
  static let samplePayloads = FuzzTarget(name: "SamplePayload", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let kind = UInt64(input.byte())
    guard let type = SamplePayloads.all.first(where: { $0.kind == kind }),
      let payload = type.init(input.rest)
    else { return }
    let written = payload.encoded
    guard let again = written.withUnsafeBytes({ type.init($0) }) else {
      fail("a payload of kind \(kind) does not come back")
    }
    if again.encoded != written { fail("a payload of kind \(kind) changes in a round trip") }
    _ = again.members.count + again.rowValue.exponent.hashValue
  } seeds: {
    payloadSeeds.map { Seed($0.name, [UInt8($0.kind)] + $0.bytes) }
  }

  /// Seed payloads, at least one of each kind.
  private static var payloadSeeds: [(name: String, kind: UInt64, bytes: [UInt8])] {
    var members = ByteWriter()
    members.byte(1)
    members.varint(1)
    members.fixed(UInt64(1))
    members.fixed(UInt64(2))
    members.string(Array("HKQuantityTypeIdentifierStepCount".utf8))
    members.string([])
    return [
      ("correlation", 1, members.bytes), ("workout", 2, workout), ("links", 19, links),
      ("additions", 21, additions), ("recount", 22, [1]),
      ("effort", 20, effort),
    ] + seriesSeeds + recordSeeds
  }

  /// A workout with an event, an activity and statistics.
  private static var workout: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.varint(37)
    writer.fixed(1800.5)
    writer.byte(1)
    writer.fixed(321.5)
    writer.string(Array("kcal".utf8))
    for _ in 0..<3 { writer.byte(0) }
    writer.append([1, 1, 2])
    writer.fixed(7.0e8)
    writer.fixed(7.0e8 + 1)
    writer.string((try? MetadataCoding.encode(["lap": 3])) ?? [])
    writer.varint(1)
    writer.fixed(UInt64(5))
    writer.fixed(UInt64(6))
    writer.append([37, 3, 1, 1])
    writer.fixed(25.0)
    writer.string(Array("m".utf8))
    writer.fixed(7.0e8)
    writer.byte(1)
    writer.fixed(7.0e8 + 1800)
    writer.string([])
    writer.varint(0)
    writer.append([1] + statistic)
    return writer.bytes
  }

  /// Two samples that belong to a workout, one of them with a sync identifier.
  private static var links: [UInt8] {
    var writer = ByteWriter()
    writer.append([1, 1])
    writer.string(Array("HKQuantityTypeIdentifierHeartRate".utf8))
    writer.fixed(1.0)
    writer.fixed(2.0)
    writer.varint(1)
    writer.fixed(UInt64(1))
    writer.fixed(UInt64(2))
    writer.varint(1)
    writer.fixed(UInt64(3))
    writer.fixed(UInt64(4))
    writer.string(Array("app\0name".utf8))
    return writer.bytes
  }

  /// The additions of samples to a workout and one activity.
  private static var additions: [UInt8] {
    var writer = ByteWriter()
    writer.append([1, 1] + statistic + [1])
    writer.fixed(UInt64(5))
    writer.fixed(UInt64(6))
    writer.append([1] + statistic)
    return writer.bytes
  }

  /// A rating of an activity by a sample with a sync identifier.
  private static var effort: [UInt8] {
    var writer = ByteWriter()
    writer.byte(1)
    writer.fixed(UInt64(1))
    writer.fixed(UInt64(2))
    writer.string(Array("HKQuantityTypeIdentifierWorkoutEffortScore".utf8))
    writer.string(Array("app\0name".utf8))
    writer.byte(1)
    writer.fixed(UInt64(5))
    writer.fixed(UInt64(6))
    return writer.bytes
  }

  private static var statistic: [UInt8] {
    var writer = ByteWriter()
    writer.string(Array("HKQuantityTypeIdentifierHeartRate".utf8))
    writer.string(Array("count/min".utf8))
    writer.byte(0)
    for value in [90.0, 60.0, 120.0] {
      writer.byte(1)
      writer.fixed(value)
    }
    writer.byte(1)
    for value in [120.0, 1.0, 2.0] { writer.fixed(value) }
    writer.fixed(3.0)
    return writer.bytes
  }
}
