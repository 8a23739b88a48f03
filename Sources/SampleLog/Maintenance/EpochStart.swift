/// The log with which a restored or repaired store begins to be one of its own.
///
/// Its one commit records the epochs before it, and so takes the sequence number after the last.
struct EpochStart {
  var storeID: Identifier
  var epoch: UInt32
  /// The newest sequence number of what was restored.
  var end: UInt64
  /// The log before it, where there is one.
  var predecessor: LogEnd?
  var lineage: Lineage
  /// Settings to record with it.
  var settings: [(key: [UInt8], value: [UInt8])] = []

  /// The last sequence number it takes.
  var last: UInt64 { end + 1 + UInt64(settings.count) }

  /// Writes the log and makes it durable.
  func write(into directory: inout StagingDirectory, _ options: Database.Options) throws {
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: end + 1, salt: options.random(),
      predecessor: predecessor)
    var payload = CommitPayload()
    payload.settings = [(Lineage.key, lineage.encoded)] + settings
    let stored = StoredPayload(try payload.encoded(symbols: SymbolTable()))
    let frame = FrameHeader(
      storedLength: stored.bytes.count, rawLength: stored.rawLength, first: end + 1,
      count: UInt32(payload.recordCount), durableThrough: end, time: options.clock(),
      payloadChecksum: stored.checksum, salt: header.salt)
    var writer = ByteWriter()
    writer.append(header.encoded)
    writer.append(frame.encoded)
    writer.append(stored.bytes)
    writer.pad(toMultipleOf: 8)
    let name = FileNames.log(first: header.first)
    let file = try directory.create(name)
    try writer.bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
  }
}
