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
    var plan = Plan(segment, count: range.count)
    for place in range { plan.add(row: Arrivals.row(arrivals.entries[place])) }
    rows = try plan.fill()
    references = rows.blocks.map { Unmanaged.passUnretained($0) }
  }

  /// Which row goes where.
  private struct Plan {
    struct Move {
      /// The row in its block.
      var row: Int32
      var chunk: UInt32
      var place: Int32
    }

    private static let chunkRows = 4096
    private let segment: Segment
    /// For each block of the segment the rows that are copied out of it.
    private var moves: [[Move]]
    /// Up to 4,096 rows of a series each: whoever keeps a row keeps no more than a block.
    private var chunks: [(series: Int, count: Int)] = []
    /// The chunk that a series' next row goes to.
    private var open: [Int?]
    private var rows = RowSelection()
    /// The blocks of every 1,024th row, to find others' among few.
    private let landmarks: [Int]

    init(_ segment: Segment, count: Int) {
      self.segment = segment
      landmarks = stride(from: 0, to: segment.rowCount, by: 1024).map {
        segment.locate(row: $0).block
      }
      moves = Array(repeating: [], count: segment.blockCount)
      open = Array(repeating: nil, count: segment.series.count)
    }

    mutating func add(row: Int) {
      let landmark = row / 1024
      let last = landmark + 1 < landmarks.count ? landmarks[landmark + 1] : segment.blockCount - 1
      let source =
        (landmarks[landmark] + 1..<last + 1).partition { segment.directory.firstRow($0) <= row } - 1
      let series = segment.directory.series(source)
      var chunk = open[series] ?? chunks.count
      if chunk == chunks.count || chunks[chunk].count == Self.chunkRows {
        chunk = chunks.count
        chunks.append((series, 0))
        open[series] = chunk
      }
      let place = chunks[chunk].count
      chunks[chunk].count += 1
      let rowOfBlock = row - segment.directory.firstRow(source)
      moves[source].append(
        Move(row: Int32(rowOfBlock), chunk: UInt32(chunk), place: Int32(place)))
      rows.append(row: place, of: UInt32(chunk))
    }

    consuming func fill() throws -> RowSelection {
      let storages = chunks.map { chunk in
        let isDeletion = segment.series[chunk.series].kind == .deletion
        return ColumnStorage(
          capacity: chunk.count, columns: isDeletion ? .all : .all.subtracting(.target),
          blobCapacity: chunk.count)
      }
      let targets = storages.map(\.pointers)
      let blocks = moves.indices.filter { !moves[$0].isEmpty }
      let pieces = min(32, blocks.count)
      let blobs = try inParallel(pieces) { [segment, moves] piece in
        try blocks[blocks.count * piece / pieces..<blocks.count * (piece + 1) / pieces].map {
          try Self.copy(segment, $0, moves[$0], to: targets)
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

    /// Copies rows of one block; returns the memory of their blobs and the chunks that need it.
    private static func copy(
      _ segment: Segment, _ index: Int, _ moves: [Move], to targets: [ColumnPointers]
    ) throws -> (memory: RawMemory, chunks: Set<UInt32>) {
      let moves = moves.sorted { $0.row < $1.row }
      let source = try segment.block(index, rows: moves.map(\.row), .all)
      defer { withExtendedLifetime(source) {} }
      let isDeletion = source.kind == .deletion
      let length = moves.indices.reduce(0) { $0 + source.extras(at: $1).count }
      let memory = RawMemory(length)
      var used = 0
      var chunks: Set<UInt32> = []
      for (row, move) in moves.enumerated() {
        let (out, place) = (targets[Int(move.chunk)], Int(move.place))
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
        chunks.insert(move.chunk)
      }
      return (memory, chunks)
    }
  }
}
