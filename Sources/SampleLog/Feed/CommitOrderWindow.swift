/// Rows of a segment in commit order, copied out of its blocks.
///
/// If samples were imported out of order, rows that are adjacent in commit order lie in distant
/// blocks. Without the copy, each row would cost the decoding of its block.
final class CommitOrderWindow: @unchecked Sendable {
  static let bytesPerRow = MemoryLayout<CommitOrderRecord>.stride

  /// The positions in commit order that the window covers.
  let range: Range<Int>
  let segment: Segment
  let order: CommitOrder
  private let memory: RawMemory
  /// The additional columns of deletions, or nil if the window has no deletions.
  private let deletionMemory: RawMemory?
  // The extras that the records point to.
  private let extras: [RawMemory]

  /// Copies the rows at a range of positions.
  ///
  /// Reads each block once, using all processors.
  init(_ segment: Segment, _ order: CommitOrder, _ range: Range<Int>) throws {
    self.segment = segment
    self.order = order
    self.range = range
    try InlineWork.spend(rows: range.count)
    let plan = try CommitOrderPlan(order, range)
    let blocks = (0..<plan.blockCount).count { !plan.placements(from: $0).isEmpty }
    try InlineWork.spend(blocks: blocks)
    let hasDeletions = (0..<plan.blockCount).contains {
      !segment.isSample($0) && !plan.placements(from: $0).isEmpty
    }
    let memory = RawMemory(range.count * Self.bytesPerRow, alignment: 64)
    let deletionMemory =
      hasDeletions ? RawMemory(range.count * MemoryLayout<CommitOrderDeletion>.stride) : nil
    let pieces = min(32, plan.blockCount)
    extras = try parallelMap(pieces) { piece in
      let out = Output(
        records: memory.base.assumingMemoryBound(to: CommitOrderRecord.self),
        deletions: deletionMemory?.base.assumingMemoryBound(to: CommitOrderDeletion.self))
      let blocks = plan.blockCount * piece / pieces..<plan.blockCount * (piece + 1) / pieces
      return try blocks.compactMap { block in
        let placements = plan.placements(from: block)
        return placements.isEmpty ? nil : try segment.copy(placements, of: block, to: out)
      }
    }.flatMap { $0 }
    self.memory = memory
    self.deletionMemory = deletionMemory
  }

  /// Returns the row at a position.
  ///
  /// The pointer is valid while the window is alive.
  @inline(__always)
  func record(_ position: Int) -> UnsafePointer<CommitOrderRecord> {
    UnsafePointer(memory.base.assumingMemoryBound(to: CommitOrderRecord.self))
      + (position - range.lowerBound)
  }

  /// Returns the group of the row at a position: its type and kind.
  @inline(__always)
  func group(at position: Int) -> SegmentGroup {
    segment.series.groups[segment.series.group(of: Int(record(position).pointee.series))]
  }

  /// Returns the sequence number of the row at a position.
  @inline(__always)
  func sequence(_ position: Int) -> UInt64 {
    segment.header.first + CommitOrder.offset(order.entries[position])
  }

  /// Returns the additional columns of the row at a position, or nil if it is not a deletion.
  @inline(__always)
  func deletion(_ position: Int) -> CommitOrderDeletion? {
    guard let deletionMemory, group(at: position).kind == .deletion else { return nil }
    return deletionMemory.base.assumingMemoryBound(to: CommitOrderDeletion.self)[
      position - range.lowerBound]
  }

  fileprivate struct Output {
    var records: UnsafeMutablePointer<CommitOrderRecord>
    var deletions: UnsafeMutablePointer<CommitOrderDeletion>?
  }
}

extension Segment {
  /// Copies rows of a block and returns the memory of their extras.
  fileprivate func copy(
    _ placements: ArraySlice<CommitOrderPlan.Placement>, of index: Int,
    to out: CommitOrderWindow.Output
  ) throws -> RawMemory? {
    // A row's target position determines its sequence number, so that column is not decoded.
    let wanted = ColumnSet.all.subtracting(.sequence)
    if Self.isPicked(placements.count, of: directory.rows(index)) {
      let placements = placements.sorted { $0.row < $1.row }
      let source = try block(index, rows: placements.map(\.row), wanted)
      let picked = placements.enumerated().map {
        CommitOrderPlan.Placement(row: Int32($0.offset), position: $0.element.position)
      }
      let numbers = placements.map { UInt32(seriesNumber(ofRow: Int($0.row), inBlock: index)) }
      return copy(picked[...], out, source, series: { numbers[$0] }, id: { source.id[$0] })
    }
    let isDerived = isDerived(index)
    let source = try block(index, isDerived ? wanted : wanted.subtracting(.id))
    if source.isOfOneSubject {
      let number = UInt32(directory.series(index))
      return try copy(placements, out, source, index, isDerived) { _ in number }
    }
    let numbers = seriesNumbers(inBlock: index)
    return try copy(placements, out, source, index, isDerived) { numbers[$0] }
  }

  @inline(__always)
  private func copy(
    _ placements: ArraySlice<CommitOrderPlan.Placement>, _ out: CommitOrderWindow.Output,
    _ source: Block,
    _ index: Int, _ isDerived: Bool, series: (Int) -> UInt32
  ) throws -> RawMemory? {
    if isDerived { return copy(placements, out, source, series: series) { source.id[$0] } }
    return try withIdentifiers(index, 0..<source.count) { bytes, _, encoding in
      copy(placements, out, source, series: series) {
        IdentifierCodec.load(bytes, row: $0, encoding: encoding)
      }
    }
  }

  /// Returns the series number of each row of a block.
  private func seriesNumbers(inBlock index: Int) -> [UInt32] {
    var numbers: [UInt32] = []
    let count = directory.rows(index)
    numbers.reserveCapacity(count)
    forEachSeries(inBlock: index, rows: 0..<count) { number, rows in
      numbers.append(contentsOf: repeatElement(UInt32(number), count: rows.count))
    }
    return numbers
  }

  @inline(__always)
  private func copy(
    _ placements: ArraySlice<CommitOrderPlan.Placement>, _ out: CommitOrderWindow.Output,
    _ source: Block,
    series: (Int) -> UInt32, id: (Int) -> Identifier
  ) -> RawMemory? {
    defer { withExtendedLifetime(source) {} }
    let extras = CopiedExtras(source, placements)
    for placement in placements {
      let (row, position) = (Int(placement.row), Int(placement.position))
      (out.records + position).initialize(
        to: CommitOrderRecord(
          id: id(row), start: source.start[row], end: source.end[row], value: source.value[row],
          unit: source.unit[row], source: source.source[row], device: source.device[row],
          series: series(row), extras: extras[source.extras[row]]))
    }
    if source.kind == .deletion, let deletions = out.deletions {
      for placement in placements {
        let row = Int(placement.row)
        (deletions + Int(placement.position)).initialize(
          to: CommitOrderDeletion(target: source.target[row], time: source.time[row]))
      }
    }
    return extras.memory
  }
}

/// The distinct extras of some rows of a block, each copied once.
private struct CopiedExtras {
  /// The address of each numbered blob, or nil if no copied row uses it.
  private var addresses: [UnsafeRawPointer?] = []
  private(set) var memory: RawMemory?

  init(_ source: Block, _ placements: ArraySlice<CommitOrderPlan.Placement>) {
    let most = placements.reduce(0) { max($0, source.extras[Int($1.row)]) }
    guard most > 0 else { return }
    var isWanted = [Bool](repeating: false, count: Int(most) + 1)
    for placement in placements { isWanted[Int(source.extras[Int(placement.row)])] = true }
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
