/// The selected rows of a block, split into consecutive pieces in query order.
///
/// A limited query usually stops after the first piece.
struct RowPieces {
  private let order: RowOrder
  private let filter: RowFilter
  private let cache: BlockCache
  /// The remaining rows, or nil if there are none.
  private var rest: BlockSource?
  /// The row count of the next piece.
  private var count: Int

  /// Creates the pieces of a block; `count` is the size of the first.
  init(
    _ source: BlockSource, _ filter: RowFilter, _ order: RowOrder, count: Int, _ cache: BlockCache
  ) {
    self.order = order
    self.filter = filter
    self.cache = cache
    self.count = count
    rest = source
  }

  /// Returns the next piece, or nil if there is none that can change the result.
  ///
  /// If enough rows have been found, `last` is the start date of the last one, and pieces beyond it
  /// are not returned.
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
    let piece = isAscending ? rows.prefix(count) : rows.suffix(count)
    rest = source
    rest?.take(
      isAscending
        ? piece.upperBound..<rows.upperBound : rows.lowerBound..<piece.lowerBound)
    // Grow the pieces, so that a selective filter does not produce many small ones.
    count *= 4
    source.take(piece)
    return source
  }
}
