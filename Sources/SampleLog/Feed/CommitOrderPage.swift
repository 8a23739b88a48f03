/// Copies of a window's rows in separate blocks, so that a retained row does not retain the window.
struct CommitOrderPage {
  /// The maximum number of rows to copy at once.
  static let maximum = 4096

  /// Rows of one type and kind, which are copied into one block.
  private struct Part {
    var group: Int
    /// The series of the first row.
    var series: Int
    var isOfOneSubject = true
    var rows = 0
    var extras = 0
  }

  private let window: CommitOrderWindow
  private let positions: Range<Int>
  private var parts: [Part] = []
  /// The part that each row belongs to, or -1 for a deleted sample.
  private var numbers: [Int32] = []
  private var extrasLength = 0

  /// Counts the rows at a range of positions of a window, excluding deleted samples.
  init(_ window: CommitOrderWindow, _ positions: Range<Int>, without deleted: DeletionVector?) {
    self.window = window
    self.positions = positions
    let series = window.segment.series
    var known = SparseNumbers(count: series.groups.count)
    var deleted = deleted.map { DeletionVector.Cursor($0) }
    numbers.reserveCapacity(positions.count)
    for position in positions {
      let record = window.record(position)
      let own = Int(record.pointee.series)
      let group = series.group(of: own)
      if series.groups[group].kind == .sample,
        deleted?.contains(window.sequence(position)) == true
      {
        numbers.append(-1)
        continue
      }
      let number = known[group] ?? parts.count
      if number == parts.count {
        known[group] = number
        parts.append(Part(group: group, series: own))
      }
      numbers.append(Int32(number))
      parts[number].rows += 1
      if own != parts[number].series { parts[number].isOfOneSubject = false }
      if let extras = record.pointee.extras {
        parts[number].extras += 1
        extrasLength += Int(extras.load(as: UInt32.self))
      }
    }
  }

  /// Returns copies of the rows in commit order.
  consuming func copied() -> RowSelection {
    defer { withExtendedLifetime(window) {} }
    var rows = RowSelection()
    rows.reserveCapacity(positions.count)
    let texts = RawMemory(extrasLength)
    var next = texts.base
    var outs = parts.map { part in
      let block = emptyBlock(part, texts)
      _ = rows.add(block.block)
      return Filling(out: block.out, subjects: block.subjects)
    }
    let series = window.segment.series
    outs.withUnsafeMutableBufferPointer { outs in
      for (number, position) in zip(numbers, positions) where number >= 0 {
        rows.append(row: outs[Int(number)].row, of: UInt32(number))
        outs[Int(number)].append(
          window.record(position).pointee, window.sequence(position), window.deletion(position),
          series, &next)
      }
    }
    return rows
  }

  private func emptyBlock(
    _ part: Part, _ texts: RawMemory
  ) -> (block: Block, out: ColumnPointers, subjects: UnsafeMutablePointer<Symbol>?) {
    let group = window.segment.series.groups[part.group]
    let columns = group.kind == .deletion ? ColumnSet.all : .all.subtracting(.target)
    let storage = ColumnStorage(capacity: part.rows, columns: columns, blobCapacity: part.extras)
    if part.extras > 0 { storage.keep(texts) }
    var subjects: UnsafeMutablePointer<Symbol>?
    if !part.isOfOneSubject {
      let memory = RawMemory(part.rows * MemoryLayout<Symbol>.stride)
      storage.keep(memory)
      subjects = memory.base.bindMemory(to: Symbol.self, capacity: part.rows)
    }
    let block = Block(
      subject: window.segment.series.subject(part.series),
      subjects: subjects.map { UnsafePointer($0) }, type: group.type, kind: group.kind,
      count: part.rows, columns: columns, symbols: window.segment.symbols,
      pointers: storage.pointers, owner: storage)
    return (block, storage.pointers, subjects)
  }
}

/// Columns that are filled row by row.
private struct Filling {
  let out: ColumnPointers
  /// The column of subjects, or nil if all rows belong to one subject.
  let subjects: UnsafeMutablePointer<Symbol>?
  var row = 0
  var extras = 0

  /// Appends a row.
  ///
  /// Copies its extras to `text` and advances the pointer.
  @inline(__always)
  mutating func append(
    _ record: CommitOrderRecord, _ sequence: UInt64, _ deletion: CommitOrderDeletion?,
    _ series: SeriesTable, _ text: inout UnsafeMutableRawPointer
  ) {
    if let subjects { subjects[row] = series.subject(Int(record.series)) }
    out.sequence[row] = sequence
    out.id[row] = record.id
    out.start[row] = record.start
    out.end[row] = record.end
    out.value[row] = record.value
    out.unit[row] = record.unit
    out.source[row] = record.source
    out.device[row] = record.device
    if let deletion {
      out.target[row] = deletion.target
      out.time[row] = deletion.time
    }
    if let source = record.extras {
      let count = Int(source.load(as: UInt32.self))
      text.copyMemory(from: source + 4, byteCount: count)
      (out.blobs + extras).initialize(to: Blob(address: UnsafeRawPointer(text), count: count))
      extras += 1
      text += count
    }
    out.extras[row] = record.extras == nil ? 0 : UInt32(extras)
    row += 1
  }
}
