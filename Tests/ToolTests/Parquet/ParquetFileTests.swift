import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// Round trips of arbitrary columns through ``ParquetReader``.
@Suite struct ParquetFileTests {
  private func file(_ groups: [[TableColumn]]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var file = ParquetFile()
    let first = try #require(groups.first)
    try file.begin(first) { bytes += $0 }
    for group in groups where group.first?.values.presence.count != 0 {
      try file.add(group) { bytes += $0 }
    }
    try file.end { bytes += $0 }
    return bytes
  }

  private func doubles(_ values: [Double?]) -> TableColumn {
    var column = ValueColumn<Double>()
    for value in values { column.append(ifAny: value) }
    return TableColumn(name: "value", values: .numbers(column))
  }

  private func texts(_ values: [String]) -> TableColumn {
    var column = TextColumn()
    for value in values { column.append(value) }
    return TableColumn(name: "text", values: .texts(column))
  }

  private func times(_ values: [Int64?]) -> TableColumn {
    var column = ValueColumn<Int64>()
    for value in values { column.append(ifAny: value) }
    return TableColumn(name: "time", values: .times(column))
  }

  private func cells(_ column: TableColumn) throws -> (ParquetReader.Chunk, ThriftValue) {
    let reader = try ParquetReader(try file([[column]]))
    let chunk = try #require(reader.groups.first?[column.name])
    return (chunk, try #require(chunk.metadata[12]))
  }

  private func bits(_ bytes: [UInt8]?) throws -> UInt64 {
    var reader = ByteReader(try #require(bytes))
    return try reader.number(8)
  }

  @Test func `A file without rows has a schema and no row group`() throws {
    let reader = try ParquetReader(try file([[doubles([]), texts([])]]))
    #expect(reader.names == ["value", "text"])
    #expect(reader.groups.isEmpty)
    #expect(reader.footer[3]?.integer == 0)
    #expect(reader.footer[7]?.list?.count == 2)
  }

  @Test func `Few distinct numbers are dictionary-encoded`() throws {
    let values = (0..<1000).map { Double($0 % 7) / 10 }
    let (chunk, _) = try cells(doubles(values))
    #expect(chunk.encodings == [8])
    #expect(chunk.cells == values.map { .double($0.bitPattern) })
  }

  @Test(arguments: 0..<8)
  func `Numbers of all kinds round-trip bit for bit`(seed: UInt64) throws {
    var random = Seeded(seed)
    let values = (0..<Int.random(in: 1...5000, using: &random)).map { index -> Double? in
      switch (seed, random.next() % 10) {
      case (_, 0): nil
      case (_, 1): [.nan, -.nan, .infinity, -.infinity, -0.0, 0.0].randomElement(using: &random)
      case (0...3, _): Double(bitPattern: random.next())
      default: Double(index) * 0.001
      }
    }
    let (chunk, statistics) = try cells(doubles(values))
    #expect(chunk.cells == values.map { $0.map { .double($0.bitPattern) } })
    #expect(statistics[9]?.integer == values.count { $0?.isNaN == true })
    let sorted = values.compactMap { $0 }.filter { !$0.isNaN }.sorted()
    if let least = sorted.first, let most = sorted.last {
      #expect(Double(bitPattern: try bits(statistics[6]?.binary)) == least)
      #expect(Double(bitPattern: try bits(statistics[5]?.binary)) == most)
    }
  }

  @Test func `Bounds exclude NaN and include zeros of both signs`() throws {
    #expect(try cells(doubles([.nan, nil])).1[5] == nil)
    let (_, statistics) = try cells(doubles([0.0, .nan]))
    #expect(try bits(statistics[6]?.binary) == (-0.0).bitPattern)
    let (_, others) = try cells(doubles([-0.0, -1]))
    #expect(try bits(others[5]?.binary) == (0.0).bitPattern)
  }

  @Test func `A column without values has the plain encoding`() throws {
    for column in [doubles([nil, nil]), texts(["", ""]), times([nil, nil])] {
      let (chunk, statistics) = try cells(column)
      #expect(chunk.cells == [nil, nil])
      #expect(chunk.encodings == [0])
      #expect(statistics[3]?.integer == 2)
      #expect(statistics[5] == nil)
    }
  }

  @Test func `Repeated texts are dictionary-encoded, others are concatenated`() throws {
    let repeated = (0..<500).map { ["", "", "é", "e\u{301}", "\u{0}"][$0 % 5] }
    let unique = (0..<500).map { "text \($0 * 7919 % 1000)" }
    for (values, encoding) in [(repeated, 8), (unique, 6)] {
      let (chunk, _) = try cells(texts(values))
      #expect(chunk.cells == values.map { $0.isEmpty ? nil : .bytes(Array($0.utf8)) })
      #expect(chunk.encodings == [encoding])
    }
  }

  @Test func `Bounds of texts follow byte order, and long bounds are omitted`() throws {
    let (_, statistics) = try cells(texts(["b", "Z", "ä", "", "aa"]))
    #expect(statistics[6]?.text == "Z")
    #expect(statistics[5]?.text == "ä")
    let (_, none) = try cells(texts(["b", String(repeating: "c", count: 65)]))
    #expect(none[5] == nil)
  }

  @Test func `Incompressible chunks are stored uncompressed`() throws {
    var random = Seeded(1)
    var column = ValueColumn<Identifier>()
    for _ in 0..<200 { column.append(Identifier(high: random.next(), low: random.next())) }
    let ids = TableColumn(name: "id", values: .identifiers(column))
    let (chunk, statistics) = try cells(ids)
    #expect(chunk.codec == 0)
    let bytes = column.values.map { id in withUnsafeBytes(of: id.uuid.uuid) { Array($0) } }
    #expect(chunk.cells == bytes.map { .bytes($0) })
    let sorted = bytes.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(statistics[6]?.binary == sorted.first)
    #expect(statistics[5]?.binary == sorted.last)
    #expect(try cells(texts(Array(repeating: "a", count: 9000) + ["b"])).0.codec == 0)
    let long = (0..<100).map { _ in String(repeating: "abc", count: 30) }
    #expect(try cells(texts(long)).0.codec == 7)
  }

  @Test func `Row groups are written in order`() throws {
    let values: [[Int64?]] = [[1, nil, .min], [.max], [5, 5, 5, 5], []]
    let reader = try ParquetReader(try file(values.map { [times($0)] }))
    #expect(reader.groups.count == 3)
    #expect(reader.column("time") == values.joined().map { $0.map { .integer($0) } })
    #expect(reader.footer[3]?.integer == 8)
    let groups = try #require(reader.footer[4]?.list)
    #expect(groups.map { $0[7]?.integer } == [0, 1, 2])
  }

  @Test func `A truncated file is rejected by the reader of these tests`() throws {
    let good = try file([
      [times((0..<100).map { $0 * 3 }), texts((0..<100).map { "\($0 % 3)" })]
    ])
    #expect(try ParquetReader(good).names == ["time", "text"])
    for length in 0..<good.count {
      #expect(throws: (any Error).self) { try ParquetReader(Array(good.prefix(length))) }
    }
  }
}
