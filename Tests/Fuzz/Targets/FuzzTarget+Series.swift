import HealthStore
import SampleLog

extension FuzzTarget {
  /// Chunks of the points of a series.
  static let points = FuzzTarget(name: "Points", maximumLength: 4096) { bytes in
    guard let chunk = PointChunk(bytes) else { return }
    guard let again = chunk.encoded.withUnsafeBytes({ PointChunk($0) }),
      again.layout == chunk.layout,
      (0..<chunk.layout.width).allSatisfy({ column in
        again.column(column).elementsEqual(chunk.column(column)) {
          $0.bitPattern == $1.bitPattern
        }
      })
    else { fail("points come back different") }
  } seeds: {
    func seed(_ name: String, _ layout: PointLayout, _ columns: [[Double]]) -> Seed {
      Seed(name, PointChunk(layout, columns: columns).encoded)
    }
    let flags = (0..<90).map { $0 % 30 == 7 ? 1.0 : 0 }
    let times = (0..<90).map { 591_877_000 + Double($0) }
    let roots = times.indices.map { Double($0).squareRoot() }
    let odd = times.indices.map { $0 % 30 == 7 ? Double.nan : Double($0 % 5) / 10 }
    return [
      seed("route", .locations, [times, roots] + [[Double]](repeating: odd, count: 8) + [flags]),
      seed("heartbeats", .heartbeats, [roots.map { ($0 * 512).rounded() / 512 }, flags]),
      seed("quantities", .quantities, [times, times, odd]),
      seed("voltages", .voltages, [times.indices.map { Double($0) / 512 }, roots]),
      seed("one", .heartbeats, [[0x1p-1074], [-0.0]]),
    ]
  }

  /// Payloads of parent samples of chunks, and a chunk.
  static var seriesSeeds: [(name: String, kind: UInt64, bytes: [UInt8])] {
    var electrocardiogram = ByteWriter()
    electrocardiogram.append([1, 9, 4, 4])
    for value in [72.0, 512] {
      electrocardiogram.byte(1)
      electrocardiogram.fixed(value)
    }
    electrocardiogram.string(Array("mcV".utf8))
    electrocardiogram.byte(0)
    var quantities = ByteWriter()
    quantities.append([1, 3])
    for value in [60.0, 80, 72, 591_877_000, 591_877_060] { quantities.fixed(value) }
    let chunk = PointChunk(.voltages, columns: [[0, 0.5, 1], [1, -2, 4.25]])
    return [
      ("route", 3, [1, 9]), ("heartbeats", 4, [1, 9]), ("quantities", 5, quantities.bytes),
      ("electrocardiogram", 6, electrocardiogram.bytes), ("points", 16, chunk.encoded),
    ]
  }
}
