import HealthStore
import SampleLog

/// The table `changes`, with additions, deletions and erasures after an anchor in commit order.
///
/// The last row contains the anchor for the next query.
struct ChangesTable: Table {
  let name = "changes"
  let columns = [
    Column("kind", .text), Column("sequence", .integer), Column("subject", .text),
    Column("type", .text), Column("start", .real), Column("end", .real), Column("value", .real),
    Column("unit", .text), Column("source", .text), Column("uuid", .text, ignoresCase: true),
    Column("anchor", .text), Column("after", .text, isHidden: true),
  ]
  private static let after = 11
  /// The number of changes in a page.
  private static let pageCount = 4096

  func plan(_ query: inout QueryPlan, _ connection: Connection) throws {
    let isPart = query.useArgument(Self.after, isList: false)
    query.rows = isPart ? 1e3 : 1e6
    query.cost = query.rows * 2
  }

  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor {
    let (store, snapshot) = (try connection.opened(), try connection.snapshot())
    let text = try request.argument(Self.after, "after")
    let next = try Self.pages(after: text, store, snapshot)
    return ListCursor {
      guard var list = try next() else { return nil }
      list.columns.append(.text([String?](repeating: text, count: list.count)))
      return list
    }
  }

  /// Returns a closure that returns the next page, or nil at the end.
  static func pages(
    after text: String?, _ store: Store, _ snapshot: Snapshot
  ) throws -> () throws -> List? {
    var anchor = Anchor.beginning
    if let text {
      guard let known = AnchorText.anchor(text) else {
        throw DoorError("\"\(text)\" is not an anchor; the last row of changes contains one.")
      }
      anchor = known
    }
    var filter = RowFilter()
    let symbols = store.database.symbols
    filter.condition = { block, _ in !symbols.isChildType(block.type) }
    filter.conditionColumns = []
    var isAtEnd = false
    return {
      if isAtEnd { return nil }
      let page = try snapshot.changes(
        after: anchor, in: nil, where: filter, limit: Self.pageCount)
      anchor = page.anchor
      isAtEnd = !page.hasMore
      var rows = ChangeRows(store)
      for erasure in page.erasures {
        rows.append("erased", erasure.sequence, subject: symbols.text(erasure.subject))
      }
      for change in page.changes { rows.append(change) }
      if isAtEnd { rows.append(anchor: AnchorText.text(of: anchor)) }
      return rows.list
    }
  }
}

/// The rows of a page of changes.
private struct ChangeRows {
  private let store: Store
  private var kinds: [String?] = []
  private var sequences: [Int64?] = []
  private var subjects: [String?] = []
  private var types: [String?] = []
  private var starts: [Double?] = []
  private var ends: [Double?] = []
  private var values: [Double?] = []
  private var units: [String?] = []
  private var sources: [String?] = []
  private var identifiers: [String?] = []
  private var anchors: [String?] = []

  init(_ store: Store) { self.store = store }

  mutating func append(_ change: Change) {
    let (block, row) = (change.row.block, change.row.row)
    func text(_ role: SymbolTexts.Role, _ symbol: Symbol) -> String? {
      store.texts.string(role, symbol)
    }
    append(
      change.kind == .sample ? "added" : "deleted", change.sequence,
      subject: text(.subject, change.row.subject), type: text(.type, block.type), change.row)
    units[units.count - 1] = text(.unit, block.unit[row])
    sources[sources.count - 1] = text(.source, block.source[row])
  }

  mutating func append(
    _ kind: String, _ sequence: UInt64?, subject: String?, type: String? = nil, _ row: Row? = nil
  ) {
    kinds.append(kind)
    sequences.append(sequence.map { Int64($0) })
    subjects.append(subject)
    types.append(type)
    starts.append(row?.start)
    ends.append(row?.end)
    values.append(row?.value)
    units.append(nil)
    sources.append(nil)
    identifiers.append(row.map { "\($0.id)" })
    anchors.append(nil)
  }

  mutating func append(anchor: String) {
    append("anchor", nil, subject: nil)
    anchors[anchors.count - 1] = anchor
  }

  var list: List {
    List(columns: [
      .text(kinds), .integer(sequences), .text(subjects), .text(types), .date(starts),
      .date(ends), .real(values), .text(units), .text(sources), .text(identifiers),
      .text(anchors),
    ])
  }
}
