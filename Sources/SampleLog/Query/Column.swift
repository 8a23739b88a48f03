/// A column that ``Snapshot/scan(_:where:reading:body:)`` reads.
public struct Column<Value: Sendable>: Sendable {
  let columns: ColumnSet
  /// Copies the cells of the given rows of a block.
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
        // Rows ascend, so these are contiguous: usually all of a block or a range of dates.
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
  /// The sequence number of each row.
  public static var sequence: Column { Column(.sequence) { $0.sequence } }
}

extension Column where Value == Identifier {
  /// The identifier of each row.
  public static var id: Column { Column(.id) { block, row in block.id[row] } }
}

extension Column where Value == Double {
  /// The start date of each row, in seconds since 2001-01-01 00:00 UTC.
  public static var start: Column { Column(.start) { $0.start } }
  /// The end date of each row, in seconds since 2001-01-01 00:00 UTC.
  public static var end: Column { Column(.end) { $0.end } }
  /// The value of each row, in the row's unit.
  public static var value: Column { Column(.value) { $0.value } }
}

extension Column where Value == Series {
  /// The series of each row.
  public static var series: Column {
    Column([]) { block, row in Series(block.key(at: row), of: block.table) }
  }
}

extension Column where Value == Name {
  /// The unit of each row, or the empty name if it has none.
  public static var unit: Column {
    Column(.unit) { block, row in Name(block.unit[row], of: block.table) }
  }
  /// The source of each row, or the empty name if it has none.
  public static var source: Column {
    Column(.source) { block, row in Name(block.source[row], of: block.table) }
  }
  /// The device of each row, or the empty name if it has none.
  public static var device: Column {
    Column(.device) { block, row in Name(block.device[row], of: block.table) }
  }
}

extension Snapshot {
  /// Calls a function with columns of the live samples that satisfy a filter, one block at a time.
  ///
  /// Reads and decodes only the requested columns, which makes this the fastest way to process many
  /// samples:
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
  ///   - series: The series to scan, or nil for all.
  ///   - filter: The condition that rows must satisfy.
  ///   - columns: The columns to read.
  ///   - body: Receives the matching rows of one block as one array per column; the arrays of a
  ///     call have the same length. Blocks arrive in no particular order, and those of short series
  ///     contain rows of several subjects. Returns false to stop.
  /// - Throws: Any error that `body` throws, ``StoreError/invalid(_:)`` if a series belongs to
  ///   another database, and ``StoreError/damaged(file:offset:reason:)`` if a block cannot be read.
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
