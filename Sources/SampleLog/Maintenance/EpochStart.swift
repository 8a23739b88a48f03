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

  /// The one commit, as it is in every copy of the store.
  func frame(time: Double) throws -> StoredFrame {
    var payload = CommitPayload()
    payload.settings = [(Lineage.key, lineage.encoded)] + settings
    let stored = StoredPayload(try payload.encoded(symbols: SymbolTable()))
    return StoredFrame(
      header: FrameHeader(
        storedLength: stored.bytes.count, rawLength: stored.rawLength, first: end + 1,
        count: UInt32(payload.recordCount), durableThrough: 0, time: time,
        payloadChecksum: stored.checksum, salt: 0),
      payload: stored.bytes)
  }

  /// Writes the log and makes it durable.
  func write(into directory: inout StagingDirectory, _ options: Database.Options) throws {
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: end + 1, salt: options.random(),
      predecessor: predecessor)
    let frame = try frame(time: options.clock())
    var bytes = header.encoded
    frame.encode(frame.header.inLog(salt: header.salt, durableThrough: end), into: &bytes)
    let name = FileNames.log(first: header.first)
    let file = try directory.create(name)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
  }
}
