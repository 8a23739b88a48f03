extension Segment {
  /// Reads rows of a block, listed in ascending order, into a block that contains only these rows.
  ///
  /// Efficient if the rows are few or close together. Of stored identifiers, only those from the
  /// first to the last row are read; of other columns, little more than the rows is decoded.
  ///
  /// Reads the block from the file unless `stored` is given.
  func block(
    _ index: Int, rows indices: [Int32], _ columns: ColumnSet, stored: EncodedBlock? = nil
  ) throws -> Block {
    let wanted = available(columns, in: index)
    let decoded = isDerived(index) ? wanted : wanted.subtracting(.id)
    let count = indices.count
    let storage = ColumnStorage(capacity: count, columns: wanted, blobCapacity: count)
    let window = Self.window(Int(indices[0])..<Int(indices[count - 1]) + 1)
    if Self.isPicked(count, of: window.count) {
      try (stored ?? encodedBlock(index)).decode(indices, decoded, into: storage)
    } else {
      let reader = try stored?.reader ?? BlockReader(self, index, mask: mask(decoded, of: index))
      let source = try reader.decode(decoded, rows: window)
      gather(source, from: window.lowerBound, indices, into: storage)
    }
    if wanted != decoded {
      let out = storage.pointers.id
      try withIdentifiers(index, Int(indices[0])..<window.upperBound) { bytes, from, encoding in
        for (position, row) in indices.enumerated() {
          out[position] = IdentifierCodec.load(bytes, row: Int(row) - from, encoding: encoding)
        }
      }
    }
    let group = group(ofBlock: index)
    return Block(
      subject: subject(ofRow: Int(indices[0]), inBlock: index),
      subjects: subjects(of: indices, inBlock: index, keptBy: storage), type: group.type,
      kind: group.kind, count: count, columns: wanted, symbols: symbols,
      pointers: storage.pointers, streams: storage.streams, owner: storage)
  }

  /// Reads a nonempty range of rows of an encoded block into a block that contains only these rows.
  func block(
    _ stored: EncodedBlock, neighbours rows: Range<Int>, _ columns: ColumnSet
  ) throws -> Block {
    let index = stored.block
    let window = Self.window(rows)
    if Self.isPicked(rows.count, of: window.count) {
      return try block(index, rows: rows.map(Int32.init), columns, stored: stored)
    }
    let last = rows.upperBound - 1
    let isOfOne = isOfOneSeries(rows.lowerBound, last, inBlock: index)
    let block = try stored.reader.decode(
      available(columns, in: index), rows: window, hasSubjects: !isOfOne)
    return Block(
      block, rows.lowerBound - window.lowerBound..<block.count,
      of: isOfOne ? subject(ofRow: rows.lowerBound, inBlock: index) : nil)
  }

  /// Returns the rows to decode for a range: extended to the beginning of a decoding step.
  private static func window(_ rows: Range<Int>) -> Range<Int> {
    rows.lowerBound / IntegerCodec.sumStep * IntegerCodec.sumStep..<rows.upperBound
  }

  /// Returns whether two rows of a block, and so all rows between them, belong to one series.
  private func isOfOneSeries(_ first: Int, _ last: Int, inBlock index: Int) -> Bool {
    group(ofBlock: index).series.count <= 1
      || seriesNumber(ofRow: first, inBlock: index) == seriesNumber(ofRow: last, inBlock: index)
  }

  /// Returns a column of the subjects of some rows of a block, or nil if all have the same subject.
  private func subjects(
    of indices: [Int32], inBlock index: Int, keptBy storage: ColumnStorage
  ) -> UnsafePointer<Symbol>? {
    guard let first = indices.first, let last = indices.last,
      !isOfOneSeries(Int(first), Int(last), inBlock: index)
    else { return nil }
    let memory = RawMemory(indices.count * MemoryLayout<Symbol>.stride)
    let column = memory.base.bindMemory(to: Symbol.self, capacity: indices.count)
    for (position, row) in indices.enumerated() {
      (column + position).initialize(to: subject(ofRow: Int(row), inBlock: index))
    }
    storage.keep(memory)
    return UnsafePointer(column)
  }

  /// Returns whether to extract rows from the encoded columns instead of decoding `rows` rows.
  ///
  /// Extracting one row costs as much as decoding ten, and decoding costs at least one step.
  static func isPicked(_ count: Int, of rows: Int) -> Bool {
    count * 10 < max(rows, IntegerCodec.sumStep)
  }

  /// Copies rows out of a block whose first row is row `begin` of the segment's block.
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
    // Copies sequence numbers instead of identifiers that have not been derived yet.
    gather(.id, source.pointers.id, out.id)
    storage.setStreams(of: source)
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
