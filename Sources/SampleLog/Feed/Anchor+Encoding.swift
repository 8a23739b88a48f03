extension Anchor {
  private static let version: UInt8 = 3

  /// The anchor as bytes, independent of process and platform.
  ///
  /// Version 3 consists of the version byte; a byte that is 1 if an origin follows; the store's
  /// identity (high and low word, 8 bytes each) and epoch (4 bytes); three varints: the sequence
  /// number, the start of the initial load, and the distance of the horizon from the greater of the
  /// two; and the CRC-32C of all preceding bytes.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.byte(origin == nil ? 0 : 1)
    if let origin {
      writer.fixed(origin.storeID.high)
      writer.fixed(origin.storeID.low)
      writer.fixed(origin.epoch)
    }
    writer.varint(sequence)
    writer.varint(initialLoadEnd)
    writer.varint(horizon - max(sequence, initialLoadEnd))
    writer.fixed(checksum(writer.bytes))
    return writer.bytes
  }

  /// Decodes an anchor.
  ///
  /// Returns nil if the bytes are damaged, of a later version or not an anchor.
  ///
  /// Versions 1 and 2, which have no horizon and no checksum, are also accepted.
  public init?(encoded bytes: [UInt8]) {
    let anchor = bytes.withUnsafeBytes { buffer -> Anchor? in
      var reader = ByteReader(buffer)
      guard let version = reader.byte(), let hasOrigin = reader.byte(), hasOrigin <= 1 else {
        return nil
      }
      var origin: Origin?
      if hasOrigin == 1 {
        guard let high = reader.fixed64(), let low = reader.fixed64(),
          let epoch = reader.fixed(UInt32.self)
        else { return nil }
        origin = Origin(storeID: Identifier(high: high, low: low), epoch: epoch)
      }
      return switch version {
      case 1, 2: Self.readFixed(version, &reader, origin)
      case Self.version: Self.readVarints(&reader, origin)
      default: nil
      }
    }
    // Each anchor has exactly one encoding, so the comparison also verifies the checksum.
    guard let anchor, bytes[0] < Self.version || anchor.encoded == bytes else { return nil }
    self = anchor
  }

  private static func readVarints(_ reader: inout ByteReader, _ origin: Origin?) -> Anchor? {
    guard let sequence = reader.varint(), let initialLoadEnd = reader.varint(),
      let beyond = reader.varint()
    else { return nil }
    let (horizon, isTooGreat) = max(sequence, initialLoadEnd).addingReportingOverflow(beyond)
    guard !isTooGreat else { return nil }
    return Anchor(
      sequence: sequence, initialLoadEnd: initialLoadEnd, horizon: horizon, origin: origin)
  }

  /// Decodes version 1, which has a sequence number, or version 2, which was written during an
  /// initial load and also has the start of the load.
  private static func readFixed(
    _ version: UInt8, _ reader: inout ByteReader, _ origin: Origin?
  ) -> Anchor? {
    guard let sequence = reader.fixed64() else { return nil }
    if version == 1 {
      return reader.isAtEnd ? Anchor(sequence: sequence, origin: origin) : nil
    }
    guard let initialLoadEnd = reader.fixed64(), initialLoadEnd > sequence, reader.isAtEnd else {
      return nil
    }
    return Anchor(sequence: sequence, initialLoadEnd: initialLoadEnd, origin: origin)
  }
}
