import SampleLog

/// The contents of a store as text: equal for equal data in any arrangement of files.
struct FixtureAnswers {
  private(set) var lines: [String] = []

  init(_ database: Database) throws {
    let snapshot = database.snapshot()
    lines.append("end \(snapshot.end), floor \(snapshot.floor)")
    for (name, sequence) in database.acknowledgements.sorted(by: { $0.key < $1.key }) {
      lines.append("acknowledged \(name) \(sequence)")
    }
    let keys = snapshot.series.sorted { Self.name($0, database) < Self.name($1, database) }
    for key in keys { try ask(key, snapshot, Self.name(key, database)) }
    for anchor in [0, 1, 20, 400, 2000, 2800, 3500, snapshot.end] where anchor <= snapshot.end {
      var after = Anchor(sequence: anchor)
      var digest = Digest()
      var counts = (added: 0, deleted: 0)
      while true {
        let page = try snapshot.changes(after: after, limit: 500)
        for change in page.changes {
          if change.kind == .sample { counts.added += 1 } else { counts.deleted += 1 }
          digest.add(change.row)
        }
        after = page.anchor
        if !page.hasMore { break }
      }
      lines.append("changes \(anchor)…\(after): +\(counts.added) −\(counts.deleted) \(digest)")
    }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }

  private static func name(_ key: SeriesKey, _ database: Database) -> String {
    database.symbols.text(key.subject) + "/" + database.symbols.text(key.type)
  }

  private mutating func ask(_ key: SeriesKey, _ snapshot: Snapshot, _ name: String) throws {
    let rows = try snapshot.select([key], order: .start(ascending: true))
    var digest = Digest()
    for row in rows { digest.add(row) }
    lines.append("\(name): \(rows.count) rows \(digest)")
    for row in [rows.first, rows.last].compactMap({ $0 }) { lines.append("  " + Self.words(row)) }
    let newest = try snapshot.newest(key)
    lines.append("  newest \(newest.map { "\($0.sequence)" } ?? "none")")
    // The answers were recorded with equal ends in ascending order of sequence number.
    let latest = try snapshot.select([key], order: .end(ascending: false))
      .sorted { ($1.end, $0.sequence) < ($0.end, $1.sequence) }
    lines.append("  latest ends \(latest.prefix(3).map(\.sequence))")
    var found = 0
    for row in rows.enumerated() where row.offset % 17 == 0 {
      if try snapshot.row(row.element.id)?.sequence == row.element.sequence { found += 1 }
      guard let extras = Extras(row.element.block.extras(at: row.element.row)),
        !extras.syncIdentifier.isEmpty
      else { continue }
      let same = try snapshot.row(key, syncIdentifier: extras.syncIdentifier)
      lines.append(
        "  \(String(decoding: extras.syncIdentifier, as: UTF8.self)): "
          + "\(same.map { "\($0.sequence)" } ?? "none")")
    }
    lines.append("  \(found) found by identifier")
    guard let unit = rows.first.map({ $0.block.unit[$0.row] }) else { return }
    let sums = try? snapshot.aggregate(key, boundaries: [0, 650_000_100, 7e8, 1e9], unit: unit)
    // The order of addition, and so the last bits of a sum, depends on the ends of blocks.
    lines.append("  sums \(sums?.map { "\($0.count) \(Float($0.sum))" } ?? ["mixed units"])")
  }

  private static func words(_ row: Row) -> String {
    let block = row.block
    let symbols = block.symbols
    return "\(row.sequence) \(row.id) \(block.start[row.row])…\(block.end[row.row]) "
      + "\(block.value[row.row]) \(symbols.text(block.unit[row.row])) "
      + "\(symbols.text(block.source[row.row])) \(symbols.text(block.device[row.row])) "
      + "\([UInt8](block.extras(at: row.row)))"
  }
}

/// FNV-1a over every column of rows.
private struct Digest: CustomStringConvertible {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  var description: String { String(state, radix: 16) }

  mutating func add(_ row: Row) {
    let block = row.block
    var words = [
      row.sequence, row.id.high, row.id.low, block.start[row.row].bitPattern,
      block.end[row.row].bitPattern, block.value[row.row].bitPattern, UInt64(block.kind.rawValue),
    ]
    if block.kind == .deletion { words.append(block.target[row.row]) }
    for word in words { withUnsafeBytes(of: word.littleEndian) { add($0) } }
    for symbol in [
      row.subject, block.type, block.unit[row.row], block.source[row.row], block.device[row.row],
    ] {
      block.symbols.name(symbol).withUnsafeBytes { add($0) }
    }
    add(block.extras(at: row.row))
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    state = (state ^ UInt64(bytes.count)) &* 0x100_0000_01B3
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }
}
