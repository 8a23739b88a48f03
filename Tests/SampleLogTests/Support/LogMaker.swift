import SampleLog

/// Builds the bytes of a log by hand, including ones that no store would write.
struct LogMaker {
  let header: LogHeader
  let symbols = SymbolTable()
  private(set) var bytes: [UInt8]
  /// The end of the log, as a successor states it.
  private(set) var end: LogEnd

  init(
    first: UInt64 = 1, epoch: UInt32 = 1, storeID: Identifier = Identifier(high: 1, low: 2),
    predecessor: LogEnd? = nil
  ) {
    header = LogHeader(
      storeID: storeID, epoch: epoch, first: first, salt: 3, predecessor: predecessor)
    bytes = header.encoded
    end = LogEnd(first: first, last: first - 1, length: UInt64(bytes.count), chain: 0)
  }

  var name: String { FileNames.log(first: header.first) }

  /// Adds a commit; by default with the next sequence number and all preceding ones durable.
  mutating func add(
    _ payload: CommitPayload, first: UInt64? = nil, count: Int? = nil, durable: UInt64? = nil
  ) throws {
    let stored = StoredPayload(try payload.encoded(symbols: symbols))
    let first = first ?? end.last + 1
    let frame = FrameHeader(
      storedLength: stored.bytes.count, rawLength: stored.rawLength, first: first,
      count: UInt32(count ?? payload.recordCount), durableThrough: durable ?? first - 1, time: 0,
      payloadChecksum: stored.checksum, salt: header.salt)
    let encoded = frame.encoded
    bytes += encoded + stored.bytes
    while bytes.count % 8 != 0 { bytes.append(0) }
    end.last = frame.last
    end.length = UInt64(bytes.count)
    end.chain = chained(end.chain, encoded)
  }

  /// Adds a commit of one heart rate.
  mutating func add(_ value: Double, first: UInt64? = nil, durable: UInt64? = nil) throws {
    try add(sample(value), first: first, durable: durable)
  }

  /// A commit of one heart rate, whose identifier is derived from its value.
  func sample(_ value: Double) -> CommitPayload {
    var payload = CommitPayload()
    payload.rows.subject = [symbols.intern("ada")]
    payload.rows.type = [symbols.intern("heartRate")]
    (payload.rows.unit, payload.rows.source) = ([0], [0])
    (payload.rows.device, payload.rows.extras) = ([0], [0])
    payload.rows.id = [Identifier(high: 9, low: value.bitPattern)]
    (payload.rows.start, payload.rows.end, payload.rows.value) = ([value], [value], [value])
    return payload
  }

  /// Adds the header of a frame without its payload.
  mutating func addHeader(promising payload: Int) {
    bytes +=
      FrameHeader(
        storedLength: payload, rawLength: payload, first: end.last + 1, count: 1,
        durableThrough: end.last, time: 0, payloadChecksum: 0, salt: header.salt
      ).encoded
    end.length = UInt64(bytes.count)
  }

  /// Adds bytes that are not a frame.
  mutating func addGarbage(_ count: Int) {
    bytes += [UInt8](repeating: 0xA5, count: count)
    end.length = UInt64(bytes.count)
  }
}
