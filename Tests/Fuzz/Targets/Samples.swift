import SampleLog

/// Well-formed parts of a store, the same in every run, as seeds.
enum Samples {
  static func identifier(_ number: UInt64) -> Identifier {
    Identifier(
      high: number &* 0x9E37_79B9_7F4A_7C15 & ~0xF000 | 0x4000,
      low: number &* 0xD6E8_FEB8_6659_FD93 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  static func extras(_ number: Int) -> Extras {
    var extras = Extras()
    extras.metadata = [1, 1, 1, 65, 4, UInt8(truncatingIfNeeded: number)]
    if number % 2 == 0 {
      extras.syncIdentifier = Array("sync-\(number)".utf8)
      extras.syncVersion = Int64(number)
    }
    if number % 3 == 0 {
      extras.payloadKind = 1
      extras.payload = [1, 0]
      extras.memberOf = [identifier(UInt64(number))]
    }
    return extras
  }

  /// Returns the payload of a commit.
  static func payload(rows: Int, deletions: Int, settings: Int, from number: UInt64 = 1) -> [UInt8]
  {
    let symbols = SymbolTable()
    var payload = CommitPayload()
    func fill(_ group: inout RowGroup, _ count: Int, isDeletion: Bool) {
      for row in 0..<count {
        group.subject.append(symbols.intern("ada"))
        group.type.append(symbols.intern(row % 3 == 2 ? "steps" : "heartRate"))
        group.unit.append(symbols.intern("count/min"))
        group.source.append(row % 4 == 1 ? symbols.intern("watch") : 0)
        group.device.append(0)
        group.id.append(identifier(number + UInt64(row)))
        group.start.append(700_000_000 + Double(row) * 60)
        group.end.append(700_000_000 + Double(row) * 60 + (row % 5 == 4 ? 1.5 : 0))
        group.value.append(60 + Double(row % 7))
        group.extras.append(row % 5 == 3 ? group.intern(blob: extras(row).encoded) : 0)
        if isDeletion { group.target.append(UInt64(row + 1)) }
      }
    }
    fill(&payload.deletions, deletions, isDeletion: true)
    fill(&payload.rows, rows, isDeletion: false)
    for setting in 0..<settings {
      payload.settings.append(
        (Array("subscription/\(setting)".utf8), [UInt8](repeating: 1, count: setting * 8)))
    }
    guard let bytes = try? payload.encoded(symbols: symbols) else {
      fatalError("The sample is larger than a payload may be.")
    }
    return bytes
  }

  static func frame(repeating count: Int) -> [UInt8] {
    let stored = StoredPayload([UInt8](repeating: 7, count: count))
    let header = FrameHeader(
      storedLength: stored.bytes.count, rawLength: stored.rawLength, first: 5, count: 3,
      durableThrough: 4, time: 1, payloadChecksum: stored.checksum, salt: 77)
    return header.encoded + stored.bytes
  }

  /// Returns an input of the target for logs.
  static func log(_ commits: [(rows: Int, deletions: Int, settings: Int)]) -> [UInt8] {
    var input = FuzzInputWriter(UInt8(commits.count))
    var number: UInt64 = 1
    for commit in commits {
      let payload = payload(
        rows: commit.rows, deletions: commit.deletions, settings: commit.settings, from: number)
      number += UInt64(commit.rows)
      input.append([0])
      input.half(payload.count)
      input.half(commit.rows + commit.deletions + commit.settings)
      input.append(payload)
    }
    return input.bytes
  }

  /// Returns a segment that covers 1 to 60 with every kind of column.
  static func segment(rows count: Int, isWild: Bool, isOurs: Bool = false) throws -> [UInt8] {
    let symbols = SymbolTable()
    let stream = IdentifierStream(high: 5, key: Identifier(high: 8, low: 9))
    if isOurs { symbols.streams.add(stream) }
    let fileSystem = MemoryFileSystem()
    fileSystem.createDirectory(Store.path)
    let file = try fileSystem.open(Store.path + "/new", .create)
    let header = SegmentHeader(
      storeID: Store.id, epoch: 1, first: 1, last: UInt64(max(60, count * 2)), generation: 0,
      floor: 0, deletedThrough: 0)
    let writer = try SegmentWriter(file: file, header: header, symbols: symbols)
    for kind in [RowKind.sample, .deletion] {
      var rows = RowColumns()
      for row in 0..<(kind == .sample ? count : count / 4) {
        rows.sequence.append(UInt64(row + 1 + (kind == .sample ? 0 : count)))
        rows.id.append(
          isOurs
            ? stream.identifier(UInt64(row))
            : isWild ? Identifier(high: UInt64(row / 9), low: UInt64(row)) : identifier(UInt64(row))
        )
        rows.start.append(700_000_000 + Double(row) * (isWild ? 0.1 : 60))
        rows.end.append(rows.start[row] + (isWild && row % 5 == 4 ? 1.5 : 0))
        rows.value.append(isWild && row % 6 == 1 ? Double(row).squareRoot() : 60 + Double(row % 7))
        rows.unit.append(symbols.intern("count/min"))
        rows.source.append(row % 4 == 1 ? symbols.intern("watch") : 0)
        rows.device.append(isWild ? symbols.intern("device \(row % 3)") : 0)
        rows.extras.append(row % 5 == 3 ? rows.intern(blob: extras(row).encoded) : 0)
        if kind == .deletion {
          rows.target.append(UInt64(row + 1))
          rows.time.append(700_000_500)
        }
      }
      try writer.add(
        BlockKey(
          SeriesKey(subject: symbols.intern("ada"), type: symbols.intern("heartRate")), kind), rows)
    }
    let setting = Setting(key: Array("subscription/x".utf8), value: [9], sequence: 3)
    let length = try writer.finish(settings: [setting])
    return try file.bytes(length, at: 0) ?? []
  }

  /// Returns a segment whose blocks have rows of several people.
  static func sharedSegment() throws -> [UInt8] {
    let fileSystem = MemoryFileSystem()
    let database = try Database(
      path: Store.path, options: Store.options(toleratesDamage: false), fileSystem: fileSystem)
    let symbols = database.symbols
    var batch = Batch()
    for row in 0..<48 {
      let start = 700_000_000 + Double(row) * 60
      batch.add(
        subject: symbols.intern("person \(row * 7 % 12)"),
        type: symbols.intern(row % 3 == 2 ? "steps" : "heartRate"), id: identifier(UInt64(row)),
        start: start, end: start, value: 60 + Double(row % 7), unit: symbols.intern("count/min"),
        extras: row % 9 == 3 ? batch.intern(extras: extras(row).encoded) : 0)
    }
    try database.commit(batch)
    var deletions = Batch()
    for row in 0..<6 { deletions.delete(identifier(UInt64(row * 5))) }
    try database.commit(deletions)
    try database.seal()
    try database.close()
    for name in fileSystem.list(Store.path) ?? [] where FileNames.segmentRange(name) != nil {
      let file = try fileSystem.open(Store.path + "/" + name, .read)
      return try file.bytes(file.size(), at: 0) ?? []
    }
    fatalError("Sealing has written no segment.")
  }
}
