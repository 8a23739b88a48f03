import Foundation
import HealthStore
import SampleLog

/// The JSON query of a stream: a table, conditions (which include table arguments) and columns.
struct StreamQuery: Decodable {
  /// A condition such as `["start", ">=", 1767225600]`.
  struct Test: Decodable {
    var column: String
    var comparison: Comparison
    var values: [Value]

    init(from decoder: any Decoder) throws {
      var parts = try decoder.unkeyedContainer()
      column = try parts.decode(String.self)
      let words: [String: Comparison] = [
        "=": .equal, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
      ]
      let word = try parts.decode(String.self)
      guard let comparison = words[word] else {
        throw DoorError("\"\(word)\" is not a comparison; use =, <, <=, > or >=.")
      }
      self.comparison = comparison
      var values: [Value] = []
      while !parts.isAtEnd {
        if let number = try? parts.decode(Double.self) {
          values.append(.real(number))
        } else {
          values.append(.text(try parts.decode(String.self)))
        }
      }
      self.values = values
    }
  }

  var table: String
  var conditions: [Test]?
  /// The names of the columns, or nil for the default columns of the table.
  var columns: [String]?

  /// Opens a stream on a new snapshot.
  func open(_ store: Store) throws -> any ArrowSource {
    guard let table = tables.first(where: { $0.name == table }) else {
      throw DoorError(
        "There is no table \"\(table)\"; the tables are "
          + "\(tables.map(\.name).joined(separator: ", ")).")
    }
    func number(_ name: String) throws -> Int {
      guard let number = table.columns.firstIndex(where: { $0.name == name }) else {
        throw DoorError("\(table.name) has no column \"\(name)\".")
      }
      return number
    }
    let conditions = try (conditions ?? []).map {
      Condition(column: try number($0.column), $0.comparison, $0.values)
    }
    let columns = try columns.map { try $0.map(number) }
    if let columns, Set(columns).count != columns.count {
      throw DoorError("A stream cannot have a column of \(table.name) twice.")
    }
    if table is SamplesTable {
      let snapshot = try store.snapshot()
      return try ArrowSamples(
        columns?.compactMap(SamplesTable.Place.init) ?? ArrowSamples.standard,
        SampleSearch(conditions, store, snapshot), store, snapshot)
    }
    let shown =
      columns ?? table.columns.indices.filter { !table.columns[$0].isHidden || $0 == table.subject }
    let request = CursorRequest(
      conditions: conditions, columns: shown.reduce(0) { $0 | 1 << UInt64($1) })
    guard let cursor = try table.open(request, Connection(store)) as? ListCursor else {
      throw DoorError("\(table.name) cannot be read as a stream.")
    }
    return ArrowList(table, shown, cursor)
  }
}

extension Table {
  /// The index of the subject column, or nil if the table has none.
  fileprivate var subject: Int? { columns.firstIndex { $0.name == "subject" } }
}
