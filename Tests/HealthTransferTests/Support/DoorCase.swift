import Foundation
import HealthStore
import HealthTransferServer
import SampleLog
import Testing

@testable import HealthTransfer

/// A sample in the format of every entry point of a store, and whether a store may hold it.
struct DoorCase: CustomTestStringConvertible, Sendable {
  var testDescription: String
  let isHeld: Bool
  let id = UUID()
  var type = "HKQuantityTypeIdentifierHeartRate"
  var start = 700_000_000.0
  var end = 700_000_001.0
  var value = 60.0
  var unit: String? = "count/min"
  /// The encoded metadata, and the same as Swift values if they can be represented.
  var metadata: [UInt8] = []
  var values: (@Sendable () -> [String: Any])?
  var source = OriginForm.bytes(Phone.revision)
  var device: [UInt8] = []
  var payload: [UInt8] = []

  init(_ name: String, _ isHeld: Bool, _ change: (inout DoorCase) -> Void) {
    testDescription = name
    self.isHeld = isHeld
    change(&self)
  }

  /// Sets the metadata to one entry: a key, a tag and the bytes after it.
  mutating func entry(_ key: String, _ tag: UInt8, _ bytes: [UInt8], _ value: (any Sendable)? = nil)
  {
    metadata = [1, 1, UInt8(key.utf8.count)] + Array(key.utf8) + [tag] + bytes
    if let value { values = { [key: value] } }
  }

  static func bits(_ value: Double) -> [UInt8] {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
  }

  private var isPlain: Bool {
    source == OriginForm.bytes(Phone.revision) && device.isEmpty && payload.isEmpty
      && (metadata.isEmpty || values != nil)
  }

  // MARK: The entry points; nil where one cannot say the sample

  func transfer() async throws -> Bool? {
    var sample = TransferSample(id: id, type: type, start: start, end: end, source: source)
    (sample.value, sample.unit, sample.metadata) = (value, unit, metadata)
    sample.device = device.isEmpty ? nil : device
    sample.contents = payload
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: [])
    return try await HKHealthStore.inMemory().receive(try TransferBatch(batch.data)).addedCount == 1
  }

  var stored: StoredSample {
    var row = StoredSample(uuid: id, type: type, start: start, end: end, value: value)
    (row.unit, row.source, row.device) = (unit ?? "", source, device)
    var extras = Extras()
    extras.metadata = metadata
    if !payload.isEmpty { extras.payloadKind = kind }
    extras.payload = payload
    row.extras = metadata.isEmpty && payload.isEmpty ? [] : extras.encoded
    return row
  }

  private var kind: UInt64 {
    (HKObjectType.make(identifier: type) as? HKSampleType)?.payload?.kind ?? 99
  }

  func restoring() throws -> Bool? {
    var writer = try RowWriter(HKHealthStore.inMemory())
    do throws(HKInvalidSampleError) {
      try writer.add(stored)
      return true
    } catch {
      return false
    }
  }

  func importing() throws -> Bool? {
    guard isPlain, unit.map({ HKUnit.named($0) != nil }) ?? true else { return nil }
    let sample = IncomingSample(
      uuid: id, type: type, start: Date(timeIntervalSinceReferenceDate: start),
      end: Date(timeIntervalSinceReferenceDate: end), value: value,
      unit: unit.flatMap { HKUnit.named($0) }, sourceRevision: Phone.revision, device: nil,
      metadata: values?() ?? [:])
    var writer = try RowWriter(HKHealthStore.inMemory())
    do {
      try writer.add(sample)
      return true
    } catch is HKInvalidSampleError {
      return false
    }
  }

  func saving() async throws -> Bool? {
    guard isPlain else { return nil }
    let (from, to) = (
      Date(timeIntervalSinceReferenceDate: start), Date(timeIntervalSinceReferenceDate: end)
    )
    do throws(HKInvalidSampleError) {
      let sample: HKSample
      switch HKObjectType.make(identifier: type) {
      case let type as HKQuantityType:
        guard let unit = unit.flatMap({ HKUnit.named($0) }) else { return nil }
        sample = try HKQuantitySample.validated(
          type: type, quantity: HKQuantity(unit: unit, doubleValue: value), start: from, end: to,
          metadata: values?())
      case let type as HKCategoryType:
        guard unit == nil, let value = Int(exactly: value) else { return nil }
        sample = try HKCategorySample.validated(
          type: type, value: value, start: from, end: to, metadata: values?())
      default: return nil
      }
      return await isSaved(sample)
    } catch {
      return false
    }
  }

  private func isSaved(_ sample: HKSample) async -> Bool {
    do {
      try await HKHealthStore.inMemory().save(sample)
      return true
    } catch {
      return false
    }
  }

  /// The input line for `healthstore ingest`.
  var line: Data? {
    get throws {
      guard source == OriginForm.bytes(Phone.revision), device.isEmpty, start.isFinite,
        end.isFinite, value.isFinite
      else { return nil }
      var fields: [String: Any] = [
        "uuid": id.uuidString, "type": type, "start": Self.text(start), "end": Self.text(end),
        "value": value, "source": "phone",
      ]
      fields["unit"] = unit
      if !stored.extras.isEmpty {
        fields["contents"] = [
          "version": 1, "extras": Data(stored.extras).base64EncodedString(),
        ]
      }
      return try JSONSerialization.data(withJSONObject: fields)
    }
  }

  private static func text(_ seconds: Double) -> String {
    if seconds.magnitude < 1e10 {
      guard seconds == seconds.rounded() else { return "2001-01-01T00:00:00Z+\(seconds)s" }
      return ISO8601DateFormatter().string(from: Date(timeIntervalSinceReferenceDate: seconds))
    }
    return "2001-01-01T00:00:00Z\(seconds < 0 ? "-" : "+")\(seconds.magnitude)s"
  }
}

extension DoorCase {
  static let all: [DoorCase] = dates + numbers + metadata + others

  private static let dates = [
    DoorCase("a plain sample", true) { _ in },
    DoorCase("an instant", true) { $0.end = $0.start },
    DoorCase("an end before the start", false) { $0.end = 0 },
    DoorCase("an end a nanosecond before the start", false) {
      ($0.start, $0.end) = (1.5, 1.499_999_999)
    },
    DoorCase("an infinite end", false) { $0.end = .infinity },
    DoorCase("an infinite start", false) { $0.start = -.infinity },
    DoorCase("a NaN start", false) { $0.start = .nan },
    DoorCase("a time before all calendars", true) { ($0.start, $0.end) = (-1e300, -1e300) },
    DoorCase("a time after all calendars", true) { ($0.start, $0.end) = (1e17, 1e17) },
    DoorCase("a time above every integer", true) { ($0.start, $0.end) = (1e300, 1e300) },
  ]

  private static let stages = "HKCategoryTypeIdentifierSleepAnalysis"

  private static let numbers = [
    DoorCase("a NaN value", false) { $0.value = .nan },
    DoorCase("an infinite value", false) { $0.value = -.infinity },
    DoorCase("the least positive value", true) { $0.value = .leastNonzeroMagnitude },
    DoorCase("a unit with a NUL", false) { $0.unit = "count/min\0" },
    DoorCase("an overlong unit", false) { $0.unit = String(repeating: "m*", count: 500) },
    DoorCase("an enormous value", true) { $0.value = 1e308 },
    DoorCase("no unit", false) { $0.unit = nil },
    DoorCase("an unknown unit", false) { $0.unit = "furlong" },
    DoorCase("an incompatible unit", false) { $0.unit = "kg" },
    DoorCase("another compatible unit", true) { $0.unit = "count/s" },
    DoorCase("a category", true) { ($0.type, $0.unit, $0.value) = (stages, nil, 3) },
    DoorCase("a fractional category", false) { ($0.type, $0.unit, $0.value) = (stages, nil, 1.5) },
    DoorCase("a category above all integers", false) {
      ($0.type, $0.unit, $0.value) = (stages, nil, 1e300)
    },
    DoorCase("a category with a unit", false) {
      ($0.type, $0.unit, $0.value) = (stages, "kg", 3)
    },
    DoorCase("a quantity of a later system", true) { $0.type = "HKQuantityTypeIdentifierMoon" },
    DoorCase("a quantity of a later system without a unit", false) {
      ($0.type, $0.unit) = ("HKQuantityTypeIdentifierMoon", nil)
    },
    DoorCase("a category of a later system", true) {
      ($0.type, $0.unit, $0.value) = ("HKCategoryTypeIdentifierMoon", nil, 7)
    },
    DoorCase("a fractional category of a later system", false) {
      ($0.type, $0.unit, $0.value) = ("HKCategoryTypeIdentifierMoon", nil, 0.5)
    },
  ]

  private static let metadata = [
    DoorCase("metadata that is text", false) { $0.metadata = Array("hello world".utf8) },
    DoorCase("metadata of a later version", false) { $0.metadata = [2, 0] },
    DoorCase("truncated metadata", false) { $0.metadata = [1, 1, 3, 97] },
    DoorCase("a date in metadata", true) {
      $0.entry("d", 7, bits(1e300), Date(timeIntervalSinceReferenceDate: 1e300))
    },
    DoorCase("an infinite date in metadata", false) {
      $0.entry("d", 7, bits(.infinity), Date(timeIntervalSinceReferenceDate: .infinity))
    },
    DoorCase("a NaN date in metadata", false) {
      $0.entry("d", 7, bits(.nan), Date(timeIntervalSinceReferenceDate: .nan))
    },
    DoorCase("an infinite quantity in metadata", false) {
      $0.entry(
        "q", 8, bits(.infinity) + [2, 107, 103],
        HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: .infinity))
    },
    DoorCase("a quantity in metadata with an unknown unit", false) {
      $0.entry("q", 8, bits(1) + [1, 63])
    },
    DoorCase("a NaN number in metadata", true) {
      $0.entry("n", 6, bits(.nan), Double.nan)
    },
    DoorCase("a number in metadata above 64 bits", false) {
      $0.entry("n", 5, [UInt8](repeating: 0xFF, count: 11))
    },
    DoorCase("an unknown class in metadata", false) { $0.entry("x", 9, []) },
    DoorCase("invalid UTF-8 in metadata", false) { $0.entry("t", 1, [2, 0xC3, 0x28]) },
    DoorCase("control characters in metadata", true) {
      $0.entry("t", 1, [3, 0, 27, 10], "\0\u{1B}\n")
    },
    DoorCase("the longest key", true) { longKey(1024, &$0) },
    DoorCase("a key that is too long", false) { longKey(1025, &$0) },
    DoorCase("metadata above a mebibyte", false) { sample in
      let text = String(repeating: "a", count: 1 << 20)
      sample.metadata =
        [1, 1, 1, 97, 1, 0x80, 0x80, 0x40] + Array(text.utf8)
      sample.values = { ["a": text] }
    },
    DoorCase("keys out of order", false) {
      $0.metadata = [1, 2, 1, 98, 2, 1, 97, 2]
    },
    DoorCase("keys that differ only in their bytes", false) {
      $0.metadata = [1, 2] + [3, 101, 0xCC, 0x81, 2] + [2, 0xC3, 0xA9, 2]
    },
    DoorCase("keys of a letter with an accent and without", true) {
      $0.metadata = [1, 2] + [1, 101, 2] + [2, 0xC3, 0xA9, 2]
      $0.values = { ["e": false, "é": false] }
    },
    DoorCase("an empty key", true) { $0.entry("", 3, [], true) },
    DoorCase("very many keys", true) { sample in
      let keys = (0..<20_000).map { "k\(100_000 + $0)" }
      sample.metadata = [1, 0xA0, 0x9C, 1] + keys.flatMap { [7] + Array($0.utf8) + [3] }
      sample.values = { Dictionary(uniqueKeysWithValues: keys.map { ($0, true) }) }
    },
    DoorCase("an empty sync identifier", false) {
      $0.metadata = synchronised([0], [4, 2])
      $0.values = { [HKMetadataKeySyncIdentifier: "", HKMetadataKeySyncVersion: 1] }
    },
    DoorCase("a sync version that is true", false) {
      $0.metadata = synchronised([1, 97], [3])
      $0.values = { [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: true] }
    },
    DoorCase("a fractional sync version", false) {
      $0.metadata = synchronised([1, 97], [6] + bits(1.5))
      $0.values = { [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: 1.5] }
    },
    DoorCase("a sync version that is text", false) {
      $0.metadata = synchronised([1, 97], [1, 1, 49])
      $0.values = { [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: "1"] }
    },
    DoorCase("a sync identifier and a version", true) {
      $0.metadata = synchronised([1, 97], [4, 2])
      $0.values = { [HKMetadataKeySyncIdentifier: "a", HKMetadataKeySyncVersion: 1] }
    },
  ]

  /// Metadata with an encoded sync identifier and an encoded version.
  private static func synchronised(_ identifier: [UInt8], _ version: [UInt8]) -> [UInt8] {
    func key(_ name: String) -> [UInt8] { [UInt8(name.utf8.count)] + Array(name.utf8) }
    return [1, 2] + key(HKMetadataKeySyncIdentifier) + [1] + identifier
      + key(HKMetadataKeySyncVersion) + version
  }

  private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"

  /// Makes the sample a correlation with a member of the given type.
  private static func correlation(_ member: String, _ sample: inout DoorCase) {
    (sample.type, sample.unit, sample.value) = (pressure, nil, 0)
    sample.payload =
      [1, 1] + [UInt8](repeating: 7, count: 16) + [UInt8(member.utf8.count)] + Array(member.utf8)
      + [0]
  }

  private static func longKey(_ count: Int, _ sample: inout DoorCase) {
    let key = String(repeating: "k", count: count)
    sample.metadata = [1, 1, UInt8(count & 0x7F | 0x80), UInt8(count >> 7)] + Array(key.utf8) + [3]
    sample.values = { [key: true] }
  }

  private static let others = [
    DoorCase("no type", false) { $0.type = "" },
    DoorCase("a type of child rows", false) {
      $0.type = "\u{1F}HKWorkoutTypeIdentifier\u{1F}links"
    },
    DoorCase("a type with a control character", false) {
      $0.type = "HKQuantityTypeIdentifierMoon\u{1F}links"
    },
    DoorCase("a type with a NUL", false) { $0.type = "HKQuantityTypeIdentifierHeartRate\0" },
    DoorCase("a correlation", true) { correlation("HKQuantityTypeIdentifierHeartRate", &$0) },
    DoorCase("a correlation in a correlation", false) { correlation(pressure, &$0) },
    DoorCase("a type that has no samples", false) {
      $0.type = "HKCharacteristicTypeIdentifierBloodType"
    },
    DoorCase("an invalid source", false) { $0.source = [1, 2, 3] },
    DoorCase("a source that is text", false) { $0.source = Array("a watch".utf8) },
    DoorCase("an invalid device", false) { $0.device = [9, 9, 9] },
    DoorCase("a device that is text", false) { $0.device = Array("a strap".utf8) },
    DoorCase("contents of a category", false) {
      ($0.type, $0.unit, $0.value, $0.payload) = (stages, nil, 3, [1])
    },
    DoorCase("contents of a later system", false) {
      ($0.type, $0.payload) = ("HKQuantityTypeIdentifierMoon", [1])
    },
    DoorCase("a workout without contents", false) {
      ($0.type, $0.unit, $0.value) = ("HKWorkoutTypeIdentifier", nil, 0)
    },
    DoorCase("a workout of a later version", false) {
      ($0.type, $0.unit, $0.value, $0.payload) = ("HKWorkoutTypeIdentifier", nil, 0, [2])
    },
  ]
}
