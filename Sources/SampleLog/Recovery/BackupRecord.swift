/// The record that identifies a directory as a backup.
struct BackupRecord: Equatable, Sendable {
  static let size = 64
  private static let version: UInt32 = 1
  private static let magic: UInt64 = 0x0A50_5543_4B42_4853  // "SHBKCUP", line feed

  /// The store's identity.
  var storeID: Identifier
  /// The store's epoch.
  var epoch: UInt32
  /// The newest sequence number in the backup.
  var end: UInt64
  /// The creation time, in seconds since 2001-01-01 00:00 UTC.
  var time: Double

  var encoded: [UInt8] {
    var writer = ByteWriter(reserving: Self.size)
    writer.fixed(Self.magic)
    writer.fixed(Self.version)
    writer.fixed(epoch)
    writer.fixed(storeID.high)
    writer.fixed(storeID.low)
    writer.fixed(end)
    writer.fixed(time)
    writer.pad(toMultipleOf: Self.size - 4)
    writer.fixed(checksum(writer.bytes))
    return writer.bytes
  }
}

extension BackupRecord {
  /// Decodes a record; returns nil if the bytes are malformed.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    var fields = HeaderFields(bytes)
    guard fields.word() == Self.magic, fields.half() == Self.version else { return nil }
    let (epoch, high, low) = (fields.half(), fields.word(), fields.word())
    let (end, time) = (fields.word(), Double(bitPattern: fields.word()))
    self.init(storeID: Identifier(high: high, low: low), epoch: epoch, end: end, time: time)
    guard encoded == bytes else { return nil }
  }
}
