import CDoor
import Foundation
import HealthStore
import SampleLog

/// Selected rows of one block.
struct BlockRows: Sendable {
  var block: Block
  var rows: [Int32]

  /// Whether the indices of the rows are in ascending order.
  var isAscending = true

  /// Whether the rows are adjacent.
  var isContiguous: Bool {
    guard let first = rows.first, let last = rows.last else { return false }
    return isAscending && Int(last) - Int(first) + 1 == rows.count
  }
}

/// A cursor over the table `samples`.
final class SamplesCursor: TableCursor {
  private typealias Place = SamplesTable.Place

  private let store: Store
  private let snapshot: Snapshot
  private let request: CursorRequest
  private let supply: () throws -> BlockRows?
  // The rows of the current batch, whose columns point into the block's memory.
  private var current: BlockRows?
  /// The index in the block of the batch's first row if the rows are contiguous, or else 0.
  private var offset = 0
  private let type = UnsafeMutablePointer<Symbol>.allocate(capacity: 1)
  private let subject = UnsafeMutablePointer<Symbol>.allocate(capacity: 1)
  private var rows = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 0)

  init(
    _ request: CursorRequest, _ search: SampleSearch, _ store: Store, _ snapshot: Snapshot
  ) throws {
    self.request = request
    self.store = store
    self.snapshot = snapshot
    let columns = Self.columns(request, search, store.reader)
    if search.isEmpty {
      supply = { nil }
    } else if let identifiers = search.identifiers {
      supply = Self.found(identifiers, search, snapshot)
    } else {
      let selection = SeriesSelection(search.series, where: search.filter)
      switch request.ordering {
      case .none:
        let cursor = try BlockCursor(
          snapshot, selection, columns: columns, where: search.mayMatch
        ) { BlockRows(block: $0, rows: $1) }
        supply = { try cursor.next() }
      case .ascending:
        let stream = try RowStream(snapshot, selection, columns: columns)
        supply = Self.split { try stream.next() }
      case .descending:
        var pages = NewestFirst(snapshot, search.series, search.filter, columns)
        supply = Self.split { try pages.next() }
      }
    }
  }

  deinit {
    type.deallocate()
    subject.deallocate()
    rows.deallocate()
  }

  /// Returns the block columns that must be decoded for a query.
  static func columns(
    _ request: CursorRequest, _ search: SampleSearch, _ reader: RowReader
  ) -> ColumnSet {
    // Row identifiers are sequence numbers.
    var columns: ColumnSet = .sequence
    let sets: [(Place, ColumnSet)] = [
      (.start, .start), (.end, .end), (.value, .value), (.valueName, [.value, .unit, .extras]),
      (.unit, .unit), (.source, .source), (.device, .device), (.metadata, .extras), (.uuid, .id),
    ]
    for (place, set) in sets where request.reads(place.rawValue) { columns.formUnion(set) }
    // The activity of a workout is in its payload, whose decoding needs all columns.
    if request.reads(Place.valueName.rawValue),
      search.series.contains(where: { reader.type($0.type) is HKWorkoutType })
    {
      columns = Snapshot.resultColumns
    }
    return columns
  }

  private static func found(
    _ identifiers: [Identifier], _ search: SampleSearch, _ snapshot: Snapshot
  ) -> () throws -> BlockRows? {
    var rest = identifiers[...]
    return {
      while let id = rest.popFirst() {
        guard let row = try snapshot.row(id), try search.matches(row) else { continue }
        return BlockRows(block: row.block, rows: [Int32(row.row)])
      }
      return nil
    }
  }

  /// Splits ordered rows into runs of rows of the same block.
  private static func split(
    _ next: @escaping () throws -> RowSelection?
  ) -> () throws -> BlockRows? {
    var selection = RowSelection()
    var position = 0
    return {
      while position == selection.entries.count {
        guard let more = try next() else { return nil }
        (selection, position) = (more, 0)
      }
      let number = selection.entries[position].block
      var rows: [Int32] = []
      while position < selection.entries.count, selection.entries[position].block == number {
        rows.append(selection.entries[position].row)
        position += 1
      }
      let isAscending = zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
      return BlockRows(
        block: selection.blocks[Int(number)], rows: rows, isAscending: isAscending)
    }
  }

  func next(_ batch: inout door_batch) throws {
    current = nil
    batch.count = 0
    guard let found = try supply() else { return }
    current = found
    let block = found.block
    batch.count = Int64(found.rows.count)
    if found.isContiguous {
      offset = Int(found.rows[0])
      batch.rows = nil
    } else {
      offset = 0
      if rows.count < found.rows.count {
        rows.deallocate()
        rows = .allocate(capacity: max(found.rows.count, Block.maximumRows))
      }
      _ = rows.update(fromContentsOf: found.rows)
      batch.rows = UnsafePointer(rows.baseAddress)
    }
    batch.identifiers = UnsafeRawPointer(block.sequence + offset)
      .assumingMemoryBound(to: Int64.self)
    withUnsafeMutableBytes(of: &batch.columns) { bytes in
      let columns = bytes.bindMemory(to: door_column.self)
      for place in Place.allCases where request.reads(place.rawValue) {
        columns[place.rawValue] = column(place, block)
      }
    }
  }

  private func column(_ place: Place, _ block: Block) -> door_column {
    func column(_ cells: UnsafeRawPointer?, _ kind: Int, isConstant: Bool = false) -> door_column {
      door_column(cells: cells, kind: UInt8(kind), is_constant: isConstant)
    }
    func dates(_ cells: UnsafePointer<Double>) -> door_column { column(cells + offset, DOOR_DATE) }
    func symbols(_ cells: UnsafePointer<Symbol>) -> door_column {
      column(cells + offset, DOOR_SYMBOL)
    }
    switch place {
    case .type:
      type.initialize(to: block.type)
      return column(type, DOOR_SYMBOL, isConstant: true)
    case .subject:
      if let subjects = block.subjectColumn { return symbols(subjects) }
      subject.initialize(to: block.subject(at: 0))
      return column(subject, DOOR_SYMBOL, isConstant: true)
    case .start: return dates(block.start)
    case .end: return dates(block.end)
    case .value:
      // A correlation has members instead of a value.
      if store.reader.type(block.type) is HKCorrelationType { return column(nil, DOOR_NONE) }
      return column(block.value + offset, DOOR_REAL)
    case .unit: return symbols(block.unit)
    case .source: return symbols(block.source)
    case .device: return symbols(block.device)
    case .sequence: return column(block.sequence + offset, DOOR_INTEGER)
    case .valueName:
      let type = store.reader.type(block.type)
      let isNamed = type is HKCategoryType || type is HKWorkoutType
      return column(nil, isNamed ? DOOR_COMPUTED : DOOR_NONE)
    case .metadata, .uuid: return column(nil, DOOR_COMPUTED)
    }
  }

  func text(column: Int, symbol: Symbol) -> door_text {
    switch Place(rawValue: column) {
    case .subject: store.texts.text(.subject, symbol)
    case .type: store.texts.text(.type, symbol)
    case .unit: store.texts.text(.unit, symbol)
    case .source: store.texts.text(.source, symbol)
    case .device: store.texts.text(.device, symbol)
    default: door_text()
    }
  }

  func computed(column: Int, row: Int) throws -> String? {
    guard let block = current?.block else { return nil }
    let row = Row(block, row + offset)
    switch Place(rawValue: column) {
    case .uuid: return "\(row.id)"
    case .metadata: return try store.reader.metadataText(of: row, in: snapshot)
    case .valueName: return try store.reader.valueName(of: row, in: snapshot)
    default: return nil
    }
  }
}
