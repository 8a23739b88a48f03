/// The rows of the next block of a segment, and whose rows the segment has so far.
struct PendingRows {
  /// Rows of a block that belong to one series.
  struct Run {
    var series: Int
    var rows: Range<Int>
    /// Whether the series has rows in the block before.
    var isContinued: Bool
  }

  private(set) var rows: RowColumns
  var series = SeriesTable.Parts()
  /// Where the rows of each series begin.
  private var runs: [Run] = []
  private var lastSeries = -1

  init(limit: Int) { rows = RowColumns(limit: limit) }

  /// Appends copies of rows to the last series, until there are enough for a block.
  mutating func append(_ block: Block, _ range: Range<Int>) -> (rest: Range<Int>, isFull: Bool) {
    let first = rows.count
    let rest = rows.append(block, range)
    count(first..<rows.count)
    return (rest, rows.isFull)
  }

  /// Copies rows whose series are counted later, until there are enough for a block; returns the
  /// rest.
  mutating func copy(_ block: Block, _ range: Range<Int>) -> Range<Int> {
    rows.append(block, range)
  }

  /// Counts rows of the block as the last series'.
  @inline(__always)
  mutating func count(_ rows: Range<Int>) {
    let number = series.ends.count - 1
    if number != lastSeries {
      let begin = number == 0 ? 0 : series.ends[number - 1]
      runs.append(Run(series: number, rows: rows, isContinued: series.ends[number] > begin))
      lastSeries = number
    }
    series.ends[number] += UInt32(rows.count)
  }

  /// The rows of each series among those of the block.
  func runs(of count: Int) -> [Run] {
    var result = runs
    for index in result.indices {
      let end = index + 1 < runs.count ? runs[index + 1].rows.lowerBound : count
      result[index].rows = runs[index].rows.lowerBound..<end
    }
    return result
  }

  /// Makes room for the next block.
  mutating func removeAll() {
    rows.removeAll()
    runs.removeAll(keepingCapacity: true)
    lastSeries = -1
  }
}
