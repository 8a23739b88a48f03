/// The subjects, types and row ranges of the series of a segment.
///
/// The rows of a series and the series of a group are contiguous. Takes eight bytes per series.
struct SeriesTable: Sendable {
  let groups: [SegmentGroup]
  /// The subjects, which series refer to by index.
  private let subjects: SubjectList
  private let symbols: SymbolTable
  private let positions: [UInt32]
  /// The index after the last row of each series.
  private let ends: [UInt32]
  /// The group indices of samples by type, with subject 0.
  ///
  /// In format versions 1 and 2, in which each series is a group, also by subject.
  private let sampleGroups: SeriesNumbers
  private let deletionGroups: SeriesNumbers
  private let isGrouped: Bool
  private let groupsOfBlocks: [UInt32]

  init(
    _ parts: Parts, _ subjects: SubjectList, _ symbols: SymbolTable, isGrouped: Bool
  ) throws(CodecError) {
    groups = parts.groups
    positions = parts.positions
    ends = parts.ends
    self.subjects = subjects
    self.symbols = symbols
    var (samples, deletions) = (SeriesNumbers(), SeriesNumbers())
    for (number, group) in groups.enumerated() {
      let subject =
        isGrouped ? 0 : subjects.symbol(Int(positions[group.series.lowerBound]), symbols)
      let key = SeriesKey(subject: subject, type: group.type)
      let found =
        group.kind == .sample
        ? samples.number(of: key, orNew: number) : deletions.number(of: key, orNew: number)
      guard found == number else { throw CodecError("a series that occurs twice") }
    }
    (sampleGroups, deletionGroups) = (samples, deletions)
    self.isGrouped = isGrouped
    groupsOfBlocks = groups.enumerated().flatMap { number, group in
      repeatElement(UInt32(number), count: group.blocks.count)
    }
  }

  var count: Int { ends.count }

  /// Returns the number of the series with a key and of its group, or nil if there is none.
  func find(_ key: BlockKey) -> (number: Int, group: Int)? {
    guard isGrouped else { return group(key.series, key.kind).map { ($0, $0) } }
    guard let group = group(SeriesKey(subject: 0, type: key.series.type), key.kind),
      let position = subjects.position(of: key.series.subject, symbols)
    else { return nil }
    let series = groups[group].series
    // Usually every subject has every type.
    let guess = series.lowerBound + position - Int(positions[series.lowerBound])
    if series.contains(guess), positions[guess] == position { return (guess, group) }
    let found = series.partition { positions[$0] < position }
    return found < series.upperBound && positions[found] == position ? (found, group) : nil
  }

  private func group(_ key: SeriesKey, _ kind: RowKind) -> Int? {
    kind == .sample ? sampleGroups[key] : deletionGroups[key]
  }

  /// The keys of all series, in numerical order.
  var keys: [BlockKey] {
    subjects.numberAll(symbols)
    return groups.flatMap { group in
      group.series.map {
        BlockKey(SeriesKey(subject: subject($0), type: group.type), group.kind)
      }
    }
  }

  /// Returns the keys of a subject's series.
  ///
  /// - Complexity: One look-up per group, independent of the number of subjects.
  func keys(of subject: Symbol) -> [BlockKey] {
    groups.map { BlockKey(SeriesKey(subject: subject, type: $0.type), $0.kind) }
      .filter { find($0) != nil }
  }

  func subject(_ number: Int) -> Symbol { subjects.symbol(Int(positions[number]), symbols) }

  /// Returns the rows of a series, as indices into the segment.
  func rows(_ number: Int) -> Range<Int> {
    (number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])
  }

  /// Returns the number of the series, among `numbers`, that contains a row of the segment.
  func number(ofRow row: Int, in numbers: Range<Int>) -> Int {
    numbers.partition { ends[$0] <= row }
  }

  /// Returns the index of the group that contains a series.
  func group(of number: Int) -> Int {
    groups.indices.partition { groups[$0].series.upperBound <= number }
  }

  /// Returns the index of the group that contains a block.
  func group(ofBlock block: Int) -> Int { Int(groupsOfBlocks[block]) }
}

extension SeriesTable {
  /// The contents of the series region of a file.
  struct Parts: Sendable {
    var groups: [SegmentGroup] = []
    /// The index of each series' subject in the subject list.
    var positions: [UInt32] = []
    /// The index after the last row of each series.
    var ends: [UInt32] = []

    var rowCount: Int { ends.last.map(Int.init) ?? 0 }
    var blockCount: Int { groups.last?.blocks.upperBound ?? 0 }

    /// Begins a group after the existing ones.
    mutating func begin(_ type: Symbol, _ kind: RowKind) {
      groups.append(
        SegmentGroup(
          type: type, kind: kind, series: ends.count..<ends.count, rows: rowCount..<rowCount,
          blocks: blockCount..<blockCount))
    }

    /// Adds a series to the last group.
    mutating func add(position: UInt32, rows: Int) {
      positions.append(position)
      ends.append(UInt32(rowCount + rows))
      closeGroup()
    }

    /// Extends the last group to the last series.
    mutating func closeGroup() {
      let last = groups.count - 1
      groups[last].series = groups[last].series.lowerBound..<ends.count
      groups[last].rows = groups[last].rows.lowerBound..<rowCount
    }

    /// Adds blocks to the last group.
    mutating func add(blocks: Int) {
      let last = groups.count - 1
      groups[last].blocks =
        groups[last].blocks.lowerBound..<groups[last].blocks.upperBound + blocks
    }
  }
}
