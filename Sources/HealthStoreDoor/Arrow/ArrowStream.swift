import CDoor
import SampleLog

/// A column of a stream.
struct ArrowField: Sendable {
  enum Kind: Sendable {
    case name, text, number, date, integer
  }

  var name: String
  var kind: Kind

  var format: String {
    switch kind {
    // Indices of a dictionary.
    case .name: "i"
    case .text: "u"
    case .number: "g"
    // Without a time zone, which makes DuckDB an order of magnitude slower.
    case .date: "tsu:"
    case .integer: "l"
    }
  }
}

/// Rows of a stream.
struct ArrowBatch: Sendable {
  var length: Int
  var columns: [ArrowColumn]
}

/// Rows of a table for Arrow, a batch at a time.
protocol ArrowSource: AnyObject {
  var fields: [ArrowField] { get }

  /// Returns the next rows, or nil at the end.
  func next() throws -> ArrowBatch?

  /// Returns the values of a column of names.
  func dictionary(_ column: Int) -> ArrowColumn?
}

/// Computed rows as a stream.
final class ArrowList: ArrowSource {
  let fields: [ArrowField]
  private let columns: [Int]
  private let cursor: ListCursor

  init(_ table: any Table, _ columns: [Int], _ cursor: ListCursor) {
    self.columns = columns
    self.cursor = cursor
    fields = columns.map { ArrowField(name: table.columns[$0].name, kind: table.kind(of: $0)) }
  }

  func next() throws -> ArrowBatch? {
    guard let list = try cursor.nextList() else { return nil }
    let owner = ArrowMemory()
    return ArrowBatch(
      length: list.count, columns: columns.map { column(list.columns[$0], owner) })
  }

  func dictionary(_ column: Int) -> ArrowColumn? { nil }

  private func column(_ cells: Cells, _ owner: ArrowMemory) -> ArrowColumn {
    switch cells {
    case .real(let numbers): ArrowColumn(numbers: numbers, owner: owner)
    case .integer(let integers): ArrowColumn(integers: integers, owner: owner)
    case .text(let texts): ArrowColumn(texts: texts, owner: owner)
    case .date(let dates):
      ArrowColumn(integers: dates.map { $0.flatMap(Microseconds.of) }, owner: owner)
    }
  }
}

extension Table {
  fileprivate func kind(of column: Int) -> ArrowField.Kind {
    switch columns[column].kind {
    case .text: .text
    case .integer: .integer
    case .real: dates.contains(columns[column].name) ? .date : .number
    }
  }

  /// The names of columns that are dates in every table.
  private var dates: Set<String> { ["start", "end", "first", "last"] }
}
