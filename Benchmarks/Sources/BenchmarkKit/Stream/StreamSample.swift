/// One sample of the stream: what every peer is given to store.
package struct StreamSample: Sendable {
  /// The arrival number, from 1.
  var sequence: UInt64 = 0
  /// Milliseconds since 1970.
  var start: Int64 = 0
  /// Milliseconds since 1970, never before `start`.
  var end: Int64 = 0
  var value = 0.0
  var identifier = StreamIdentifier()
  /// Whose sample it is, counted from 0.
  var subject: UInt16 = 0
  var type: UInt8 = 0
  var unit: UInt8 = 0
  var source: UInt8 = 0
  var device: UInt8 = 0
  /// Which metadata text the sample carries, from 1 to 9, or 0 for none.
  var metadata: UInt8 = 0

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
