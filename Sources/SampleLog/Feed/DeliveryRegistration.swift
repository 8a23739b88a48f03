/// The progress of background delivery for one series, as stored in the log.
///
/// A registration is keyed by subject and type rather than by a name, so that acknowledging one
/// reads no others. Unlike a durable subscription, it retains deletions only while there are
/// changes to deliver, and for a limited time.
package struct DeliveryRegistration: Hashable, Sendable {
  /// The delivery frequency, as numbered by the layer above.
  package var frequency: UInt8
  /// The sequence number through which every change was processed.
  package var sequence: UInt64
  /// The time at which the last delivery began, in seconds since 2001-01-01 00:00 UTC; nil before
  /// the first.
  package var lastDelivery: Double?
  /// The number of consecutive deliveries that were not acknowledged.
  package var failureCount = 0
  /// Whether delivery is suspended until the registration is reset.
  package var isStopped = false

  package init(frequency: UInt8, sequence: UInt64) {
    self.frequency = frequency
    self.sequence = sequence
  }

  private static let version: UInt8 = 1

  /// Decodes the bytes of ``encoded``.
  ///
  /// Returns nil if they are damaged or of a later version.
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

  /// The registration encoded as the value of its setting.
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
