/// The log that begins the epoch of a restored or repaired store.
///
/// Its only commit records the earlier epochs, and takes the sequence number after the last one.
struct EpochStart {
  var storeID: Identifier
  var epoch: UInt32
  /// The newest sequence number of the restored data.
  var end: UInt64
  /// The end of the preceding log, if there is one.
  var predecessor: LogEnd?
  /// The chain of the history through ``end``, or 0 to start a chain.
  var history: UInt32 = 0
  var lineage: Lineage
  /// Additional settings to record in the commit.
  var settings: [(key: [UInt8], value: [UInt8])] = []

  /// The last sequence number of the commit.
  var last: UInt64 { end + 1 + UInt64(settings.count) }

  /// Returns the commit as a frame, identical in every copy of the store.
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

  /// Writes the log and syncs it.
  func write(into directory: inout StagingDirectory, _ options: Database.Options) throws {
    let header = LogHeader(
      storeID: storeID, epoch: epoch, first: end + 1, salt: options.random(),
      predecessor: predecessor, history: history)
    let frame = try frame(time: options.clock())
    var bytes = header.encoded
    frame.encode(frame.header.inLog(salt: header.salt, durableThrough: end), into: &bytes)
    let name = FileNames.log(first: header.first)
    let file = try directory.create(name)
    try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    try file.sync()
  }
}
