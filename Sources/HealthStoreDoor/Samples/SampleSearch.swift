import Foundation
import HealthStore
import SampleLog

/// The constraints of a query of `samples`, translated to series, filters and identifiers.
struct SampleSearch: Sendable {
  /// The series to read.
  private(set) var series: [SeriesKey] = []
  private(set) var filter = RowFilter()
  /// The identifiers to look up, or nil to scan `series`.
  private(set) var identifiers: [Identifier]?
  /// The range of sequence numbers, or nil if they are not constrained.
  private(set) var sequences: ClosedRange<UInt64>?
  /// Returns whether rows of a series can match; applied to rows that were found by identifier.
  private var admits: @Sendable (SeriesKey) -> Bool = { _ in false }

  /// Whether the constraints exclude every row.
  var isEmpty: Bool { identifiers?.isEmpty ?? series.isEmpty }

  init(_ conditions: [Condition], _ store: Store, _ snapshot: Snapshot) throws {
    var types: Set<String>?
    var subjects: Set<String>?
    var wanted: Set<Identifier>?
    var ranges: [SamplesTable.Place: Bounds] = [:]
    for condition in conditions {
      switch SamplesTable.Place(rawValue: condition.column) {
      case .type: types.formIntersection(condition.texts)
      case .subject: subjects.formIntersection(condition.texts)
      case .uuid:
        wanted.formIntersection(
          condition.texts.compactMap { UUID(uuidString: $0).map { Identifier($0) } })
      case let place?:
        // The plan makes SQLite pass the numbers of an IN list one at a time.
        guard let value = condition.values.first,
          let bounds = Bounds(condition.comparison, value)
        else { return }
        ranges[place] = ranges[place, default: .all].intersection(bounds)
      case nil: break
      }
    }
    for type in types ?? [] { try store.checkType(type) }
    if ranges.values.contains(where: \.isEmpty) { return }
    if let start = ranges[.start] { filter.start = UnixTime.dates(start) }
    if let end = ranges[.end] { filter.end = UnixTime.dates(end) }
    if let value = ranges[.value] { filter.require(value: value) }
    if let range = ranges[.sequence] {
      guard let numbers = Self.whole(range) else { return }
      sequences = numbers
      filter.condition = { block, row in numbers.contains(block.sequence[row]) }
      filter.conditionColumns = .sequence
    }
    let symbols = store.database.symbols
    let chosen = types.map { Set($0.compactMap { store.typeSymbol($0) }) }
    let named = subjects.map { Set($0.compactMap { symbols.find(Array($0.utf8)) }) }
    // A correlation has members instead of a value.
    let needsValue = ranges[.value] != nil
    admits = { [reader = store.reader] key in
      chosen?.contains(key.type) ?? !symbols.isChildType(key.type)
        && named?.contains(key.subject) ?? true
        && !(needsValue && reader.type(key.type) is HKCorrelationType)
    }
    if let wanted {
      identifiers = wanted.sorted()
    } else if let named {
      series = named.flatMap { snapshot.series(of: $0) }.filter(admits).sorted()
    } else {
      series = store.directory(of: snapshot).series.filter(admits)
    }
  }

  /// Returns the range of sequence numbers within bounds, or nil if it is empty.
  private static func whole(_ bounds: Bounds) -> ClosedRange<UInt64>? {
    let limit = 0x1p63
    let lower = bounds.lower.rounded(.up)
    let upper = bounds.upper.rounded(.down)
    guard lower <= upper, lower < limit, upper >= 0 else { return nil }
    return UInt64(max(0, lower))...UInt64(min(upper, limit))
  }

  /// Returns whether a row that was found by its identifier satisfies the other constraints.
  func matches(_ row: Row) throws -> Bool {
    guard admits(row.key), filter.start.contains(row.start), filter.end.contains(row.end)
    else { return false }
    if let value = filter.value?(row.block.unit[row.row]), !value.contains(row.value) {
      return false
    }
    return sequences?.contains(row.sequence) ?? true
  }

  /// Returns whether a block with this zone map may have matching rows.
  func mayMatch(_ zone: ZoneMap) -> Bool {
    sequences.map { $0.overlaps(zone.minSequence...zone.maxSequence) } ?? true
  }
}

extension Optional {
  /// Intersects the set with `other`, where nil is the set of all elements.
  fileprivate mutating func formIntersection<Element>(_ other: [Element])
  where Wrapped == Set<Element> {
    self = self?.intersection(other) ?? Set(other)
  }
}
