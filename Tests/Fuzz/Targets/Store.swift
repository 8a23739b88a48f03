import SampleLog

/// Stores in memory, and a caller of their whole interface.
enum Store {
  static let path = "store"
  static let id = Identifier(high: 7, low: 9)

  static func write(_ name: String, _ bytes: [UInt8], to fileSystem: MemoryFileSystem) {
    guard let file = try? fileSystem.open(path + "/" + name, .create) else { return }
    try? bytes.withUnsafeBytes { try file.write($0, at: 0) }
  }

  static func options(toleratesDamage: Bool) -> Database.Options {
    var options = Database.Options()
    options.sealsInBackground = false
    options.toleratesDamage = toleratesDamage
    options.clock = { 800_000_000 }
    options.random = { 0x5EED }
    return options
  }

  /// Builds a frame from an input, with valid checksums.
  static func frame(
    _ input: inout FuzzInput, _ next: inout UInt64, _ chain: inout UInt32, salt: UInt64
  ) -> [UInt8] {
    let choices = input.byte()
    let payload = [UInt8](input.slice(input.half()))
    let stored = StoredPayload(payload)
    // Bits of the first byte select the fields with values that a writer would not write.
    let count = choices & 1 == 0 ? UInt32(input.half()) : UInt32(truncatingIfNeeded: input.word())
    let first = choices & 2 == 0 ? next : input.word()
    let raw = choices & 4 == 0 ? stored.rawLength : Int(truncatingIfNeeded: input.word() >> 32)
    let durable = choices & 8 == 0 ? next - 1 : input.word()
    var header = FrameHeader(
      storedLength: stored.bytes.count, rawLength: raw, first: first, count: max(1, count),
      durableThrough: durable, time: 700_000_000, payloadChecksum: stored.checksum, salt: salt
    ).encoded
    chain = chained(chain, header)
    if first < 1 << 40 { next = first + UInt64(max(1, count)) }
    header += stored.bytes
    while header.count % 8 != 0 { header.append(choices & 16 == 0 ? 0 : 1) }
    return header
  }

  /// Opens a store in every mode and reads everything.
  ///
  /// Writing takes much longer than the rest, so only every eighth input does it; the choice
  /// depends on the input's bytes alone.
  static func exercise(_ fileSystem: MemoryFileSystem, _ input: UnsafeRawBufferPointer) {
    let isChanged = checksum(input) & 7 == 0
    _ = try? Verification(path: path, fileSystem: fileSystem)
    for toleratesDamage in [false, true] {
      let copy = fileSystem.copy()
      for mode in [OpenMode.readOnly, .readWrite] {
        let database = try? Database(
          path: path, mode: mode, options: options(toleratesDamage: toleratesDamage),
          fileSystem: copy)
        guard let database else { continue }
        ask(database)
        if mode == .readWrite, isChanged { change(database) }
        try? database.close()
      }
      guard isChanged else { continue }
      // A modified store must still satisfy every reader.
      _ = try? Verification(path: path, fileSystem: copy)
      _ = try? Database(
        path: path, mode: .readWrite, options: options(toleratesDamage: toleratesDamage),
        fileSystem: copy)
    }
  }

  static func ask(_ database: Database) {
    let snapshot = database.snapshot()
    _ = try? database.statistics()
    _ = database.acknowledgements
    for key in snapshot.series.prefix(8) {
      let rows = try? snapshot.select([key], order: .start(ascending: true))
      if let rows {
        for row in rows.prefix(8) {
          _ = row.block.metadata(at: row.row).count
          let extras = Extras(row.block.extras(at: row.row))
          _ = try? snapshot.row(row.id)
          if let name = extras?.syncIdentifier { _ = try? snapshot.row(key, syncIdentifier: name) }
        }
      }
      _ = try? snapshot.select([key], order: .end(ascending: false), limit: 3)
      _ = try? snapshot.newest(key)
      var filter = RowFilter()
      filter.start = Bounds.from(0).intersection(.below(700_000_100))
      _ = try? snapshot.select([key], where: filter, order: .start(ascending: false), limit: 2)
      _ = try? snapshot.aggregate(
        key, boundaries: [0, 700_000_060, 1e10], unit: snapshot.symbols.intern("count/min"))
      _ = try? snapshot.stream([key]) { _ in true }
    }
    var anchor = Anchor(sequence: snapshot.floor)
    for _ in 0..<4 {
      guard let page = try? snapshot.changes(after: anchor, limit: 16), page.hasMore else { break }
      if page.anchor.sequence <= anchor.sequence { FuzzTarget.fail("a feed that does not get on") }
      anchor = page.anchor
    }
    _ = try? snapshot.changes(after: .beginning, in: snapshot.series)
    _ = try? snapshot.row(Samples.identifier(3))
  }

  /// Saves, deletes, acknowledges, seals and compacts.
  static func change(_ database: Database) {
    var batch = Batch()
    batch.add(
      subject: database.symbols.intern("ada"), type: database.symbols.intern("heartRate"),
      id: Identifier(high: 0xF00D, low: database.end), start: 1, end: 2, value: 3)
    let key = database.snapshot().series.first
    let found = key.flatMap { try? database.snapshot().select([$0], limit: 1) }
    if let row = found?.first { batch.delete(row.id) }
    _ = try? database.commit(batch)
    try? database.acknowledge("fuzz", through: database.end)
    _ = try? database.compact()
    ask(database)
  }

  /// Reads every byte of a blob, so that an invalid address is detected.
  static func read(_ blob: Blob, keptBy owner: RawMemory) {
    withExtendedLifetime(owner) {
      let bytes = UnsafeRawBufferPointer(start: blob.address, count: blob.count)
      _ = Extras(bytes)
      if bytes.reduce(0, { $0 ^ $1 }) == 1, bytes.isEmpty { FuzzTarget.fail("an empty blob") }
    }
  }

  /// Returns a few rows spread over a column, including the first and the last.
  static func someRows(of count: Int) -> [Int] {
    (0..<min(12, count)).map { $0 * (count - 1) / max(1, min(12, count) - 1) }
  }
}
