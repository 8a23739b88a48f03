import SampleLog
import Testing

@testable import HealthStoreTool

/// Round trips of arbitrary columns through ``ArrowReader``.
@Suite struct ArrowStreamTests {
  @Test func `A table follows its vtable, and texts follow the table`() {
    #expect(
      FlatTable(.int16(4), nil, .uint8(1), .text("ab")).buffer == [
        16, 0, 0, 0,  // the offset of the root
        12, 0, 12, 0, 4, 0, 0, 0, 6, 0, 8, 0,  // the vtable: two sizes and the fields' offsets
        12, 0, 0, 0, 4, 0, 1, 0, 4, 0, 0, 0,  // the table
        2, 0, 0, 0, 0x61, 0x62, 0,
      ])
  }

  @Test func `Vectors of 64-bit structures are aligned`() {
    let reader = FlatReader(
      FlatTable(.words([1, -2, 3, 4], each: 2), .tables([FlatTable(.int64(5)), FlatTable()]))
        .buffer)
    #expect(reader.pairs(0).map(\.0) == [1, 3])
    #expect(reader.pairs(0).map(\.1) == [-2, 4])
    #expect(reader.tables(1).map { $0.integer(0, 8) } == [5, 0])
    #expect(reader.table(2) == nil)
  }

  @Test func `Columns with and without nulls round-trip`() throws {
    var times = ValueColumn<Int64>()
    var numbers = ValueColumn<Double>()
    var texts = TextColumn()
    var none = ValueColumn<Int64>()
    var identifiers = ValueColumn<Identifier>()
    let uuid = Identifier(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    for row in 0..<19 {
      times.append(Int64(row) - 5)
      numbers.append(ifAny: row % 3 == 0 ? nil : Double(row) / 3)
      texts.append(["", "é", "e\u{301}"][row % 3])
      none.appendNull()
      identifiers.append(ifAny: row == 8 ? nil : uuid)
    }
    let columns = [
      TableColumn(name: "time", values: .times(times)),
      TableColumn(name: "number", values: .numbers(numbers)),
      TableColumn(name: "text", values: .texts(texts)),
      TableColumn(name: "none", values: .integers(none)),
      TableColumn(name: "id", values: .identifiers(identifiers)),
    ]
    var bytes: [UInt8] = []
    var stream = ArrowStream()
    try stream.begin(columns) { bytes += $0 }
    for _ in 0..<2 { try stream.add(columns) { bytes += $0 } }
    try stream.end { bytes += $0 }
    let reader = try ArrowReader(bytes)
    func check(_ name: String, _ cell: (Int) -> TableCell?) {
      #expect(reader.column(name) == (0..<38).map { cell($0 % 19) })
    }
    #expect(reader.names == columns.map(\.name))
    check("time") { .integer(Int64($0) - 5) }
    check("number") { $0 % 3 == 0 ? nil : .double((Double($0) / 3).bitPattern) }
    check("text") { [nil, .bytes(Array("é".utf8)), .bytes(Array("e\u{301}".utf8))][$0 % 3] }
    check("none") { _ in nil }
    check("id") { row in
      row == 8 ? nil : .bytes((0..<16).map { UInt8($0 * 17) })
    }
  }
}
