import CDoor

/// The owner of the buffers of a batch; retains the objects that the batch points into.
final class ArrowMemory: @unchecked Sendable {
  private var pieces: [UnsafeMutableRawPointer] = []
  private var objects: [AnyObject] = []

  deinit { for piece in pieces { piece.deallocate() } }

  /// Returns uninitialised memory for cells, aligned and padded to 64 bytes as Arrow recommends.
  func allocate<Cell: BitwiseCopyable>(
    _ count: Int, of type: Cell.Type
  ) -> UnsafeMutablePointer<Cell> {
    let size = max(count, 1) * MemoryLayout<Cell>.stride
    let piece = UnsafeMutableRawPointer.allocate(byteCount: (size + 63) & ~63, alignment: 64)
    pieces.append(piece)
    return piece.bindMemory(to: Cell.self, capacity: count)
  }

  /// Retains an object for the lifetime of this owner.
  func keep(_ object: AnyObject) { objects.append(object) }
}

/// A column of a batch, in Arrow's memory layout.
struct ArrowColumn: Sendable {
  var length: Int
  var nullCount = 0
  /// The validity bitmap, or nil if no cell is null.
  nonisolated(unsafe) var validity: UnsafeRawPointer?
  nonisolated(unsafe) var cells: UnsafeRawPointer?
  /// The UTF-8 bytes of a text column; its cells are offsets into these bytes.
  nonisolated(unsafe) var bytes: UnsafeRawPointer?
  var owner: ArrowMemory

  init(length: Int, _ cells: UnsafeRawPointer?, owner: ArrowMemory) {
    self.length = length
    self.cells = cells
    self.owner = owner
  }

  /// Returns the column for C, with a retained reference to the owner of the buffers.
  func array(isText: Bool) -> door_array {
    var array = door_array()
    array.length = Int64(length)
    array.null_count = Int64(nullCount)
    array.buffer_count = isText ? 3 : 2
    array.buffers = (validity, cells, isText ? bytes ?? cells : nil)
    array.owner = Unmanaged.passRetained(owner).toOpaque()
    return array
  }
}

extension ArrowColumn {
  /// Creates a column of texts.
  init(texts: [String?], owner: ArrowMemory) {
    self.init(length: texts.count, nil, owner: owner)
    let offsets = owner.allocate(texts.count + 1, of: Int32.self)
    let total = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    let memory = owner.allocate(total, of: UInt8.self)
    var end = 0
    for (index, text) in texts.enumerated() {
      offsets[index] = Int32(end)
      guard var text else { continue }
      text.withUTF8 { bytes in
        (memory + end).update(from: bytes.baseAddress ?? UnsafePointer(memory), count: bytes.count)
        end += bytes.count
      }
    }
    offsets[texts.count] = Int32(end)
    cells = UnsafeRawPointer(offsets)
    bytes = UnsafeRawPointer(memory)
    setNulls { texts[$0] == nil }
  }

  /// Creates a column of numbers.
  init(numbers: [Double?], owner: ArrowMemory) {
    let memory = owner.allocate(numbers.count, of: Double.self)
    for (index, number) in numbers.enumerated() { memory[index] = number ?? .nan }
    self.init(length: numbers.count, memory, owner: owner)
    setNulls { numbers[$0] == nil }
  }

  /// Creates a column of integers.
  init(integers: [Int64?], owner: ArrowMemory) {
    let memory = owner.allocate(integers.count, of: Int64.self)
    for (index, number) in integers.enumerated() { memory[index] = number ?? 0 }
    self.init(length: integers.count, memory, owner: owner)
    setNulls { integers[$0] == nil }
  }

  /// Sets the validity bitmap and the number of nulls.
  mutating func setNulls(_ isNull: (Int) -> Bool) {
    let positions = (0..<length).filter(isNull)
    if positions.isEmpty { return }
    let bitmap = owner.allocate((length + 7) / 8, of: UInt8.self)
    bitmap.update(repeating: 0xFF, count: (length + 7) / 8)
    for position in positions { bitmap[position >> 3] &= ~(1 << UInt8(position & 7)) }
    validity = UnsafeRawPointer(bitmap)
    nullCount = positions.count
  }
}

/// Converts dates to microseconds since 1970.
enum Microseconds {
  private static let epoch: Int64 = 978_307_200_000_000

  /// Returns the microseconds since 1970 of a date in seconds since 2001, or nil if out of range.
  static func of(_ date: Double) -> Int64? {
    let scaled = (date * 1e6).rounded(.toNearestOrEven)
    guard scaled.magnitude < 0x1p62 else { return nil }
    return Int64(scaled) + epoch
  }

  /// Creates a column of microseconds since 1970; dates that are out of range become null.
  static func column(_ dates: UnsafePointer<Double>, _ rows: [Int32], _ owner: ArrowMemory)
    -> ArrowColumn
  {
    let cells = owner.allocate(rows.count, of: Int64.self)
    var column = ArrowColumn(length: rows.count, cells, owner: owner)
    guard let first = rows.first, let last = rows.last else { return column }
    if Int(last - first) + 1 == rows.count, convert(dates + Int(first), rows.count, to: cells) {
      return column
    }
    var hasNull = false
    for (index, row) in rows.enumerated() {
      let converted = of(dates[Int(row)])
      cells[index] = converted ?? 0
      hasNull = hasNull || converted == nil
    }
    if hasNull { column.setNulls { of(dates[Int(rows[$0])]) == nil } }
    return column
  }

  /// Converts dates in a loop that the compiler can vectorise, or returns false if a date is not
  /// between about 1931 and 2070.
  ///
  /// Adding 1.5 · 2⁵² rounds a number to an integer and leaves it in the low bits of the sum.
  private static func convert(
    _ dates: UnsafePointer<Double>, _ count: Int, to cells: UnsafeMutablePointer<Int64>
  ) -> Bool {
    let magic = 0x1.8p52
    let shift = epoch &- Int64(bitPattern: magic.bitPattern)
    var isInRange = true
    for row in 0..<count {
      let date = dates[row]
      isInRange = isInRange && date.magnitude < 2.2e9
      cells[row] = Int64(bitPattern: (date * 1e6 + magic).bitPattern) &+ shift
    }
    return isInRange
  }
}
