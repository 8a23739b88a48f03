import CDoor
import SampleLog

/// The cells of a computed column.
enum Cells: Sendable {
  case real([Double?])
  /// Dates in seconds since 2001-01-01 00:00 UTC.
  case date([Double?])
  case integer([Int64?])
  case text([String?])

  var count: Int {
    switch self {
    case .real(let cells): cells.count
    case .date(let cells): cells.count
    case .integer(let cells): cells.count
    case .text(let cells): cells.count
    }
  }
}

/// Computed rows, as columns in the order of the table's columns.
struct List: Sendable {
  var columns: [Cells]

  var count: Int { columns.first?.count ?? 0 }
}

/// A cursor over computed rows.
final class ListCursor: TableCursor {
  private let supply: () throws -> List?
  // The memory that the current batch points into.
  private var memory: [UnsafeMutableRawPointer] = []

  /// Creates a cursor over the lists that `supply` returns until it returns nil.
  init(_ supply: @escaping () throws -> List?) { self.supply = supply }

  /// Creates a cursor over one list.
  convenience init(_ list: List) {
    var rest: List? = list
    self.init {
      defer { rest = nil }
      return rest
    }
  }

  deinit { release() }

  private func release() {
    for piece in memory { piece.deallocate() }
    memory = []
  }

  func next(_ batch: inout door_batch) throws {
    release()
    batch.count = 0
    batch.rows = nil
    batch.identifiers = nil
    guard let list = try nextList() else { return }
    batch.count = Int64(list.count)
    withUnsafeMutableBytes(of: &batch.columns) { bytes in
      let columns = bytes.bindMemory(to: door_column.self)
      for (index, cells) in list.columns.enumerated() { columns[index] = column(cells) }
    }
  }

  /// Returns the next list that has rows, or nil at the end.
  func nextList() throws -> List? {
    while let list = try supply() {
      if list.count > 0 { return list }
    }
    return nil
  }

  private func column(_ cells: Cells) -> door_column {
    switch cells {
    case .real(let numbers): column(numbers.map { $0 ?? .nan }, DOOR_REAL)
    case .date(let dates): column(dates.map { $0 ?? .nan }, DOOR_DATE)
    case .text(let texts): column(texts.map { $0.map(keep) ?? door_text() }, DOOR_TEXT)
    case .integer(let numbers): column(numbers.map { $0 ?? DOOR_NO_INTEGER }, DOOR_INTEGER)
    }
  }

  private func column<Cell: BitwiseCopyable>(_ cells: [Cell], _ kind: Int) -> door_column {
    let size = max(cells.count, 1) * MemoryLayout<Cell>.stride
    let piece = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.append(piece)
    cells.withUnsafeBytes {
      piece.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(piece), byteCount: $0.count)
    }
    return door_column(cells: piece, kind: UInt8(kind), is_constant: false)
  }

  private func keep(_ text: String) -> door_text {
    var text = text
    return text.withUTF8 { bytes in
      let piece = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
      for (index, byte) in bytes.enumerated() { piece[index] = CChar(bitPattern: byte) }
      piece[bytes.count] = 0
      memory.append(UnsafeMutableRawPointer(piece))
      return door_text(bytes: piece, count: Int64(bytes.count))
    }
  }
}
