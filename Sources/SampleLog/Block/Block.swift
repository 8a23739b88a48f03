/// The columns of a block that have been decoded.
@usableFromInline
package struct ColumnSet: OptionSet, Hashable, Sendable {
  /// One bit for each column.
  @usableFromInline package let rawValue: UInt32

  /// The number of columns.
  var count: Int { rawValue.nonzeroBitCount }

  /// Creates a set from its bits.
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Sequence numbers.
  @inlinable package static var sequence: ColumnSet { ColumnSet(rawValue: 1 << 0) }
  /// Identifiers.
  @inlinable package static var id: ColumnSet { ColumnSet(rawValue: 1 << 1) }
  /// Start dates.
  @inlinable package static var start: ColumnSet { ColumnSet(rawValue: 1 << 2) }
  /// End dates.
  @inlinable package static var end: ColumnSet { ColumnSet(rawValue: 1 << 3) }
  /// Values.
  @inlinable package static var value: ColumnSet { ColumnSet(rawValue: 1 << 4) }
  /// Unit symbols.
  @inlinable package static var unit: ColumnSet { ColumnSet(rawValue: 1 << 5) }
  /// Source symbols.
  @inlinable package static var source: ColumnSet { ColumnSet(rawValue: 1 << 6) }
  /// Device symbols.
  @inlinable package static var device: ColumnSet { ColumnSet(rawValue: 1 << 7) }
  /// Extras: metadata, payload, membership and sync identifier.
  @inlinable package static var extras: ColumnSet { ColumnSet(rawValue: 1 << 8) }
  /// In a block of deletions: the deleted sample's sequence number and the time of the deletion.
  @inlinable package static var target: ColumnSet { ColumnSet(rawValue: 1 << 9) }

  /// Every column.
  @inlinable package static var all: ColumnSet { ColumnSet(rawValue: (1 << 10) - 1) }
}

/// The kind of record that a row holds.
public enum RowKind: UInt8, Hashable, Sendable {
  /// A sample was saved.
  case sample = 0
  /// A sample was deleted; the row repeats the sample's columns until retention ends.
  case deletion = 1
}

/// The key by which a segment orders its rows: a series and a kind of row.
package struct BlockKey: Hashable, Sendable {
  package var series: SeriesKey
  package var kind: RowKind

  package init(_ series: SeriesKey, _ kind: RowKind) {
    self.series = series
    self.kind = kind
  }
}

extension Sequence<BlockKey> {
  /// Returns the keys in segment order: samples before deletions, then by type, then by the bytes
  /// of the subjects' names.
  package func inSegmentOrder(_ symbols: SymbolTable) -> [BlockKey] {
    let ranks = symbols.ranks()
    return map { key in
      let type = UInt64(key.kind.rawValue) << 32 | UInt64(key.series.type)
      return (key: key, type: type, rank: ranks[Int(key.series.subject)])
    }
    .sorted { ($0.type, $0.rank) < ($1.type, $1.rank) }.map(\.key)
  }
}

/// An immutable block of decoded rows of one type and kind, stored column by column.
///
/// A query returns blocks of one subject. A feed over several subjects may return blocks with rows
/// of more than one.
///
/// Columns are plain memory, so that a scan does not pay for reference counting on each row.
/// Pointers are valid while the block is alive. Pointers of columns that are not in ``columns``
/// must not be read.
@usableFromInline
package final class Block: @unchecked Sendable {
  /// The maximum number of rows in a block of a segment.
  package static let maximumRows = 4096
  /// The size of the extras, in bytes, at which the writer stops adding rows to a block.
  package static let fullBlobByteCount = 8 << 20

  /// The type of the rows.
  @usableFromInline package let type: Symbol
  /// Whether the rows are samples or deletions.
  @usableFromInline package let kind: RowKind
  /// The number of rows.
  @usableFromInline package let count: Int
  /// The decoded columns; no other column may be read.
  @usableFromInline package let columns: ColumnSet
  /// The symbol table that resolves the rows' symbols.
  package let symbols: SymbolTable
  /// The number of the symbol table, which the names and series of the rows carry.
  @usableFromInline let table: UInt32

  /// Sequence numbers.
  @inlinable package var sequence: UnsafePointer<UInt64> { UnsafePointer(pointers.sequence) }
  /// Identifiers.
  @inlinable package var id: IdentifierColumn {
    IdentifierColumn(pointers.id, count: count, streams: streams)
  }
  /// Start dates, in seconds since 2001-01-01 00:00 UTC.
  @inlinable package var start: UnsafePointer<Double> { UnsafePointer(pointers.start) }
  /// End dates, in seconds since 2001-01-01 00:00 UTC.
  @inlinable package var end: UnsafePointer<Double> { UnsafePointer(pointers.end) }
  /// Values, in the unit of the row.
  @inlinable package var value: UnsafePointer<Double> { UnsafePointer(pointers.value) }
  /// Unit symbols.
  @inlinable package var unit: UnsafePointer<Symbol> { UnsafePointer(pointers.unit) }
  /// Source symbols.
  @inlinable package var source: UnsafePointer<Symbol> { UnsafePointer(pointers.source) }
  /// Device symbols.
  @inlinable package var device: UnsafePointer<Symbol> { UnsafePointer(pointers.device) }
  /// For each row, the number of its blob in `blobs` plus one, or 0 if the row has no extras.
  @inlinable package var extras: UnsafePointer<UInt32> { UnsafePointer(pointers.extras) }
  @inlinable package var blobs: UnsafePointer<Blob> { UnsafePointer(pointers.blobs) }
  /// In a block of deletions, the sequence number of the deleted sample.
  @inlinable package var target: UnsafePointer<UInt64> { UnsafePointer(pointers.target) }
  /// In a block of deletions, the time of the deletion in seconds since 2001-01-01 00:00 UTC.
  @inlinable package var time: UnsafePointer<Double> { UnsafePointer(pointers.time) }

  /// The subject of each row, or nil if all rows belong to one subject.
  @usableFromInline let subjects: UnsafePointer<Symbol>?
  /// The subject of all rows, or of the first.
  @usableFromInline let firstSubject: Symbol

  @usableFromInline let pointers: ColumnPointers
  /// The streams that the identifiers are numbered in, or empty if the column holds the identifiers
  /// themselves.
  @usableFromInline let streams: UnsafeBufferPointer<IdentifierStream>
  // Owns the memory behind the pointers.
  private let owner: AnyObject

  /// Creates a block from columns.
  ///
  /// `owner` keeps their memory alive, including that of `subjects`.
  package init(
    subject: Symbol, subjects: UnsafePointer<Symbol>? = nil, type: Symbol, kind: RowKind,
    count: Int, columns: ColumnSet, symbols: SymbolTable, pointers: ColumnPointers,
    streams: UnsafeBufferPointer<IdentifierStream> = UnsafeBufferPointer(start: nil, count: 0),
    owner: AnyObject
  ) {
    firstSubject = subject
    self.subjects = subjects
    self.type = type
    self.kind = kind
    self.count = count
    self.columns = columns
    self.symbols = symbols
    table = symbols.number
    self.pointers = pointers
    self.streams = streams
    self.owner = owner
  }

  /// Creates a block from a range of another block's rows without copying them.
  ///
  /// Pass a subject if the other block does not record the subject of its rows and all of them
  /// belong to that subject.
  package convenience init(_ block: Block, _ rows: Range<Int>, of subject: Symbol? = nil) {
    precondition(!rows.isEmpty && rows.upperBound <= block.count, "no such rows")
    self.init(
      subject: subject ?? block.subject(at: rows.lowerBound),
      subjects: block.subjects.map { $0 + rows.lowerBound }, type: block.type, kind: block.kind,
      count: rows.count, columns: block.columns, symbols: block.symbols,
      pointers: block.pointers.advanced(by: rows.lowerBound), streams: block.streams,
      owner: block.owner)
  }

  /// Whether all rows belong to one subject.
  package var isOfOneSubject: Bool { subjects == nil }

  /// Returns the subject of a row.
  @inlinable
  package func subject(at row: Int) -> Symbol {
    if let subjects { return subjects[row] }
    return firstSubject
  }

  /// Returns a row's extras as encoded by ``Extras``, or an empty buffer if it has none.
  @usableFromInline
  package func extras(at row: Int) -> UnsafeRawBufferPointer {
    let number = extras[row]
    guard number > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let blob = blobs[Int(number) - 1]
    return UnsafeRawBufferPointer(start: blob.address, count: blob.count)
  }
}

extension Block {
  /// Returns a row's subject and type.
  @inlinable
  package func key(at row: Int) -> SeriesKey { SeriesKey(subject: subject(at: row), type: type) }

  /// Returns a row's metadata as encoded by the layer above, or an empty buffer if it has none.
  @usableFromInline
  package func metadata(at row: Int) -> UnsafeRawBufferPointer {
    Extras.metadata(in: extras(at: row))
  }
}
