/// An index from row numbers to blocks, which avoids the cache misses of a directory search.
struct BlockLocator: Sendable {
  private static let step = 1024
  private let firstRows: [UInt32]
  let rowCount: Int
  /// The block of every 1,024th row, which bounds the binary search for the rows between.
  private let landmarks: [UInt32]

  init(_ segment: Segment) {
    firstRows = (0..<segment.blockCount).map { UInt32(segment.directory.firstRow($0)) }
    rowCount = segment.rowCount
    var landmarks: [UInt32] = []
    var block = 0
    for row in stride(from: 0, to: segment.rowCount, by: Self.step) {
      while block + 1 < firstRows.count, firstRows[block + 1] <= row { block += 1 }
      landmarks.append(UInt32(block))
    }
    landmarks.append(UInt32(max(0, segment.blockCount - 1)))
    self.landmarks = landmarks
  }

  var blockCount: Int { firstRows.count }

  @inline(__always)
  func locate(_ row: Int) -> (block: Int, row: Int) {
    let first = Int(landmarks[row / Self.step])
    let last = Int(landmarks[row / Self.step + 1])
    let block = (first + 1..<last + 1).partition { firstRows[$0] <= row } - 1
    return (block, row - Int(firstRows[block]))
  }
}
