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
    // The indices of a dictionary, 32 bits wide.
    case .name: "i"
    case .text: "u"
    case .number: "g"
    // No time zone, because it makes DuckDB an order of magnitude slower.
    case .date: "tsu:"
    case .integer: "l"
    }
  }
}

/// A batch of rows of a stream.
struct ArrowBatch: Sendable {
  var length: Int
  var columns: [ArrowColumn]
}

/// A source of batches for a stream.
protocol ArrowSource: AnyObject {
  var fields: [ArrowField] { get }

  /// Returns the next batch, or nil at the end.
  func next() throws -> ArrowBatch?

  /// Returns the dictionary's values for a column, or nil if it is not dictionary-encoded.
  func dictionary(_ column: Int) -> ArrowColumn?
}

/// A stream of the rows of a computed table.
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

  /// The names of the columns that hold dates, the same in every table.
  private var dates: Set<String> { ["start", "end", "first", "last"] }
}
