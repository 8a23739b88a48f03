/// One sample of the stream, as passed to every peer.
package struct StreamSample: Sendable {
  /// The sequence number, from 1.
  package var sequence: UInt64 = 0
  /// Milliseconds since 1970.
  package var start: Int64 = 0
  /// Milliseconds since 1970, never before `start`.
  package var end: Int64 = 0
  package var value = 0.0
  package var identifier = StreamIdentifier()
  /// The subject, counted from 0.
  package var subject: UInt32 = 0
  package var type: UInt8 = 0
  package var unit: UInt8 = 0
  package var source: UInt8 = 0
  package var device: UInt8 = 0
  /// The number of the metadata text, from 1 to 9, or 0 for none.
  package var metadata: UInt8 = 0

  package init() {}

  /// Folds every field but the subject into a checksum of the stream.
  func fold(into checksum: inout Checksum) {
    checksum.fold(sequence)
    let codes = UInt64(type) | UInt64(source) << 8 | UInt64(device) << 16 | UInt64(unit) << 24
    checksum.fold(codes | UInt64(metadata) << 32)
    checksum.fold(UInt64(bitPattern: start))
    checksum.fold(UInt64(bitPattern: end))
    checksum.fold(value.bitPattern)
    checksum.fold(identifier.high)
    checksum.fold(identifier.low)
  }
}
