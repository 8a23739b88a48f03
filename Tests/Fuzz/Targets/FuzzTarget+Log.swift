import SampleLog

extension FuzzTarget {
  /// Log headers and frames, the compression of their payloads, and file names.
  static let frame = FuzzTarget(name: "Frame", maximumLength: 4096) { bytes in
    var input = FuzzInput(bytes)
    let kind = input.byte()
    var content = [UInt8](input.rest)
    switch kind & 3 {
    case 0:
      let text = String(decoding: content, as: UTF8.self)
      _ = FileNames.logFirst(text)
      _ = FileNames.segmentRange(text)
    case 1:
      if kind & 4 != 0 { Repair.logHeader(&content) }
      let header = try? LogHeader(Array(content.prefix(LogHeader.size)), file: "log")
      if let header, header.encoded.count != LogHeader.size { fail("length of a log header") }
    default:
      if kind & 4 != 0 { Repair.frame(&content, at: 0) }
      content.withUnsafeBytes { buffer in
        guard buffer.count >= FrameHeader.size else { return }
        let salt = buffer.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        guard let header = FrameHeader(buffer, salt: salt), header.frameLength <= buffer.count
        else { return }
        if header.frameLength < FrameHeader.size || header.last < header.first {
          fail("a frame that ends before it begins")
        }
        let stored = buffer[FrameHeader.size..<FrameHeader.size + header.storedLength]
        let raw = StoredPayload.raw(UnsafeRawBufferPointer(rebasing: stored), header: header)
        if let raw, raw.count != header.rawLength { fail("length of a payload") }
      }
    }
  } seeds: {
    let log = LogHeader(
      storeID: Identifier(high: 1, low: 2), epoch: 1, first: 9, salt: 3,
      predecessor: LogEnd(first: 1, last: 8, length: 200, chain: 5))
    return [
      Seed("log-name", [0] + Array(FileNames.log(first: 17).utf8)),
      Seed("segment-name", [0] + Array(FileNames.segment(first: 1, last: 9, generation: 2).utf8)),
      Seed("log-header", [1] + log.encoded), Seed("log-header-repaired", [5] + log.encoded),
      Seed("frame", [6] + Samples.frame(repeating: 40)),
      Seed("compressed-frame", [6] + Samples.frame(repeating: 900)),
    ]
  }

  /// The records of one commit, with a valid checksum.
  static let payload = FuzzTarget(name: "Payload", maximumLength: 4096) { bytes in
    let symbols = SymbolTable()
    guard let payload = CommitPayload(bytes, symbols: symbols) else { return }
    // A decoded payload survives another round trip.
    guard let written = try? payload.encoded(symbols: symbols),
      let again = written.withUnsafeBytes({ CommitPayload($0, symbols: symbols) }),
      again.recordCount == payload.recordCount, again.rows.id == payload.rows.id,
      again.deletions.target == payload.deletions.target,
      again.rows.subject == payload.rows.subject,
      (try? again.encoded(symbols: symbols)) == written
    else { fail("a payload does not survive writing") }
  } seeds: {
    [
      Seed("rows", Samples.payload(rows: 5, deletions: 0, settings: 0)),
      Seed("everything", Samples.payload(rows: 7, deletions: 3, settings: 2)),
      Seed("one-row", Samples.payload(rows: 1, deletions: 0, settings: 0)),
      Seed("settings", Samples.payload(rows: 0, deletions: 0, settings: 3)),
    ]
  }

  /// Whole logs whose frames have valid checksums and arbitrary content, opened as a store.
  ///
  /// The input is a list of frames: a byte of choices, the length of the payload, the fields of the
  /// header, the payload.
  static let log = FuzzTarget(name: "Log", maximumLength: 8192) { bytes in
    var input = FuzzInput(bytes)
    let fileSystem = MemoryFileSystem()
    fileSystem.createDirectory(Store.path)
    var first: UInt64 = 1
    var predecessor: LogEnd?
    for _ in 0..<2 where !input.rest.isEmpty {
      let header = LogHeader(
        storeID: Store.id, epoch: 1, first: first, salt: 77, predecessor: predecessor)
      var content = header.encoded
      var chain: UInt32 = 0
      var next = first
      var frames = Int(input.byte() & 15)
      while frames > 0, !input.rest.isEmpty {
        content += Store.frame(&input, &next, &chain, salt: header.salt)
        frames -= 1
      }
      Store.write(FileNames.log(first: first), content, to: fileSystem)
      predecessor = LogEnd(
        first: first, last: next - 1, length: UInt64(content.count), chain: chain)
      guard next > first else { break }
      first = next
    }
    Store.exercise(fileSystem, bytes)
  } seeds: {
    [
      Seed("two-frames", Samples.log([(3, 0, 0), (2, 2, 1)])),
      Seed("compressed", Samples.log([(60, 0, 0)])),
      Seed("settings", Samples.log([(1, 0, 2), (1, 1, 1), (2, 0, 0)])),
    ]
  }
}
