public import FoundationEssentials

/// A row: a sample, or the deletion of one.
///
/// A row retains the memory of the block that it was read from, so it remains valid after the
/// database is closed. To keep a few values of many rows, copy the values: each retained row keeps
/// a whole block in memory.
public struct Row: Sendable {
  @usableFromInline package let block: Block
  /// The row's index in the block.
  @usableFromInline package let row: Int

  /// Creates a reference to a row of a block; the index must be valid.
  @inlinable
  package init(_ block: Block, _ row: Int) {
    self.block = block
    self.row = row
  }

  @inlinable package var subject: Symbol { block.subject(at: row) }
  @inlinable package var key: SeriesKey { block.key(at: row) }

  /// The series to which the row belongs.
  @inlinable public var series: Series { Series(key, of: block.table) }
  /// Whether the row is a sample or a deletion.
  @inlinable public var kind: RowKind { block.kind }

  /// The row's sequence number, assigned by the commit.
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
  /// The unit of the value, or the empty name if it has none.
  @inlinable public var unit: Name {
    check(.unit)
    return Name(block.unit[row], of: block.table)
  }
  /// The source that recorded the sample, or the empty name if none was given.
  @inlinable public var source: Name {
    check(.source)
    return Name(block.source[row], of: block.table)
  }
  /// The device that recorded the sample, or the empty name if none was given.
  @inlinable public var device: Name {
    check(.device)
    return Name(block.device[row], of: block.table)
  }

  /// The start as a date.
  public var startDate: Date { Date(timeIntervalSinceReferenceDate: start) }
  /// The end as a date.
  public var endDate: Date { Date(timeIntervalSinceReferenceDate: end) }

  /// The sequence number of the deleted sample, or nil if the row is a sample.
  public var deletedSequence: UInt64? {
    if block.kind == .sample { return nil }
    check(.target)
    return block.target[row]
  }

  /// The time of the deletion, in seconds since 2001-01-01 00:00 UTC, or nil if the row is a
  /// sample.
  public var deletionTime: Double? {
    if block.kind == .sample { return nil }
    check(.target)
    return block.time[row]
  }

  /// The row's extras, encoded as in ``Extras/encoded``; empty if it has none.
  public var extras: [UInt8] {
    check(.extras)
    return [UInt8](block.extras(at: row))
  }

  /// Calls a closure with the metadata in the row's extras, or with an empty span if it has none.
  ///
  /// The span is valid only during the call.
  @inlinable
  public func withMetadata<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result {
    check(.extras)
    let bytes = block.metadata(at: row)
    return try withExtendedLifetime(block) { try body(bytes.bytes) }
  }

  /// Traps if a column was not decoded.
  ///
  /// Queries within the package may leave columns out; rows that clients receive have every column.
  @inlinable @inline(__always)
  func check(_ column: ColumnSet) {
    precondition(block.columns.contains(column), "a column that was not read")
  }
}
