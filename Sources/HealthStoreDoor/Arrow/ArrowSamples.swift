import CDoor
import HealthStore
import SampleLog

/// A stream of samples.
///
/// Several threads decode and convert blocks.
final class ArrowSamples: ArrowSource {
  let fields: [ArrowField]
  private let dictionaries: [ArrowDictionary?]
  private let supply: () throws -> ArrowBatch?

  /// The default columns of a stream.
  static let standard: [SamplesTable.Place] = [
    .subject, .type, .start, .end, .value, .unit, .source, .device,
  ]

  init(
    _ places: [SamplesTable.Place], _ search: SampleSearch, _ store: Store, _ snapshot: Snapshot
  ) throws {
    let table = SamplesTable()
    fields = places.map {
      ArrowField(name: table.columns[$0.rawValue].name, kind: Self.kind(of: $0))
    }
    let texts = store.texts
    let dictionaries = places.map { place in
      place.role.map { role in ArrowDictionary { texts.string(role, $0) } }
    }
    self.dictionaries = dictionaries
    let converter = SampleConverter(
      places: places, dictionaries: dictionaries, reader: store.reader, snapshot: snapshot)
    if search.isEmpty {
      supply = { nil }
    } else if let identifiers = search.identifiers {
      var rest = identifiers[...]
      supply = {
        while let id = rest.popFirst() {
          guard let row = try snapshot.row(id), try search.matches(row) else { continue }
          return try converter.convert(row.block, [Int32(row.row)])
        }
        return nil
      }
    } else {
      let cursor = try BlockCursor(
        snapshot, SeriesSelection(search.series, where: search.filter),
        columns: converter.columns(search), where: search.mayMatch, converter.convert)
      supply = { try cursor.next() }
    }
  }

  func next() throws -> ArrowBatch? { try supply() }

  func dictionary(_ column: Int) -> ArrowColumn? { dictionaries[column]?.values() }

  private static func kind(of place: SamplesTable.Place) -> ArrowField.Kind {
    switch place {
    case .subject, .type, .unit, .source, .device: .name
    case .start, .end: .date
    case .value: .number
    case .sequence: .integer
    case .valueName, .metadata, .uuid: .text
    }
  }
}

extension SamplesTable.Place {
  /// The role of the column's symbols, or nil if the column does not hold symbols.
  var role: SymbolTexts.Role? {
    switch self {
    case .subject: .subject
    case .type: .type
    case .unit: .unit
    case .source: .source
    case .device: .device
    default: nil
    }
  }
}

/// Converts rows of blocks to Arrow columns.
struct SampleConverter: Sendable {
  let places: [SamplesTable.Place]
  let dictionaries: [ArrowDictionary?]
  let reader: RowReader
  let snapshot: Snapshot

  func columns(_ search: SampleSearch) -> ColumnSet {
    var request = CursorRequest(conditions: [], columns: 0)
    for place in places { request.columns |= 1 << UInt64(place.rawValue) }
    return SamplesCursor.columns(request, search, reader)
  }

  func convert(_ block: Block, _ rows: [Int32]) throws -> ArrowBatch {
    let owner = ArrowMemory()
    var columns: [ArrowColumn] = []
    columns.reserveCapacity(places.count)
    for (index, place) in places.enumerated() {
      if let dictionary = dictionaries[index] {
        columns.append(names(place, dictionary, block, rows, owner))
      } else {
        columns.append(try cells(place, block, rows, owner))
      }
    }
    return ArrowBatch(length: rows.count, columns: columns)
  }

  private func names(
    _ place: SamplesTable.Place, _ dictionary: ArrowDictionary, _ block: Block, _ rows: [Int32],
    _ owner: ArrowMemory
  ) -> ArrowColumn {
    switch place {
    case .type: return dictionary.column(repeating: block.type, rows.count)
    case .subject:
      guard let subjects = block.subjectColumn else {
        return dictionary.column(repeating: block.subject(at: 0), rows.count)
      }
      return dictionary.column(subjects, rows, owner)
    case .unit: return dictionary.column(block.unit, rows, owner)
    case .source: return dictionary.column(block.source, rows, owner)
    default: return dictionary.column(block.device, rows, owner)
    }
  }

  private func cells(
    _ place: SamplesTable.Place, _ block: Block, _ rows: [Int32], _ owner: ArrowMemory
  ) throws -> ArrowColumn {
    switch place {
    case .start: return Microseconds.column(block.start, rows, owner)
    case .end: return Microseconds.column(block.end, rows, owner)
    case .value:
      var column = numbers(block, block.value, rows, owner)
      // A correlation has members instead of a value.
      if reader.type(block.type) is HKCorrelationType { column.setNulls { _ in true } }
      return column
    case .sequence: return numbers(block, block.sequence, rows, owner)
    case .uuid:
      return ArrowColumn(texts: rows.map { "\(block.id[Int($0)])" }, owner: owner)
    case .metadata:
      let texts = try rows.map { try reader.metadataText(of: Row(block, Int($0)), in: snapshot) }
      return ArrowColumn(texts: texts, owner: owner)
    default:
      let texts = try rows.map { try reader.valueName(of: Row(block, Int($0)), in: snapshot) }
      return ArrowColumn(texts: texts, owner: owner)
    }
  }

  /// Returns a column that points into the block if the rows are adjacent, or else a copy.
  private func numbers<Cell: BitwiseCopyable>(
    _ block: Block, _ cells: UnsafePointer<Cell>, _ rows: [Int32], _ owner: ArrowMemory
  ) -> ArrowColumn {
    guard let first = rows.first, let last = rows.last, Int(last - first) + 1 != rows.count else {
      owner.keep(block)
      return ArrowColumn(length: rows.count, cells + Int(rows.first ?? 0), owner: owner)
    }
    let copy = owner.allocate(rows.count, of: Cell.self)
    for (index, row) in rows.enumerated() { copy[index] = cells[Int(row)] }
    return ArrowColumn(length: rows.count, copy, owner: owner)
  }
}
