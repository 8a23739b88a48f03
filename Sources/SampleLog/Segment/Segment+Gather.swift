extension Segment {
  /// Reads some rows of a block, in rising order, as a block of just those.
  ///
  /// Worth it when they are few, or close together: of the identifiers, which are most of a block's
  /// bytes, only those from the first row to the last are read, and of the other columns little
  /// else is decoded.
  ///
  /// The block is read unless it is given as it is stored.
  func block(
    _ index: Int, rows indices: [Int32], _ columns: ColumnSet, stored: EncodedBlock? = nil
  ) throws -> Block {
    let others = available(columns, in: index).subtracting(.id)
    let count = indices.count
    let wanted = columns.contains(.id) ? others.union(.id) : others
    let storage = ColumnStorage(capacity: count, columns: wanted, blobCapacity: count)
    let out = storage.pointers
    let begin = Int(indices[0]) / IntegerCodec.sumStep * IntegerCodec.sumStep
    let end = Int(indices[count - 1]) + 1
    if Self.isPicked(count, of: end - begin) {
      try (stored ?? encodedBlock(index)).decode(indices, others, into: storage)
    } else {
      let reader =
        try stored?.reader ?? BlockReader(self, index, mask: StoredColumn.mask(others))
      let window = try reader.decode(others, rows: begin..<end)
      gather(window, from: begin, indices, into: storage)
    }
    if wanted.contains(.id), isDerived(index) {
      let ids = try block(index, .id)
      for (position, row) in indices.enumerated() { out.id[position] = ids.id[Int(row)] }
    } else if wanted.contains(.id) {
      try withIdentifiers(index, Int(indices[0])..<end) { bytes, from, encoding in
        for (position, row) in indices.enumerated() {
          out.id[position] = IdentifierCodec.load(bytes, row: Int(row) - from, encoding: encoding)
        }
      }
    }
    let group = group(ofBlock: index)
    return Block(
      subject: subject(ofRow: Int(indices[0]), inBlock: index),
      subjects: subjects(of: indices, inBlock: index, keptBy: storage), type: group.type,
      kind: group.kind, count: count, columns: wanted, symbols: symbols, pointers: out,
      owner: storage)
  }

  /// Makes a column of the subjects of some rows of a block; nil when they have one.
  private func subjects(
    of indices: [Int32], inBlock index: Int, keptBy storage: ColumnStorage
  ) -> UnsafePointer<Symbol>? {
    let group = group(ofBlock: index)
    guard group.series.count > 1, let first = indices.first, let last = indices.last,
      seriesNumber(ofRow: Int(first), inBlock: index)
        != seriesNumber(ofRow: Int(last), inBlock: index)
    else { return nil }
    let memory = RawMemory(indices.count * MemoryLayout<Symbol>.stride)
    let column = memory.base.bindMemory(to: Symbol.self, capacity: indices.count)
    for (position, row) in indices.enumerated() {
      (column + position).initialize(to: subject(ofRow: Int(row), inBlock: index))
    }
    storage.keep(memory)
    return UnsafePointer(column)
  }

  /// Whether some rows among others are so few that they are picked out of the stored columns: that
  /// takes as long for one as decoding ten, and decoding any of them as decoding a step.
  static func isPicked(_ count: Int, of rows: Int) -> Bool {
    count * 10 < max(rows, IntegerCodec.sumStep)
  }

  /// Copies rows out of a block whose own first row is `begin`.
  private func gather(
    _ source: Block, from begin: Int, _ indices: [Int32], into storage: ColumnStorage
  ) {
    storage.keep(source)
    let out = storage.pointers
    func gather<T>(
      _ column: ColumnSet, _ from: UnsafePointer<T>, _ to: UnsafeMutablePointer<T>
    ) {
      guard source.columns.contains(column) else { return }
      for (position, row) in indices.enumerated() {
        (to + position).initialize(to: from[Int(row) - begin])
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
      for (position, row) in indices.enumerated() {
        let number = Int(source.extras[Int(row) - begin])
        out.extras[position] = number == 0 ? 0 : UInt32(position + 1)
        if number > 0 { (out.blobs + position).initialize(to: source.blobs[number - 1]) }
      }
    }
  }
}
