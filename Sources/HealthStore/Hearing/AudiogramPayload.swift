import Foundation
import SampleLog

/// The payload of an audiogram.
///
/// Format: a version byte and the number of points; per point its frequency and the number of its
/// tests; per test the sensitivity, the conduction type and the side (a byte each), a byte of
/// flags (1 for masked, 2 for a lower and 4 for an upper bound), and these bounds (bit patterns,
/// in dBHL).
package struct AudiogramPayload: SamplePayload {
  package static let kind: UInt64 = 7
  private static let version: UInt8 = 1
  /// The maximum number of points, as in HealthKit.
  private static let mostPoints = 30

  let points: [HKAudiogramSensitivityPoint]

  init(_ points: [HKAudiogramSensitivityPoint]) { self.points = points }

  /// Creates a payload from points in any order.
  package init(byFrequency points: [HKAudiogramSensitivityPoint]) {
    self.points = points.sorted {
      $0.frequency.doubleValue(for: .hertz()) < $1.frequency.doubleValue(for: .hertz())
    }
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(points) { writer, point in
      writer.quantity(point.frequency)
      writer.list(point.tests) { Self.write($1, to: &$0) }
    }
    return writer.bytes
  }

  private static func write(_ test: HKAudiogramSensitivityTest, to writer: inout ByteWriter) {
    let (lower, upper) = (test.clampingRange?.lowerBound, test.clampingRange?.upperBound)
    writer.quantity(test.sensitivity)
    writer.byte(UInt8(test.type.rawValue))
    writer.byte(UInt8(test.side.rawValue))
    writer.byte((test.masked ? 1 : 0) | (lower == nil ? 0 : 2) | (upper == nil ? 0 : 4))
    if let lower { writer.fixed(lower.value) }
    if let upper { writer.fixed(upper.value) }
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let points = reader.list(Self.point), reader.isAtEnd
    else { return nil }
    self.points = points
  }

  private static func point(_ reader: inout ByteReader) -> HKAudiogramSensitivityPoint? {
    guard let frequency = reader.quantity(), let tests = reader.list(test) else { return nil }
    do {
      return try HKAudiogramSensitivityPoint(frequency: frequency, tests: tests)
    } catch {
      return nil
    }
  }

  private static func test(_ reader: inout ByteReader) -> HKAudiogramSensitivityTest? {
    guard let sensitivity = reader.quantity(),
      let type = reader.byte().flatMap({ HKAudiogramConductionType(rawValue: Int($0)) }),
      let side = reader.byte().flatMap({ HKAudiogramSensitivityTestSide(rawValue: Int($0)) }),
      let flags = reader.byte(), flags < 8
    else { return nil }
    var bounds: [Double?] = [nil, nil]
    for (index, flag) in [UInt8(2), 4].enumerated() where flags & flag != 0 {
      guard let bound = reader.finite() else { return nil }
      bounds[index] = bound
    }
    do {
      return try HKAudiogramSensitivityTest(
        sensitivity: sensitivity, type: type, masked: flags & 1 != 0, side: side,
        clampingRange: flags < 2
          ? nil
          : try HKAudiogramSensitivityPointClampingRange(lower: bounds[0], upper: bounds[1]))
    } catch {
      return nil
    }
  }

  package func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    guard points.count <= Self.mostPoints else {
      throw .invalidContents(
        type: type.identifier,
        reason: "it has at most \(Self.mostPoints) points, not \(points.count).")
    }
    let frequencies = points.map { $0.frequency.doubleValue(for: .hertz()) }
    guard zip(frequencies, frequencies.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw .invalidContents(type: type.identifier, reason: "the frequencies of points must rise.")
    }
  }
}
