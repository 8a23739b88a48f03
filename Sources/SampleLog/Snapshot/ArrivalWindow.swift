/// Rows of a segment in the order of their sequence numbers, copied out of its blocks.
///
/// Where neighbours in that order are in blocks far apart, as when a history was imported in no
/// order, each row would else cost the decoding of its block.
struct ArrivalWindow: @unchecked Sendable {
  /// The places in the order that are in it.
  let range: Range<Int>
  let rows: RowSelection
  /// The blocks of `rows`, which keeps them, to be looked into without counting references.
  let references: [Unmanaged<Block>]

  /// Copies the rows at some places of an order, reading each block once, on all processors.
  init(_ segment: Segment, _ arrivals: Arrivals, _ range: Range<Int>) throws {
    self.range = range
    rows = try ArrivalPlan(segment, arrivals, range).copy()
    references = rows.blocks.map { Unmanaged.passUnretained($0) }
  }
}

/// Which row of a segment goes where when rows are copied in an order of their own.
private struct ArrivalPlan {
  /// Where a row of a block goes.
  struct Move {
    /// The row in its block.
    var row: Int32
    var place: Int32
    var chunk: UInt32
  }

  /// Up to 4,096 rows of a series: whoever keeps a row keeps no more than a block.
  private struct Chunk {
    static let capacity = 4096
    var series: Int
    var count = 0
  }

  private let segment: Segment
  /// The moves out of one block after the other, each block's in the order of arrival.
  private let moves: [Move]
  /// Where each block's moves end; the last is all of them.
  private let ends: [Int]
  private let chunks: [Chunk]
  private var rows = RowSelection()

  init(_ segment: Segment, _ arrivals: Arrivals, _ range: Range<Int>) {
    self.segment = segment
    let places = arrivals.places
    var chunks: [Chunk] = []
    // The chunk that a series' next row goes to.
    var open = [Int](repeating: -1, count: segment.series.count)
    var ends = [Int](repeating: 0, count: segment.blockCount)
    var sources = ContiguousArray<(block: Int32, row: Int32)>()
    sources.reserveCapacity(range.count)
    rows.reserveCapacity(range.count)
    for entry in arrivals.entries[range] {
      let (block, row) = places.locate(Arrivals.row(entry))
      let series = places.series(block)
      if open[series] < 0 || chunks[open[series]].count == Chunk.capacity {
        open[series] = chunks.count
        chunks.append(Chunk(series: series))
      }
      let chunk = open[series]
      sources.append((Int32(block), Int32(row)))
      rows.append(row: chunks[chunk].count, of: UInt32(chunk))
      chunks[chunk].count += 1
      ends[block] += 1
    }
    var total = 0
    for block in ends.indices { (ends[block], total) = (total, total + ends[block]) }
    let none = Move(row: 0, place: 0, chunk: 0)
    var moves = [Move](repeating: none, count: total)
    for (source, target) in zip(sources, rows.entries) {
      let index = ends[Int(source.block)]
      moves[index] = Move(row: source.row, place: target.row, chunk: target.block)
      ends[Int(source.block)] = index + 1
    }
    self.moves = moves
    self.chunks = chunks
    self.ends = ends
  }

  consuming func copy() throws -> RowSelection {
    let storages = chunks.map { chunk in
      let isDeletion = segment.series[chunk.series].kind == .deletion
      return ColumnStorage(
        capacity: chunk.count, columns: isDeletion ? .all : .all.subtracting(.target),
        blobCapacity: chunk.count)
    }
    let targets = storages.map(\.pointers)
    let pieces = min(32, ends.count)
    let blobs = try inParallel(pieces) { [segment, moves, ends] piece in
      try (ends.count * piece / pieces..<ends.count * (piece + 1) / pieces).compactMap { block in
        let moves = moves[(block == 0 ? 0 : ends[block - 1])..<ends[block]]
        return moves.isEmpty ? nil : try Self.copy(segment, block, moves, to: targets)
      }
    }
    for kept in blobs.joined() {
      for chunk in kept.chunks { storages[Int(chunk)].keep(kept.memory) }
    }
    for (chunk, storage) in zip(chunks, storages) {
      let series = segment.series[chunk.series]
      _ = rows.add(
        Block(
          subject: series.subject, type: series.type, kind: series.kind, count: chunk.count,
          columns: storage.columns, symbols: segment.symbols, pointers: storage.pointers,
          owner: storage))
    }
    return rows
  }
}

extension ArrivalPlan {
  /// Copies rows of one block; returns the memory of their blobs and the chunks that need it.
  private static func copy(
    _ segment: Segment, _ index: Int, _ moves: ArraySlice<Move>, to targets: [ColumnPointers]
  ) throws -> (memory: RawMemory, chunks: [UInt32]) {
    var moves = moves
    let source: Block
    if segment.isPicked(moves.count, of: index) {
      moves.sort { $0.row < $1.row }
      source = try segment.block(index, rows: moves.map(\.row), .all)
      for (row, move) in moves.indices.enumerated() { moves[move].row = Int32(row) }
    } else {
      source = try segment.block(index, .all)
    }
    defer { withExtendedLifetime(source) {} }
    let isDeletion = source.kind == .deletion
    let length = moves.reduce(0) { $0 + source.extras(at: Int($1.row)).count }
    let memory = RawMemory(length)
    var used = 0
    var chunks: [UInt32] = []
    for move in moves {
      let (row, place) = (Int(move.row), Int(move.place))
      let out = targets[Int(move.chunk)]
      out.sequence[place] = source.sequence[row]
      out.id[place] = source.id[row]
      out.start[place] = source.start[row]
      out.end[place] = source.end[row]
      out.value[place] = source.value[row]
      out.unit[place] = source.unit[row]
      out.source[place] = source.source[row]
      out.device[place] = source.device[row]
      if isDeletion {
        out.target[place] = source.target[row]
        out.time[place] = source.time[row]
      }
      let extras = source.extras(at: row)
      out.extras[place] = extras.isEmpty ? 0 : UInt32(place + 1)
      guard !extras.isEmpty else { continue }
      let address = memory.base + used
      UnsafeMutableRawBufferPointer(start: address, count: extras.count).copyMemory(from: extras)
      (out.blobs + place).initialize(
        to: Blob(address: UnsafeRawPointer(address), count: extras.count))
      used += extras.count
      if chunks.last != move.chunk { chunks.append(move.chunk) }
    }
    return (memory, chunks)
  }
}
