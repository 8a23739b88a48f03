extension Segment {
  /// Reads some rows of a block, in rising order, as a block of just those.
  ///
  /// Worth it when they are few, or close together: of the identifiers, which are most of a block's
  /// bytes, only those from the first row to the last are read, and of the other columns little
  /// else is decoded.
  func block(_ index: Int, rows places: [Int32], _ columns: ColumnSet) throws -> Block {
    let others = available(columns, in: index).subtracting(.id)
    let count = places.count
    let wanted = columns.contains(.id) ? others.union(.id) : others
    let storage = ColumnStorage(capacity: count, columns: wanted, blobCapacity: count)
    let out = storage.pointers
    if isPicked(count, of: index) {
      let rows = try encodedBlock(index)
      for (place, row) in places.enumerated() {
        try rows.decode(Int(row), others, into: storage, at: place)
      }
    } else if let first = places.first, let last = places.last {
      let begin = Int(first) / IntegerCodec.sumStep * IntegerCodec.sumStep
      let window = try BlockReader(self, index, mask: StoredColumn.mask(others))
        .decode(others, rows: begin..<Int(last) + 1)
      gather(window, from: begin, places, into: storage)
    }
    if wanted.contains(.id), isDerived(index) {
      let ids = try block(index, .id)
      for (place, row) in places.enumerated() { out.id[place] = ids.id[Int(row)] }
    } else if wanted.contains(.id), let first = places.first, let last = places.last {
      try withIdentifiers(index, Int(first)..<Int(last) + 1) { bytes, from, encoding in
        for (place, row) in places.enumerated() {
          out.id[place] = IdentifierCodec.load(bytes, row: Int(row) - from, encoding: encoding)
        }
      }
    }
    let series = series[directory.series(index)]
    return Block(
      subject: series.subject, type: series.type, kind: series.kind, count: count,
      columns: wanted, symbols: symbols, pointers: out, owner: storage)
  }

  /// Picking a row out of the stored columns takes as long as decoding so many of its block.
  private static let pickedShare = 100

  /// Whether so many rows of a block are picked out one by one.
  func isPicked(_ count: Int, of block: Int) -> Bool {
    count * Self.pickedShare < directory.rows(block)
  }

  /// Copies rows out of a block whose own first row is `begin`.
  private func gather(
    _ source: Block, from begin: Int, _ places: [Int32], into storage: ColumnStorage
  ) {
    storage.keep(source)
    let out = storage.pointers
    func gather<T>(
      _ column: ColumnSet, _ from: UnsafePointer<T>, _ to: UnsafeMutablePointer<T>
    ) {
      guard source.columns.contains(column) else { return }
      for (place, row) in places.enumerated() {
        (to + place).initialize(to: from[Int(row) - begin])
      }
    }
    gather(.sequence, source.sequence, out.sequence)
    gather(.start, source.start, out.start)
    gather(.end, source.end, out.end)
    gather(.value, source.value, out.value)
    gather(.unit, source.unit, out.unit)
    gather(.source, source.source, out.source)
    gather(.device, source.device, out.device)
    gather(.target, source.target, out.target)
    gather(.target, source.time, out.time)
    if source.columns.contains(.extras) {
      for (place, row) in places.enumerated() {
        let number = Int(source.extras[Int(row) - begin])
        out.extras[place] = number == 0 ? 0 : UInt32(place + 1)
        if number > 0 { (out.blobs + place).initialize(to: source.blobs[number - 1]) }
      }
    }
  }
}
