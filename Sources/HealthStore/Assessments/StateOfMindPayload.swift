import Foundation
import SampleLog

/// The payload of a state of mind.
///
/// Format: a version byte, the kind (signed), the valence (bit pattern), then labels and
/// associations, each as a count and numbers (signed). Numbers unknown to this version are kept.
struct StateOfMindPayload: SamplePayload {
  static let kind: UInt64 = 9
  private static let version: UInt8 = 1

  let feeling: HKStateOfMind.Kind
  let valence: Double
  let labels: [Int]
  let associations: [Int]

  /// The valence, stored in the row's value so that predicates on it become ranges.
  var rowValue: Double { valence }

  init(kind: HKStateOfMind.Kind, valence: Double, labels: [Int], associations: [Int]) {
    feeling = kind
    self.valence = valence
    self.labels = labels
    self.associations = associations
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.signed(feeling.rawValue)
    writer.fixed(valence)
    writer.list(labels) { $0.signed($1) }
    writer.list(associations) { $0.signed($1) }
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version,
      let kind = reader.signed().flatMap(HKStateOfMind.Kind.init(rawValue:)),
      let valence = reader.finite(), (-1...1).contains(valence),
      let labels = reader.list({ $0.signed() }), let associations = reader.list({ $0.signed() }),
      reader.isAtEnd
    else { return nil }
    self.init(kind: kind, valence: valence, labels: labels, associations: associations)
  }

  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    guard (-1...1).contains(valence) else {
      throw .invalidContents(
        type: type.identifier, reason: "a valence is between -1 and 1, not \(valence).")
    }
  }
}
