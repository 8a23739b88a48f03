import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct PointChunkTests {
  private static func bits(_ chunk: PointChunk) -> [[UInt64]] {
    (0..<chunk.layout.width).map { chunk.column($0).map(\.bitPattern) }
  }

  private static func chunk(_ bytes: [UInt8]) -> PointChunk? {
    bytes.withUnsafeBytes { PointChunk($0) }
  }

  /// Writes and reads a chunk, and returns its length in bytes.
  @discardableResult
  private static func roundTrip(_ chunk: PointChunk) throws -> Int {
    let bytes = chunk.encoded
    let read = try #require(Self.chunk(bytes))
    #expect(read.layout == chunk.layout)
    #expect(read.count == chunk.count)
    #expect(Self.bits(read) == Self.bits(chunk))
    return bytes.count
  }

  private static func fraction(_ seeded: inout Seeded) -> Double {
    Double(seeded.next() >> 11) * 0x1p-53
  }

  /// A route like one in a GPX file: one point a second, six decimals.
  static func exportedRoute(_ count: Int, _ seeded: inout Seeded) -> [[Double]] {
    func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
    var (latitude, longitude, altitude, course, speed) = (48.65, 6.13, 361.0, 45.0, 3.5)
    var columns = [[Double]](repeating: [], count: 11)
    for index in 0..<count {
      speed += (Self.fraction(&seeded) - 0.5) * 0.01
      course += (Self.fraction(&seeded) - 0.5) * 10
      altitude += (Self.fraction(&seeded) - 0.5) * 0.1
      latitude += speed * 6e-6
      longitude += speed * 9e-6
      let row = [
        591_877_000 + Double(index), rounded(latitude), rounded(longitude), rounded(altitude),
        rounded(3 + speed / 10), rounded(2.5 + speed / 9), rounded(course), -1, rounded(speed), -1,
        0,
      ]
      for column in 0..<11 { columns[column].append(row[column]) }
    }
    return columns
  }

  @Test(arguments: PointLayout.allCases)
  func `A chunk of any numbers is read back bit for bit`(layout: PointLayout) throws {
    var seeded = Seeded(5)
    for round in 0..<60 {
      let count = round == 0 ? 1 : round == 1 ? PointChunk.maximumCount : 1 + seeded.below(1024)
      let columns = (0..<layout.width).map { column -> [Double] in
        if column == layout.flags?.column {
          return (0..<count).map { _ in Double(seeded.below(2)) }
        }
        let kind = seeded.below(7)
        return (0..<count).map { index in
          switch kind {
          case 0: Double(bitPattern: seeded.next())
          case 1: Double(seeded.below(2000)) / 100
          case 2: [.nan, -0.0, .infinity, Double(nan: 7, signaling: false), 4][seeded.below(5)]
          case 3: seeded.below(40) == 0 ? -.nan : Double(index)
          case 4: 48 + Double(index) * 1e-5 * Self.fraction(&seeded)
          case 5: -1
          default: 591_877_000.123 + Double(index)
          }
        }
      }
      try Self.roundTrip(PointChunk(layout, columns: columns))
    }
  }

  @Test func `A constant column takes nine bytes, however many points it has`() throws {
    let columns = (0..<2).map { [Double](repeating: [.nan, -1][$0], count: 1024) }
    // The version, the layout, two bytes for the count, and the length of each column.
    #expect(try Self.roundTrip(PointChunk(.voltages, columns: columns)) == 4 + 2 * 10)
  }

  @Test func `End dates that equal the start dates take one byte`() throws {
    let starts = (0..<1000).map { 591_877_000 + Double($0 * $0 % 7919) }
    let values = [Double](repeating: 1, count: 1000)
    let zeros = [Double](repeating: 0, count: 1000)
    let same = try Self.roundTrip(PointChunk(.quantities, columns: [starts, starts, values]))
    let none = try Self.roundTrip(PointChunk(.quantities, columns: [starts, zeros, values]))
    #expect(none - same == 8)
  }

  @Test func `A route of an export takes at most fourteen bytes a point`() throws {
    var seeded = Seeded(1)
    let columns = Self.exportedRoute(1024, &seeded)
    #expect(try Self.roundTrip(PointChunk(.locations, columns: columns)) <= 14 * 1024)
  }

  @Test func `A route of full-precision doubles takes at most 64 bytes a point`() throws {
    var seeded = Seeded(1)
    let columns = Self.exportedRoute(1024, &seeded).enumerated().map { column, numbers in
      numbers.map {
        [7, 9, 10].contains(column) ? $0 : $0 + (column == 0 ? 1e-3 : 1e-7) * Self.fraction(&seeded)
      }
    }
    #expect(try Self.roundTrip(PointChunk(.locations, columns: columns)) <= 64 * 1024)
  }

  @Test func `Heartbeats and electrocardiograms are compressed to a fraction`() throws {
    var seeded = Seeded(2)
    let voltages = (0..<1024).map { _ in Double(seeded.below(4000) - 2000) / 8 }
    let times = (0..<1024).map { Double($0) / 512 }
    #expect(try Self.roundTrip(PointChunk(.voltages, columns: [times, voltages])) < 2 * 1024)
    var time = 0.0
    let beats = (0..<1024).map { _ -> Double in
      time += 0.75 + Double(seeded.below(64)) / 256
      return time
    }
    let gaps = beats.map { _ in seeded.below(100) == 0 ? 1.0 : 0 }
    #expect(try Self.roundTrip(PointChunk(.heartbeats, columns: [beats, gaps])) < 2 * 1024)
  }

  @Test func `A truncated or overlong chunk is refused`() throws {
    var seeded = Seeded(3)
    let bytes = PointChunk(.locations, columns: Self.exportedRoute(40, &seeded)).encoded
    for length in 0..<bytes.count { #expect(Self.chunk(Array(bytes.prefix(length))) == nil) }
    #expect(Self.chunk(bytes + [0]) == nil)
  }

  @Test(arguments: [
    [2, 2, 1], [1, 9, 1], [1, 2, 0], [1, 2, 0x81, 8], [1, 2, 1, 1, 1, 1, 1], [1, 2, 1, 1, 4],
    [1, 2, 2, 3, 2, 7, 0],
  ])
  func `An unknown version, layout, count or form is refused`(bytes: [UInt8]) {
    #expect(Self.chunk(bytes) == nil)
  }

  @Test(arguments: PointLayout.allCases)
  func `Altered bytes are refused or decode to a chunk that survives encoding`(layout: PointLayout)
    throws
  {
    var seeded = Seeded(11)
    let columns = (0..<layout.width).map { column in
      (0..<12).map { point -> Double in
        if column == layout.flags?.column { return Double(point % 2) }
        return column % 3 == 2 ? Double(point).squareRoot() : Double(point * point) / 4
      }
    }
    let bytes = PointChunk(layout, columns: columns).encoded
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0...seeded.below(3) {
        changed[seeded.below(bytes.count)] = UInt8(truncatingIfNeeded: seeded.next())
      }
      if let chunk = Self.chunk(changed) { try Self.roundTrip(chunk) }
    }
  }

  @Test func `The bytes of a chunk match the documented format`() throws {
    let voltages = PointChunk(.voltages, columns: [[0, 0.5, 1], [1, -2, 4.25]])
    #expect(
      voltages.encoded == [
        1, 4, 3, 10, 2, 2, 0, 2, 4, 1, 0, 0, 1, 0, 10, 2, 2, 8, 23, 4, 2, 0, 0, 1, 74,
      ])
    let quantities = PointChunk(.quantities, columns: [[1, 2], [1, 2], [7, 7]])
    #expect(
      quantities.encoded == [
        1, 3, 2, 9, 2, 1, 2, 2, 0, 0, 0, 1, 2, 1, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0x1C, 0x40,
      ])
    try Self.roundTrip(voltages)
    try Self.roundTrip(quantities)
  }
}
