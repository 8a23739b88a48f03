public import FoundationEssentials

/// One row: a sample, or the deletion of one.
///
/// A row holds the memory of the block that it was read in, so it stays readable after the database
/// was closed. Keep copies of what is needed rather than many rows of different blocks.
public struct Row: Sendable {
  @usableFromInline package let block: Block
  /// The row's index in the block.
  @usableFromInline package let row: Int

  /// Creates the row at an index, which the block must have.
  @inlinable
  package init(_ block: Block, _ row: Int) {
    self.block = block
    self.row = row
  }

  @inlinable package var subject: Symbol { block.subject(at: row) }
  @inlinable package var key: SeriesKey { block.key(at: row) }

  /// The series that the row is in.
  @inlinable public var series: Series { Series(key, of: block.table) }
  /// Whether the row is a sample or a deletion.
  @inlinable public var kind: RowKind { block.kind }

  /// The row's sequence number, which the commit gave it.
  @inlinable public var sequence: UInt64 {
    check(.sequence)
    return block.sequence[row]
  }
  /// The sample's identifier.
  @inlinable public var id: Identifier {
    check(.id)
    return block.id[row]
  }
  /// The start date, in seconds since 2001-01-01 00:00 UTC.
  @inlinable public var start: Double {
    check(.start)
    return block.start[row]
  }
  /// The end date, in seconds since 2001-01-01 00:00 UTC.
  @inlinable public var end: Double {
    check(.end)
    return block.end[row]
  }
  /// The value, in the row's unit.
  @inlinable public var value: Double {
    check(.value)
    return block.value[row]
  }
  /// The unit of the value, or the empty name.
  @inlinable public var unit: Name {
    check(.unit)
    return Name(block.unit[row], of: block.table)
  }
  /// The source that recorded the sample, or the empty name.
  @inlinable public var source: Name {
    check(.source)
    return Name(block.source[row], of: block.table)
  }
  /// The device that recorded the sample, or the empty name.
  @inlinable public var device: Name {
    check(.device)
    return Name(block.device[row], of: block.table)
  }

  /// The start as a date.
  public var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }
  /// The end as a date.
  public var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

  /// The sequence number of the sample that a deletion removed; nil for a sample.
  public var deletedSequence: UInt64? {
    if block.kind == .sample { return nil }
    check(.target)
    return block.target[row]
  }

  /// The time of a deletion, in seconds since 2001-01-01 00:00 UTC; nil for a sample.
  public var deletionTime: Double? {
    if block.kind == .sample { return nil }
    check(.target)
    return block.time[row]
  }

  /// The row's extras as ``Extras/encoded`` gives them; empty if it has none.
  public var extras: [UInt8] {
    check(.extras)
    return [UInt8](block.extras(at: row))
  }

  /// Calls a function with the metadata in the row's extras, which it must not keep; empty if the
  /// row has none.
  @inlinable
  public func withMetadata<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
    check(.extras)
    let bytes = block.metadata(at: row)
    return try withExtendedLifetime(block) { try body(bytes.bytes) }
  }

  /// Traps if a column was not read: queries within the package may leave some out, and the rows of
  /// clients have all.
  @inlinable @inline(__always)
  func check(_ column: ColumnSet) {
    precondition(block.columns.contains(column), "a column that was not read")
  }
}

/// The name that code within the package knows ``Row`` by.
package typealias RowReference = Row
