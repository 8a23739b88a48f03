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
  /// Whether the column is hidden: an argument of the table, which `SELECT *` omits.
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

/// An eponymous virtual table of SQLite.
protocol Table: Sendable {
  var name: String { get }
  var columns: [Column] { get }

  /// Chooses the constraints that a cursor applies, and estimates the number of rows and the cost.
  func plan(_ query: inout QueryPlan, _ connection: Connection) throws

  /// Opens a cursor on the connection's snapshot.
  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor
}

extension Table {
  var declaration: String {
    "CREATE TABLE x(\(columns.map(\.declaration).joined(separator: ", ")))"
  }
}

/// The constraints, columns and order of a query, as planned.
struct CursorRequest: Sendable {
  enum Ordering: Int32, Sendable {
    case none = 0
    case ascending
    case descending
  }

  var conditions: [Condition]
  /// A bit set of the columns that the query reads.
  var columns: UInt64
  var ordering = Ordering.none

  func reads(_ column: Int) -> Bool { columns >> UInt64(column) & 1 == 1 }
}

/// A cursor that returns the rows of a table in batches.
protocol TableCursor: AnyObject {
  /// Fetches the next batch, or sets its count to 0 at the end.
  func next(_ batch: inout door_batch) throws

  /// Returns the text of a symbol. The memory is valid while the store is retained.
  func text(column: Int, symbol: Symbol) -> door_text

  /// Computes the text of a column in one row of the batch, or returns nil for NULL.
  func computed(column: Int, row: Int) throws -> String?
}

extension TableCursor {
  func text(column: Int, symbol: Symbol) -> door_text { door_text() }
  func computed(column: Int, row: Int) throws -> String? { nil }
}

/// A query plan in progress: the constraints that SQLite offers, and the table's decisions.
struct QueryPlan {
  /// A constraint that SQLite offers.
  struct Term {
    var column: Int
    var comparison: Comparison
    var ignoresCase: Bool
    var isUsable: Bool
    var isList: Bool
    var value: Value
    /// Whether the cursor applies the constraint.
    var isUsed = false
    /// Whether the cursor applies it exactly, so that SQLite need not check the rows again.
    var isExact = true
  }

  var terms: [Term]
  var order: [(column: Int, isDescending: Bool)]
  var rows = 1e6
  var cost = 1e6
  var isUnique = false
  /// Whether a required argument depends on a table that is read later.
  var isImpossible = false
  var ordering = CursorRequest.Ordering.none

  /// Marks the usable constraints on a column as used, and returns their indices.
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

  /// Marks the equality constraints on an argument as used, and returns whether there are any.
  ///
  /// If the only ones depend on a table that is read later, the plan becomes impossible.
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
