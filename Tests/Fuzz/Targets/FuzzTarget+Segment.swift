import SampleLog

extension FuzzTarget {
  /// The index from identifiers to rows.
  static let keyIndex = FuzzTarget(name: "KeyIndex", maximumLength: 2048) { bytes in
    var input = FuzzInput(bytes)
    let samples = input.half()
    let rows = samples + input.half() << (input.byte() & 7)
    let memory = FuzzInput.copy(input.rest)
    defer { withExtendedLifetime(memory) {} }
    guard let index = try? KeyIndex(memory.bytes, samples: samples, segmentRows: rows) else {
      return
    }
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<24 {
      hash = hash &* 0xD6E8_FEB8_6659_FD93 &+ 1
      _ = index.probe(hash) { units -> Bool? in
        if units.lowerBound < 0 || units.isEmpty { fail("a unit without rows") }
        return nil
      }
    }
    if index.encoded.count > memory.count { fail("a key index that grows") }
  } seeds: {
    func seed(_ name: String, _ count: Int) -> Seed {
      let hash = KeyHash(Store.id)
      var keys = KeyIndexBuilder(expecting: count)
      for row in 0..<count {
        keys.add(hash(Samples.identifier(UInt64(row))), row: UInt32(row))
      }
      let index = KeyIndex.build(keys, segmentRows: count)
      var input = FuzzInputWriter()
      input.half(count)
      input.half(0)
      input.append([0] + index.encoded)
      return Seed(name, input.bytes)
    }
    return [seed("one", 1), seed("few", 9), seed("several-buckets", 120)]
  }

  /// Whole segment files with unrepaired checksums.
  static let segment = FuzzTarget(name: "Segment", maximumLength: 8192) { bytes in
    read([UInt8](bytes))
  } seeds: {
    try segmentSeeds()
  }

  /// Segment files whose checksums are repaired after each change.
  static let soundSegment = FuzzTarget(name: "SoundSegment", maximumLength: 8192) { bytes in
    var content = [UInt8](bytes)
    Repair.segment(&content)
    read(content)
  } seeds: {
    try segmentSeeds()
  }

  static func segmentSeeds() throws -> [Seed] {
    [
      Seed("small", try Samples.segment(rows: 8, isWild: false)),
      Seed("wild", try Samples.segment(rows: 30, isWild: true)),
      Seed("derived", try Samples.segment(rows: 40, isWild: false, isOurs: true)),
      Seed("shared", try Samples.sharedSegment()),
    ]
  }

  private static func read(_ content: [UInt8]) {
    let fileSystem = MemoryFileSystem()
    fileSystem.createDirectory(Store.path)
    Store.write("segment", content, to: fileSystem)
    let symbols = SymbolTable()
    guard let file = try? fileSystem.open(Store.path + "/segment", .read),
      let segment = try? Segment(file: file, name: "segment", symbols: symbols)
    else { return }
    segment.verify { _, _ in }
    for block in 0..<min(4, segment.blockCount) {
      let zone = segment.zone(block)
      for row in Store.someRows(of: zone.count).prefix(4) {
        _ = try? segment.row(row, ofBlock: block, .all)
      }
      guard let rows = try? segment.block(block, .all) else { continue }
      for row in Store.someRows(of: rows.count).prefix(4) {
        _ = try? segment.find(rows.id[row])
        if let extras = Extras(rows.extras(at: row)), !extras.syncIdentifier.isEmpty {
          let key = syncKey(
            subject: symbols.name(rows.subject(at: row)), type: symbols.name(rows.type),
            syncIdentifier: extras.syncIdentifier)
          _ = try? segment.find(syncKey: key)
        }
      }
    }
    _ = try? segment.find(Samples.identifier(1))
    _ = try? segment.find(syncKey: 0)
  }
}
