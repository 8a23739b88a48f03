/// How far the delivery of one series' changes has come, as the log keeps it.
///
/// A registration belongs to a subject and a type rather than to a name, so that acknowledging one
/// reads no other. Unlike a durable subscription it keeps deletions only while there is something
/// to deliver, and for a limited time.
package struct DeliveryRegistration: Hashable, Sendable {
  /// How often to deliver, as the layer above numbers it.
  package var frequency: UInt8
  /// The sequence number through which every change was dealt with.
  package var sequence: UInt64
  /// When a delivery began last, in seconds since 2001-01-01 00:00 UTC; nil before the first.
  package var lastDelivery: Double?
  /// How many deliveries in a row were not acknowledged.
  package var failureCount = 0
  /// Whether nothing is delivered until somebody resets it.
  package var isStopped = false

  package init(frequency: UInt8, sequence: UInt64) {
    self.frequency = frequency
    self.sequence = sequence
  }

  private static let version: UInt8 = 1

  /// Reads what ``encoded`` wrote; nil for what is damaged or of a later version.
  init?(_ bytes: [UInt8]) {
    let decoded = bytes.withUnsafeBytes { bytes -> DeliveryRegistration? in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version, let frequency = reader.byte(),
        let isStopped = reader.byte(), isStopped <= 1, let failures = reader.varint(),
        let failureCount = Int32(exactly: failures), failureCount < .max,
        let sequence = reader.fixed64(),
        let lastDelivery = reader.double(), reader.isAtEnd
      else { return nil }
      var result = DeliveryRegistration(frequency: frequency, sequence: sequence)
      result.lastDelivery = lastDelivery.isNaN ? nil : lastDelivery
      result.failureCount = Int(failureCount)
      result.isStopped = isStopped == 1
      return result
    }
    guard let decoded else { return nil }
    self = decoded
  }

  /// The value of the setting that keeps the registration.
  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.byte(frequency)
    writer.byte(isStopped ? 1 : 0)
    writer.varint(UInt64(failureCount))
    writer.fixed(sequence)
    writer.fixed(lastDelivery ?? .nan)
    return writer.bytes
  }
}
