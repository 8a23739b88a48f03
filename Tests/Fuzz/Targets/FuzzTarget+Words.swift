import Foundation
import HealthStore
import SampleLog

extension FuzzTarget {
  /// The values that the health store encodes for the engine: metadata, sources, devices.
  static let metadata = FuzzTarget(name: "Metadata", maximumLength: 2048) { bytes in
    let content = [UInt8](bytes)
    let isSound = (try? MetadataCoding.check(bytes)) != nil
    let decoded = try? MetadataCoding.decode(content)
    if isSound != (decoded != nil) { fail("a check of metadata and its decoding disagree") }
    if let metadata = decoded {
      use(metadata)
      guard let written = try? MetadataCoding.encode(metadata), written.count <= content.count + 16
      else { fail("metadata that cannot be written again") }
      if (try? MetadataCoding.decode(written)) == nil { fail("metadata does not come back") }
    }
    if let revision = HKSourceRevision(stored: content) { _ = revision.storedBytes }
    if let device = HKDevice(stored: content) { _ = device.storedBytes }
  } seeds: {
    let values: [String: Any] = [
      "text": "words", "yes": true, "no": false, "whole": -5, "large": UInt64.max, "real": 0.5,
      "date": Date(timeIntervalSinceReferenceDate: 7),
      "quantity": HKQuantity(unit: .gram(), doubleValue: 3),
    ]
    let device = HKDevice(
      name: "d", manufacturer: nil, model: "m", hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: "s", localIdentifier: nil, udiDeviceIdentifier: nil)
    return [
      Seed("values", try MetadataCoding.encode(values)), Seed("device", device.storedBytes),
      Seed("source", HKSourceRevision.unknown.storedBytes),
    ] + (try oddNumbers().map { Seed("odd-\($0.key)", $0.bytes) })
  }

  /// Metadata with numbers that are infinite, NaN, or out of range.
  private static func oddNumbers() throws -> [(key: String, bytes: [UInt8])] {
    let numbers: [Double] = [.nan, -.nan, .infinity, -.infinity, 1e300, 1.2, 0x1p63, 0x1p-1074]
    let versions: [(String, Any)] = [
      ("unsigned", UInt64.max), ("least", Int64.min), ("true", true),
    ]
    func synchronised(_ version: Any) throws -> [UInt8] {
      try MetadataCoding.encode(
        [HKMetadataKeySyncIdentifier: "id\0", HKMetadataKeySyncVersion: version])
    }
    // The encoder rejects some of these numbers, so they replace one that it accepts.
    func forged(_ number: Double, _ value: (Double) -> [String: Any]) throws -> [UInt8] {
      func bytes(_ number: Double) -> [UInt8] {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
      }
      let other = 1234.5678
      return try MetadataCoding.encode(value(other)).replacing(bytes(other), with: bytes(number))
    }
    return try numbers.enumerated().flatMap { place, number in
      [
        (
          "date-\(place)",
          try forged(number) { ["date": Date(timeIntervalSinceReferenceDate: $0)] }
        ),
        (
          "quantity-\(place)",
          try forged(number) { ["quantity": HKQuantity(unit: .gram(), doubleValue: $0)] }
        ),
        ("number-\(place)", try MetadataCoding.encode(["number": number])),
        ("version-\(place)", try synchronised(number)),
      ]
    } + versions.map { ("version-\($0.0)", try synchronised($0.1)) }
  }

  /// Creates a sample with the metadata, if it is valid, and uses it as readers do.
  private static func use(_ metadata: [String: Any]) {
    for value in metadata.values {
      for text in ["metadata.key == %@", "metadata.key LIKE %@", "metadata.key IN {%@}"] {
        let predicate = try? NSPredicate.healthPredicate(format: text, arguments: [value])
        _ = predicate?.description.utf8.count
      }
    }
    let sample: HKQuantitySample
    do {
      sample = try HKQuantitySample.validated(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
        start: Date(timeIntervalSinceReferenceDate: 0),
        end: Date(timeIntervalSinceReferenceDate: 1), metadata: metadata)
    } catch {
      if error.description.isEmpty { fail("an error without a sentence") }
      return
    }
    // Foundation traps when it prints a date that is NaN.
    for case let date as Date in (sample.metadata ?? [:]).values { _ = "\(date)".utf8.count }
    let version = sample.metadata?[HKMetadataKeySyncVersion] as? NSNumber
    if let version, version.compare(NSNumber(value: version.int64Value)) != .orderedSame {
      fail("a sync version that is not an integer")
    }
  }

  /// Unit strings.
  static let unit = FuzzTarget(name: "Unit", maximumLength: 256) { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let unit = try? HKUnit.parse(text) else { return }
    // A unit's string parses as the same unit.
    guard let again = try? HKUnit.parse(unit.unitString) else {
      // The string of a product of many symbols may exceed the parser's limit.
      if unit.unitString.utf8.count > 1024 { return }
      fail("\(unit.unitString) is not read back")
    }
    if again != unit { fail("\(unit.unitString) is read back as \(again)") }
  } seeds: {
    [
      "count/min", "mg/dL", "mmol<180.15588>/L", "ml/(kg*min)", "kcal", "degC", "m^2·s^-1",
      "dBASPL",
      "m.s^-3/kg^8", "1/L", "mol", "%", "µg", "mL/kg·min", "()", "1/m", "in_Hg", "fl_oz_us",
    ].enumerated().map { Seed("unit-\($0.offset)", Array($0.element.utf8)) }
  }

  /// Predicate format strings.
  static let predicate = FuzzTarget(name: "Predicate", maximumLength: 512) { bytes in
    let format = String(decoding: bytes, as: UTF8.self)
    let arguments: [Any?] = [
      "startDate", Date(timeIntervalSinceReferenceDate: 1), 3 as NSNumber,
      HKQuantity(unit: .count(), doubleValue: 2), nil, ["a", "b"], UUID(),
    ]
    let predicate = try? NSPredicate.healthPredicate(format: format, arguments: arguments)
    _ = predicate?.description.utf8.count
  } seeds: {
    [
      "startDate >= %@ AND endDate < %@", "%K == %@", "metadata.HKWasUserEntered == YES",
      "NOT (quantity > %@ OR value IN {1, 2, 3})", "source.name BEGINSWITH[cd] 'Ada\\'s'",
      "value BETWEEN {1.5e3, -2}", "metadata.%K LIKE 'a*?b'", "TRUEPREDICATE && !FALSEPREDICATE",
      "1 == 1", "metadata.key MATCHES[c] '(a+)+b'", "'aaaaaaaaaaaaaaaaaaaac' MATCHES '(a+)+b'",
      "#value != NULL", "correlation = nil", "device.model ENDSWITH \"7,1\"",
    ].enumerated().map { Seed("format-\($0.offset)", Array($0.element.utf8)) }
  }

  /// The bytes of archived anchors; if the first bit is set, within an archive.
  ///
  /// The enclosing archive is always valid: Foundation's unarchiver traps on some invalid ones.
  static let anchor = FuzzTarget(name: "Anchor", maximumLength: 256) { bytes in
    var input = FuzzInput(bytes)
    let isArchive = input.byte() & 1 == 1
    let content = [UInt8](input.rest)
    let anchor = Anchor(encoded: content)
    if let anchor, Anchor(encoded: anchor.encoded) != anchor {
      fail("an anchor changes in a round trip")
    }
    guard isArchive else { return }
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(AnchorBytes(content), forKey: NSKeyedArchiveRootObjectKey)
    let read = try? NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKQueryAnchor.self, from: archiver.encodedData)
    if read?.anchor != anchor { fail("an archived anchor is another one") }
  } seeds: {
    let bytes = Anchor(sequence: 5).encoded
    return [
      Seed("without-store", [0] + bytes), Seed("archive", [1] + bytes),
      Seed("version-1", [0, 1, 1] + [UInt8](repeating: 3, count: 28)),
      Seed("version-2", [0, 2, 1] + [UInt8](repeating: 3, count: 35) + [4]),
    ]
  }
}

/// Archives arbitrary bytes under the key at which an anchor archives its own.
final class AnchorBytes: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let bytes: [UInt8]

  override var classForKeyedArchiver: AnyClass? { HKQueryAnchor.self }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) { coder.encode(Data(bytes) as NSData, forKey: "anchor") }
}
