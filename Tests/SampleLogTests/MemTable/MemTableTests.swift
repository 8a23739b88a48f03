@testable import SampleLog
import SampleLogSimulation
import Testing

/// Series of a memtable with few rows, many rows, and growing numbers of rows.
@Suite struct MemTableTests {
  /// The fields of an appended row.
  private struct Row: Equatable {
    var key: SeriesKey
    var sequence: UInt64
    var id: Identifier
    var start: Double
    var extras: [UInt8]
  }

  /// A memtable and the rows that were appended to it.
  private struct Filled {
    let symbols = SymbolTable()
    let memTable: MemTable
    var rows: [Row] = []
    private var random = Seeded(state: 11)

    init(commits: Int) {
      memTable = MemTable(first: 5, symbols: symbols)
      var next: UInt64 = 5
      for commit in 0..<commits {
        var payload = CommitPayload()
        // Occasionally one series gets many rows at once.
        let count = commit % 9 == 8 ? 150 : 1 + random.below(30)
        for _ in 0..<count {
          let row = row(commit % 9 == 8 ? 7 : random.below(40), sequence: next)
          let extras = payload.rows.intern(blob: row.extras)
          payload.rows.add(row.key, row.id, start: row.start, extras: extras)
          rows.append(row)
          next += 1
        }
        memTable.append(payload, first: next - UInt64(count), time: 0)
      }
    }

    private mutating func row(_ number: Int, sequence: UInt64) -> Row {
      // Prefers low numbers.
      let number = number * number / 40
      let key = SeriesKey(
        subject: symbols.intern("person \(number % 9)"), type: symbols.intern("type \(number / 9)"))
      let extras =
        random.below(4) == 0 ? [UInt8](repeating: UInt8(random.below(5) + 1), count: 7) : []
      let late = random.below(5) == 0 ? 100.0 : 0
      return Row(
        key: key, sequence: sequence, id: Identifier(high: random.next(), low: random.next()),
        start: Double(sequence) - late, extras: extras)
    }
  }

  private static func row(_ block: Block, _ row: Int) -> Row {
    Row(
      key: block.key(at: row), sequence: block.sequence[row], id: block.id[row],
      start: block.start[row], extras: [UInt8](block.extras(at: row)))
  }

  private static func rows(_ blocks: [MemTableBlock]) -> [Row] {
    blocks.flatMap { block in (0..<block.block.count).map { row(block.block, $0) } }
      .sorted { $0.sequence < $1.sequence }
  }

  @Test(arguments: [1, 5, 40, 200])
  func `The rows of each series equal the appended ones`(commits: Int) throws {
    let filled = Filled(commits: commits)
    try filled.memTable.checkInvariants()
    let all = Dictionary(grouping: filled.rows, by: \.key)
    #expect(filled.memTable.series(.sample).map(\.key).count == all.count)
    for end in [4, 6, 50, 5 + UInt64(filled.rows.count) / 2, .max] as [UInt64] {
      for (key, rows) in all {
        let visible = rows.filter { $0.sequence <= end }
        let blocks = try filled.memTable.blocks(key, .sample, through: end)
        #expect(Self.rows(blocks) == visible)
        let newest =
          try filled.memTable.newestBlock(key, through: end).map { Self.rows([$0]) } ?? []
        let latest = visible.map(\.start).max()
        #expect(newest.map(\.start).max() == latest)
        if let latest {
          #expect(newest.last { $0.start == latest } == visible.last { $0.start == latest })
        }
        let page = try filled.memTable.rows(after: 9, through: end, in: [key], limit: 30)
        #expect(
          page.map { Self.row($0.block, $0.row) }
            == Array(visible.filter { $0.sequence > 9 }.prefix(30)))
      }
      let page = try filled.memTable.rows(after: 9, through: end, in: nil, limit: 300)
      let visible = filled.rows.filter { $0.sequence <= end }
      #expect(
        page.map { Self.row($0.block, $0.row) }
          == Array(visible.filter { $0.sequence > 9 }.prefix(300)))
    }
  }

  @Test(arguments: [5, 200])
  func `Blocks of many series contain each row once, with the filter of its series`(
    commits: Int
  ) throws {
    let filled = Filled(commits: commits)
    let half = 5 + UInt64(filled.rows.count) / 2
    let all = try filled.memTable.blocks(nil, through: half)
    #expect(all.allSatisfy { $0.filter == 0 })
    #expect(Self.rows(all.map(\.block)) == filled.rows.filter { $0.sequence <= half })

    let keys = Set(filled.rows.map(\.key)).sorted()
    let wanted = keys.enumerated().filter { $0.offset % 4 != 0 }.map {
      (key: $0.element, filter: $0.offset % 3)
    }
    let found = try filled.memTable.blocks(wanted, through: .max)
    for filter in 0..<3 {
      let own = Set(wanted.filter { $0.filter == filter }.map(\.key))
      let blocks = found.filter { $0.filter == filter }.map(\.block)
      #expect(Self.rows(blocks) == filled.rows.filter { own.contains($0.key) })
    }
  }

  @Test func `Rows are found by identifier after they have moved`() throws {
    let filled = Filled(commits: 200)
    for row in filled.rows {
      let found = try #require(filled.memTable.find(row.id) { $0 == row.sequence })
      #expect(Self.row(found.block, found.row) == row)
    }
    let shared = filled.memTable.state.withLock { $0.series.filter(\.isShared).count }
    #expect(shared > 0 && shared < filled.memTable.series(.sample).count)
  }
}

extension RowGroup {
  fileprivate mutating func add(
    _ key: SeriesKey, _ id: Identifier, start: Double, extras: UInt32
  ) {
    subject.append(key.subject)
    type.append(key.type)
    self.id.append(id)
    self.start.append(start)
    end.append(start)
    value.append(1)
    unit.append(0)
    source.append(0)
    device.append(0)
    self.extras.append(extras)
  }
}
