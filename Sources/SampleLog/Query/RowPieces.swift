/// The wanted rows of a block in pieces that follow one another in an order: a query with a limit
/// mostly ends at the first.
struct RowPieces {
  private let order: RowOrder
  private let filter: RowFilter
  private let cache: BlockCache
  /// The rows that are left; nil if there are none.
  private var rest: BlockSource?
  /// The number of rows of the next piece.
  private var count: Int

  /// Takes a block, what its rows must satisfy, and how many are looked for.
  init(
    _ source: BlockSource, _ filter: RowFilter, _ order: RowOrder, count: Int, _ cache: BlockCache
  ) {
    self.order = order
    self.filter = filter
    self.cache = cache
    self.count = count
    rest = source
  }

  /// Returns the next piece; nil if there is none, or if enough rows have been found and the last
  /// starts where the rows that are left cannot be before it.
  ///
  /// Rows with one start date are in one piece, because their order is another in the block.
  mutating func next(after last: Double?) throws -> BlockSource? {
    guard var source = rest else { return nil }
    rest = nil
    guard case .start(let isAscending) = order, source.zone.isSorted, count < source.zone.count,
      case .segment(let segment, let index) = source.location
    else { return source }
    guard try source.narrow(to: filter, cache) else { return nil }
    let rows = source.part ?? 0..<source.zone.count
    if let last {
      let next = try cache.start(
        segment, index, isAscending ? rows.lowerBound : rows.upperBound - 1)
      if isAscending ? next > last : next < last { return nil }
    }
    guard count < rows.count else { return source }
    var piece = isAscending ? rows.prefix(count) : rows.suffix(count)
    let (inside, outside) =
      isAscending
      ? (piece.upperBound - 1, piece.upperBound) : (piece.lowerBound, piece.lowerBound - 1)
    let date = try cache.start(segment, index, inside)
    if try cache.start(segment, index, outside) == date {
      let same = try cache.rows(segment, index, rows, startingIn: Bounds(lower: date, upper: date))
      piece = min(piece.lowerBound, same.lowerBound)..<max(piece.upperBound, same.upperBound)
    }
    let left =
      isAscending
      ? piece.upperBound..<rows.upperBound : rows.lowerBound..<piece.lowerBound
    if !left.isEmpty {
      rest = source
      rest?.take(left)
    }
    // A filter that few rows satisfy must not end in as many pieces.
    count *= 4
    source.take(piece)
    return source
  }
}
