import Foundation
import SampleLog

/// The payload of a quantity sample that holds several values.
///
/// A version byte; the number of values; the minimum, the maximum and the most recent value, in the
/// unit of the row; the start and end of the most recent value. Most quantity samples have no
/// payload.
package struct QuantitySeriesPayload: SeriesPayload {
  package static let kind: UInt64 = 5
  package static let isRequired = false
  package static let layout = PointLayout.quantities
  private static let version: UInt8 = 1

  package let count: Int
  let minimum: Double
  let maximum: Double
  let mostRecent: QuantityValue

  init(count: Int, minimum: Double, maximum: Double, mostRecent: QuantityValue) {
    self.count = count
    self.minimum = minimum
    self.maximum = maximum
    self.mostRecent = mostRecent
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(UInt64(count))
    for number in [minimum, maximum, mostRecent.value, mostRecent.start, mostRecent.end] {
      writer.fixed(number)
    }
    return writer.bytes
  }

  package func check(
    _ type: HKSampleType, start: Date, end: Date
  ) throws(HKInvalidSampleError) {
    guard end < .distantFuture else {
      throw .invalidContents(type: type.identifier, reason: "A series ends at a known date.")
    }
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let count = reader.varint(),
      (1...UInt64(Int32.max)).contains(count), let minimum = reader.finite(),
      let maximum = reader.finite(), let latest = reader.finite(), let start = reader.finite(),
      let end = reader.finite(), start <= end, reader.isAtEnd
    else { return nil }
    self.init(
      count: Int(count), minimum: minimum, maximum: maximum,
      mostRecent: QuantityValue(value: latest, start: start, end: end))
  }
}
