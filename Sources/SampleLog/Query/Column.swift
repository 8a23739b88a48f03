/// A column that ``Snapshot/scan(_:where:reading:body:)`` reads.
public struct Column<Value: Sendable>: Sendable {
  let columns: ColumnSet
  /// Copies the cells of some rows out of a block.
  let cells: @Sendable (Block, [Int32]) -> [Value]

  private init(_ columns: ColumnSet, _ cell: @escaping @Sendable (Block, Int) -> Value) {
    self.columns = columns
    cells = { block, rows in rows.map { cell(block, Int($0)) } }
  }

  private init(
    _ columns: ColumnSet, _ memory: @escaping @Sendable (Block) -> UnsafePointer<Value>
  ) where Value: BitwiseCopyable {
    self.columns = columns
    cells = { block, rows in
      let cells = memory(block)
      return withExtendedLifetime(block) {
        guard let first = rows.first, let last = rows.last else { return [] }
        // Rows rise, so these have no gap: mostly all of a block or a range of dates.
        if Int(last - first) + 1 == rows.count {
          return Array(UnsafeBufferPointer(start: cells + Int(first), count: rows.count))
        }
        return [Value](unsafeUninitializedCapacity: rows.count) { copies, count in
          for row in rows {
            copies.initializeElement(at: count, to: cells[Int(row)])
            count &+= 1
          }
        }
      }
    }
  }
}

extension Column where Value == UInt64 {
  /// Sequence numbers.
  public static var sequence: Column { Column(.sequence) { $0.sequence } }
}

extension Column where Value == Identifier {
  /// Identifiers.
  public static var id: Column { Column(.id) { block, row in block.id[row] } }
}

extension Column where Value == Double {
  /// Start dates, in seconds since 2001-01-01 00:00 UTC.
  public static var start: Column { Column(.start) { $0.start } }
  /// End dates, in seconds since 2001-01-01 00:00 UTC.
  public static var end: Column { Column(.end) { $0.end } }
  /// Values, in the units of the rows.
  public static var value: Column { Column(.value) { $0.value } }
}

extension Column where Value == Series {
  /// The series that the rows are in.
  public static var series: Column {
    Column([]) { block, row in Series(block.key(at: row), of: block.table) }
  }
}

extension Column where Value == Name {
  /// Units; the empty name where a row has none.
  public static var unit: Column {
    Column(.unit) { block, row in Name(block.unit[row], of: block.table) }
  }
  /// Sources; the empty name where a row has none.
  public static var source: Column {
    Column(.source) { block, row in Name(block.source[row], of: block.table) }
  }
  /// Devices; the empty name where a row has none.
  public static var device: Column {
    Column(.device) { block, row in Name(block.device[row], of: block.table) }
  }
}

extension Snapshot {
  /// Calls a function with columns of the live samples that satisfy a filter, block by block.
  ///
  /// Only the columns that are named are read from disk and decoded, so this is the fastest way to
  /// compute something of many samples:
  ///
  /// ```swift
  /// var sum = 0.0
  /// try snapshot.scan([heartRate], reading: .start, .value) { starts, values in
  ///   for (start, value) in zip(starts, values) { sum += weight(start) * value }
  ///   return true
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - series: The series to look in; nil for all.
  ///   - filter: What rows must satisfy.
  ///   - columns: The columns to read.
  ///   - body: Takes the matching rows of one block, each column as an array; arrays of one call
  ///     have the same length. Blocks come in no particular order, and those of short series have
  ///     rows of several subjects. Returns false to stop.
  /// - Throws: What `body` throws, ``StoreError/invalid(_:)`` for another database's series, and
  ///   ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
  public func scan<each Value>(
    _ series: [Series]? = nil, where filter: RowFilter = RowFilter(),
    reading columns: repeat Column<each Value>, body: (repeat [each Value]) throws -> Bool
  ) throws {
    var wanted: ColumnSet = []
    for columns in repeat (each columns).columns { wanted.formUnion(columns) }
    let keys = try series.map { try symbols.keys(of: $0) }
    try scan(keys, where: filter, columns: wanted) { block, rows in
      try body(repeat (each columns).cells(block, rows))
    }
  }
}
