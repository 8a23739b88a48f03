import SampleLog
import SampleLogSimulation

/// A file in memory.
final class SegmentTestFile: File {
  private let state: Locked<[UInt8]>

  init(_ bytes: [UInt8] = []) { state = Locked(bytes) }

  var bytes: [UInt8] { state.withLock { $0 } }

  func size() throws -> Int { state.withLock { $0.count } }

  func read(into buffer: inout MutableRawSpan, at offset: Int) throws -> Int {
    let bytes = bytes
    let count = max(0, min(buffer.byteCount, bytes.count - offset))
    if count > 0 {
      buffer.withUnsafeMutableBytes { $0.copyBytes(from: bytes[offset..<offset + count]) }
    }
    return count
  }

  func write(_ source: RawSpan, at offset: Int) throws {
    let source = source.withUnsafeBytes { [UInt8]($0) }
    state.withLock { bytes in
      let end = offset + source.count
      if bytes.count < end {
        bytes.append(contentsOf: repeatElement(0, count: end - bytes.count))
      }
      bytes.replaceSubrange(offset..<end, with: source)
    }
  }

  func flip(bit: Int) { state.withLock { $0[bit >> 3] ^= 1 << UInt8(bit & 7) } }

  func sync() throws {}
  func preallocate(_ length: Int) throws {}
  func truncate(to length: Int) throws { state.withLock { $0.removeSubrange(length...) } }
}

extension Seeded {
  mutating func identifier(random: Bool = true) -> Identifier {
    let high = next()
    let low = next()
    if !random { return Identifier(high: high, low: low) }
    return Identifier(
      high: high & ~0xF000 | 0x4000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

/// The rows written to a segment, to compare with the rows read.
struct ExpectedBlock {
  var subject: Symbol
  var type: Symbol
  var kind: RowKind
  var rows: RowColumns
}

/// Builds segments and the rows expected from them.
struct SegmentMaker {
  var random: Seeded
  let symbols = SymbolTable()
  let header = SegmentHeader(
    storeID: Identifier(high: 7, low: 9), epoch: 3, first: 100, last: 1_000_000, generation: 2,
    floor: 50, deletedThrough: 99)
  let settings = [
    Setting(key: [], value: [], sequence: 0), Setting(key: [1, 2], value: [3], sequence: 70),
  ]
  var sequence: UInt64 = 100
  var expected: [ExpectedBlock] = []

  init(seed: UInt64) { random = Seeded(state: seed) }

  static func blob(_ number: Int, sync: Bool) -> [UInt8] {
    var extras = Extras()
    extras.metadata = [UInt8]("{\"K\":\(number)}".utf8)
    if sync { extras.syncIdentifier = [UInt8]("sync-\(number)".utf8) }
    return extras.encoded
  }

  mutating func rows(_ count: Int, kind: RowKind, from start: Double, wild: Bool) -> RowColumns {
    var rows = RowColumns()
    var starts = (0..<count).map { _ in
      start + Double(random.below(count * 5000)) / 1000
    }
    if wild { starts = starts.map { $0 + Double(random.below(1 << 20)) * 0x1p-23 } }
    starts.sort()
    let unit = symbols.intern("unit")
    for row in 0..<count {
      rows.sequence.append(sequence)
      sequence += UInt64(1 + random.below(3))
      rows.id.append(random.identifier(random: !wild))
      let since1970 = (starts[row] + 978_307_200) * 1000
      let date = wild ? starts[row] : since1970.rounded() / 1000 - 978_307_200
      rows.start.append(date)
      rows.end.append(wild && row % 3 == 0 ? date + 0.1 : date)
      let odd: [Double] = [.nan, -0.0, .infinity, -.infinity, 0x1p-1074, .greatestFiniteMagnitude]
      rows.value.append(
        wild && random.below(10) == 0
          ? odd[random.below(odd.count)] : Double(random.below(2000)) / 10)
      rows.unit.append(wild ? symbols.intern("unit \(random.below(5))") : unit)
      rows.source.append(symbols.intern("source \(random.below(2))"))
      rows.device.append(random.below(9) == 0 ? 0 : symbols.intern("device"))
      let blob = random.below(5) == 0 ? SegmentMaker.blob(random.below(9), sync: wild) : []
      rows.extras.append(rows.intern(blob: blob))
      if kind == .deletion {
        rows.target.append(random.next() >> 8)
        rows.time.append(date + 86_400)
      }
    }
    return rows
  }

  mutating func make(_ shape: [(type: String, kind: RowKind, blocks: [Int], wild: Bool)]) throws
    -> SegmentTestFile
  {
    let file = SegmentTestFile()
    let writer = try SegmentWriter(file: file, header: header, symbols: symbols)
    let subject = symbols.intern("subject")
    for one in shape {
      let type = symbols.intern(one.type)
      var start = 700_000_000.0
      for count in one.blocks {
        let rows = rows(count, kind: one.kind, from: start, wild: one.wild)
        start = rows.start[count - 1]
        try writer.add(
          BlockKey(SeriesKey(subject: subject, type: type), one.kind), rows)
        expected.append(
          ExpectedBlock(subject: subject, type: type, kind: one.kind, rows: rows))
      }
    }
    let length = try writer.finish(settings: settings)
    guard length == file.bytes.count else { throw StoreError.invalid("wrong length") }
    return file
  }

  static let small: [(type: String, kind: RowKind, blocks: [Int], wild: Bool)] = [
    ("heart rate", .sample, [40], false), ("odd", .sample, [9], true),
    ("heart rate", .deletion, [5], false),
  ]

  static let large: [(type: String, kind: RowKind, blocks: [Int], wild: Bool)] = [
    ("heart rate", .sample, [4096, 4096, 1], false), ("steps", .sample, [1], false),
    ("odd", .sample, [3000, 500], true), ("heart rate", .deletion, [700], false),
    ("odd", .deletion, [3, 513], true),
  ]
}

/// Describes the first difference of a block from its original rows, or returns nil if they are
/// equal.
///
/// Row *n* of the block must be row `places[n]` of them, or `first + n`.
func difference(
  _ block: Block, _ rows: RowColumns, from first: Int = 0, places: [Int32]? = nil
) -> String? {
  let columns = block.columns
  for row in 0..<block.count {
    let from = places.map { Int($0[row]) } ?? first + row
    if columns.contains(.sequence), block.sequence[row] != rows.sequence[from] { return "sequence" }
    if columns.contains(.id), block.id[row] != rows.id[from] { return "id" }
    if columns.contains(.start), block.start[row].bitPattern != rows.start[from].bitPattern {
      return "start"
    }
    if columns.contains(.end), block.end[row].bitPattern != rows.end[from].bitPattern {
      return "end"
    }
    if columns.contains(.value), block.value[row].bitPattern != rows.value[from].bitPattern {
      return "value"
    }
    if columns.contains(.unit), block.unit[row] != rows.unit[from] { return "unit" }
    if columns.contains(.source), block.source[row] != rows.source[from] { return "source" }
    if columns.contains(.device), block.device[row] != rows.device[from] { return "device" }
    if columns.contains(.extras) {
      let number = Int(rows.extras[from])
      if [UInt8](block.extras(at: row)) != (number == 0 ? [] : rows.blobs[number - 1]) {
        return "extras"
      }
    }
    if columns.contains(.target) {
      if block.target[row] != rows.target[from] { return "target" }
      if block.time[row].bitPattern != rows.time[from].bitPattern { return "time" }
    }
  }
  return nil
}

func padded(_ bytes: [UInt8]) -> RawMemory {
  let memory = RawMemory(bytes.count)
  memory.writable.copyBytes(from: bytes)
  return memory
}
