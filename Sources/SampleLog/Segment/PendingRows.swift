/// The rows of the next block of a segment, and the row counts of all series so far.
struct PendingRows {
  /// A run of rows within a block that belong to one series.
  struct Run {
    var series: Int
    var rows: Range<Int>
    /// Whether the series also has rows in the previous block.
    var isContinued: Bool
  }

  private(set) var rows: RowColumns
  var series = SeriesTable.Parts()
  /// The runs of the block; only the lower bounds of their row ranges are maintained.
  private var runs: [Run] = []
  private var lastSeries = -1

  init(limit: Int) { rows = RowColumns(limit: limit) }

  /// Appends copies of rows to the last series until the block is full.
  mutating func append(_ block: Block, _ range: Range<Int>) -> (rest: Range<Int>, isFull: Bool) {
    let first = rows.count
    let rest = rows.append(block, range)
    count(first..<rows.count)
    return (rest, rows.isFull)
  }

  /// Copies rows until the block is full, without assigning them to a series.
  ///
  /// Returns the rows that remain.
  mutating func copy(_ block: Block, _ range: Range<Int>) -> Range<Int> {
    rows.append(block, range)
  }

  /// Assigns rows of the block to the last series.
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

  /// Returns the run of each series within a block of `count` rows.
  func runs(of count: Int) -> [Run] {
    var result = runs
    for index in result.indices {
      let end = index + 1 < runs.count ? runs[index + 1].rows.lowerBound : count
      result[index].rows = runs[index].rows.lowerBound..<end
    }
    return result
  }

  /// Clears the rows of the block; the row counts of the series remain.
  mutating func removeAll() {
    rows.removeAll()
    runs.removeAll(keepingCapacity: true)
    lastSeries = -1
  }
}
