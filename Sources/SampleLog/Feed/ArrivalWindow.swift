/// Rows of a segment in the order of their sequence numbers, copied out of its blocks.
///
/// Where neighbours in that order are in blocks far apart, as when a history was imported in no
/// order, each row would else cost the decoding of its block.
final class ArrivalWindow: @unchecked Sendable {
  static let bytesPerRow = MemoryLayout<ArrivalRecord>.stride

  /// The positions in the order that are in it.
  let range: Range<Int>
  let segment: Segment
  let arrivals: Arrivals
  private let memory: RawMemory
  /// What deletions have in addition; nil when there is none.
  private let deletionMemory: RawMemory?
  // What records point to.
  private let extras: [RawMemory]

  /// Copies the rows at some positions of an order, reading each block once, on all processors.
  init(_ segment: Segment, _ arrivals: Arrivals, _ range: Range<Int>) throws {
    self.segment = segment
    self.arrivals = arrivals
    self.range = range
    let plan = try ArrivalPlan(arrivals, range)
    let hasDeletions = (0..<plan.blockCount).contains {
      !segment.isSample($0) && !plan.moves(from: $0).isEmpty
    }
    let memory = RawMemory(range.count * Self.bytesPerRow, alignment: 64)
    let deletionMemory =
      hasDeletions ? RawMemory(range.count * MemoryLayout<ArrivalDeletion>.stride) : nil
    let pieces = min(32, plan.blockCount)
    extras = try parallelMap(pieces) { piece in
      let out = Output(
        records: memory.base.assumingMemoryBound(to: ArrivalRecord.self),
        deletions: deletionMemory?.base.assumingMemoryBound(to: ArrivalDeletion.self))
      let blocks = plan.blockCount * piece / pieces..<plan.blockCount * (piece + 1) / pieces
      return try blocks.compactMap { block in
        let moves = plan.moves(from: block)
        return moves.isEmpty ? nil : try segment.copy(moves, of: block, to: out)
      }
    }.flatMap { $0 }
    self.memory = memory
    self.deletionMemory = deletionMemory
  }

  /// The row at a position of the order, to be read while the window is alive.
  @inline(__always)
  func record(_ position: Int) -> UnsafePointer<ArrivalRecord> {
    UnsafePointer(memory.base.assumingMemoryBound(to: ArrivalRecord.self))
      + (position - range.lowerBound)
  }

  /// The sequence number at a position of the order.
  @inline(__always)
  func sequence(_ position: Int) -> UInt64 {
    segment.header.first + Arrivals.offset(arrivals.entries[position])
  }

  /// What the row at a position has in addition if it is a deletion.
  @inline(__always)
  func deletion(_ position: Int) -> ArrivalDeletion? {
    guard let deletionMemory, segment.series[Int(record(position).pointee.series)].kind == .deletion
    else { return nil }
    return deletionMemory.base.assumingMemoryBound(to: ArrivalDeletion.self)[
      position - range.lowerBound]
  }

  fileprivate struct Output {
    var records: UnsafeMutablePointer<ArrivalRecord>
    var deletions: UnsafeMutablePointer<ArrivalDeletion>?
  }
}

extension Segment {
  /// Copies rows of a block; returns the memory of their extras.
  fileprivate func copy(
    _ moves: ArraySlice<ArrivalPlan.Move>, of index: Int, to out: ArrivalWindow.Output
  ) throws -> RawMemory? {
    // Where a row goes says which sequence number it has.
    let wanted = ColumnSet.all.subtracting(.sequence)
    if isPicked(moves.count, of: index) {
      let moves = moves.sorted { $0.row < $1.row }
      let source = try block(index, rows: moves.map(\.row), wanted)
      let picked = moves.enumerated().map {
        ArrivalPlan.Move(row: Int32($0.offset), position: $0.element.position)
      }
      return copy(picked[...], out, source, index) { source.id[$0] }
    }
    if isDerived(index) {
      let source = try block(index, wanted)
      return copy(moves, out, source, index) { source.id[$0] }
    }
    let source = try block(index, wanted.subtracting(.id))
    return try withIdentifiers(index, 0..<source.count) { bytes, _, encoding in
      copy(moves, out, source, index) { IdentifierCodec.load(bytes, row: $0, encoding: encoding) }
    }
  }

  @inline(__always)
  private func copy(
    _ moves: ArraySlice<ArrivalPlan.Move>, _ out: ArrivalWindow.Output, _ source: Block,
    _ index: Int, id: (Int) -> Identifier
  ) -> RawMemory? {
    defer { withExtendedLifetime(source) {} }
    let series = UInt32(directory.series(index))
    let extras = CopiedExtras(source, moves)
    for move in moves {
      let (row, position) = (Int(move.row), Int(move.position))
      (out.records + position).initialize(
        to: ArrivalRecord(
          id: id(row), start: source.start[row], end: source.end[row], value: source.value[row],
          unit: source.unit[row], source: source.source[row], device: source.device[row],
          series: series, extras: extras[source.extras[row]]))
    }
    if source.kind == .deletion, let deletions = out.deletions {
      for move in moves {
        let row = Int(move.row)
        (deletions + Int(move.position)).initialize(
          to: ArrivalDeletion(target: source.target[row], time: source.time[row]))
      }
    }
    return extras.memory
  }
}

/// Extras of some rows of a block, each once however many rows have it.
private struct CopiedExtras {
  /// For each number of extras where they are; nil where no row has them.
  private var addresses: [UnsafeRawPointer?] = []
  private(set) var memory: RawMemory?

  init(_ source: Block, _ moves: ArraySlice<ArrivalPlan.Move>) {
    let most = moves.reduce(0) { max($0, source.extras[Int($1.row)]) }
    guard most > 0 else { return }
    var isWanted = [Bool](repeating: false, count: Int(most) + 1)
    for move in moves { isWanted[Int(source.extras[Int(move.row)])] = true }
    let numbers = isWanted.indices.dropFirst().filter { isWanted[$0] }
    let length = numbers.reduce(0) { $0 + Self.stride(source.blobs[$1 - 1].count) }
    let memory = RawMemory(length)
    addresses = Array(repeating: nil, count: isWanted.count)
    var target = memory.base
    for number in numbers {
      let blob = source.blobs[number - 1]
      target.storeBytes(of: UInt32(blob.count), as: UInt32.self)
      (target + 4).copyMemory(from: blob.address, byteCount: blob.count)
      addresses[number] = UnsafeRawPointer(target)
      target += Self.stride(blob.count)
    }
    self.memory = memory
  }

  @inline(__always)
  subscript(number: UInt32) -> UnsafeRawPointer? { number == 0 ? nil : addresses[Int(number)] }

  private static func stride(_ count: Int) -> Int { (4 + count + 3) & ~3 }
}
