import CDoor
import SampleLog

/// A column of a table.
struct Column: Sendable {
  enum Kind: String, Sendable {
    case text = "TEXT"
    case real = "REAL"
    case integer = "INTEGER"
  }

  var name: String
  var kind: Kind
  /// Whether the column is an argument, which `SELECT *` leaves out.
  var isHidden = false
  /// Whether comparisons ignore case.
  var ignoresCase = false

  init(_ name: String, _ kind: Kind, isHidden: Bool = false, ignoresCase: Bool = false) {
    self.name = name
    self.kind = kind
    self.isHidden = isHidden
    self.ignoresCase = ignoresCase
  }

  fileprivate var declaration: String {
    "\"\(name)\" \(kind.rawValue)" + (ignoresCase ? " COLLATE NOCASE" : "")
      + (isHidden ? " HIDDEN" : "")
  }
}

/// A table that SQLite sees under its name.
protocol Table: Sendable {
  var name: String { get }
  var columns: [Column] { get }

  /// Chooses the conditions that a cursor applies, and estimates its rows and cost.
  func plan(_ query: inout QueryPlan, _ connection: Connection) throws

  /// Opens a cursor on the connection's snapshot.
  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor
}

extension Table {
  var declaration: String {
    "CREATE TABLE x(\(columns.map(\.declaration).joined(separator: ", ")))"
  }
}

/// Everything that SQLite told about a query of a table.
struct CursorRequest: Sendable {
  enum Ordering: Int32, Sendable {
    case none = 0
    case ascending
    case descending
  }

  var conditions: [Condition]
  /// One bit for each column that the query reads.
  var columns: UInt64
  var ordering = Ordering.none

  func reads(_ column: Int) -> Bool { columns >> UInt64(column) & 1 == 1 }
}

/// Rows of a table, a batch at a time.
protocol TableCursor: AnyObject {
  /// Fills in the next batch, or sets its count to 0 at the end.
  func next(_ batch: inout door_batch) throws

  /// Returns the text of a symbol, valid as long as the store is retained.
  func text(column: Int, symbol: Symbol) -> door_text

  /// Returns a computed text of a row of the batch, or nil for NULL.
  func computed(column: Int, row: Int) throws -> String?
}

extension TableCursor {
  func text(column: Int, symbol: Symbol) -> door_text { door_text() }
  func computed(column: Int, row: Int) throws -> String? { nil }
}

/// The plan of a query, which a table completes.
struct QueryPlan {
  /// A condition that SQLite offers.
  struct Term {
    var column: Int
    var comparison: Comparison
    var ignoresCase: Bool
    var isUsable: Bool
    var isList: Bool
    var value: Value
    /// The answer: whether the cursor applies the condition.
    var isUsed = false
    /// Whether it does so exactly, so that SQLite need not test the rows again.
    var isExact = true
  }

  var terms: [Term]
  var order: [(column: Int, isDescending: Bool)]
  var rows = 1e6
  var cost = 1e6
  var isUnique = false
  /// Whether the plan lacks an argument that another table must supply first.
  var isImpossible = false
  var ordering = CursorRequest.Ordering.none

  /// Marks the usable conditions on a column, and returns their numbers.
  mutating func use(_ column: Int, _ comparisons: Set<Comparison>, ignoresCase: Bool? = false)
    -> [Int]
  {
    let found = terms.indices.filter {
      let term = terms[$0]
      return term.isUsable && term.column == column && comparisons.contains(term.comparison)
        && (ignoresCase == nil || term.ignoresCase == ignoresCase)
    }
    for index in found { terms[index].isUsed = true }
    return found
  }

  /// Uses the equalities of an argument; without one that is usable, the plan may be impossible.
  mutating func useArgument(_ column: Int, isList: Bool) -> Bool {
    let found = use(column, [.equal])
    if !isList { for index in found { terms[index].isList = false } }
    let waits = terms.contains {
      !$0.isUsable && $0.column == column && $0.comparison == .equal
    }
    if found.isEmpty, waits { isImpossible = true }
    return !found.isEmpty
  }
}
