@testable import SampleLog
import SampleLogSimulation
import Testing

@Suite struct MetricsTests {
  private let disk = MemoryFileSystem()

  private func open(_ mode: OpenMode = .readWrite) throws -> Database {
    try Database(path: "store", mode: mode, options: testOptions(), fileSystem: disk)
  }

  @Test func `Metrics count the operations since opening`() throws {
    let database = try open()
    for value in 1...5 { try database.save(start: Double(value), value: Double(value)) }
    let first = try #require(try database.metrics().activity)
    #expect(first.commitCount == 5)
    #expect(first.recordCount == 5)
    #expect(first.writes.count == 5)
    #expect(first.sealings.count == 0)
    try database.seal()
    for value in 6...9 { try database.save(start: Double(value), value: Double(value)) }
    try database.compact()
    let second = try #require(try database.metrics().activity)
    #expect(second.commitCount == 9)
    #expect(second.sealings.count == 2)
    #expect(second.merges.count == 1)
    #expect(second.merges.totalSeconds >= 0)
    try database.close()
    #expect(throws: StoreError.closed) { try database.metrics() }
    let reader = try open(.readOnly)
    #expect(try reader.metrics().activity == nil)
    #expect(try reader.metrics().segmentRowCount == 9)
  }

  @Test func `A failed commit is not counted`() throws {
    let disk = FaultyFileSystem()
    let database = try Database(path: "store", options: testOptions(), fileSystem: disk)
    try database.save(value: 1)
    disk.faults = .sync
    #expect(throws: FaultyFileSystem.error) { try database.save(value: 2) }
    disk.faults = []
    let activity = try #require(try database.metrics().activity)
    #expect(activity.commitCount == 1)
    #expect(activity.writes.count == 1)
  }

  @Test func `Metrics agree with counts obtained by reading`() throws {
    let database = try open()
    for value in 1...5 { try database.save(start: Double(value), value: Double(value)) }
    try database.seal()
    try database.save(start: 6, value: 6)
    try database.acknowledge("mirror \"a\"\\\n", through: 2)
    let (metrics, statistics) = (try database.metrics(), try database.statistics())
    #expect(metrics.end == statistics.end)
    #expect(metrics.floor == statistics.floor)
    #expect(metrics.segmentCount == statistics.segmentCount)
    #expect(metrics.segmentByteCount == statistics.byteCount - statistics.logByteCount)
    #expect(metrics.unsealedRowCount == statistics.unsealedRowCount)
    #expect(metrics.deletedRowCount == statistics.deletedRowCount)
    #expect(metrics.subscriptions.map(\.lag) == [statistics.end - 2])
    let text = metrics.prometheusText
    #expect(
      text.contains(
        "healthstore_subscription_lag{subscription=\"mirror \\\"a\\\"\\\\\\n\"} "
          + "\(statistics.end - 2)\n"))
    // Each metric has one description, before its values.
    let names = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
    #expect(Set(names).count == names.count)
    #expect(text.hasSuffix("\n"))
  }

  @Test func `Registered deliveries are counted by their state`() throws {
    let database = try open()
    for (index, state) in [(0, false), (1, false), (2, true)] {
      let key = database.key("type\(index)")
      var registration = try database.register(key, frequency: 1)
      registration.failureCount = index
      registration.isStopped = state
      try database.update([(key, registration)])
    }
    let metrics = try database.metrics()
    #expect(metrics.deliveryCount == 3)
    #expect(metrics.failingDeliveryCount == 2)
    #expect(metrics.stoppedDeliveryCount == 1)
  }

  @Test func `A histogram counts each duration in its bucket`() {
    var times = LatencyHistogram()
    for seconds in [0, 0.000_05, 0.000_06, 0.3, 5, 6, 1e9] { times.add(seconds) }
    #expect(times.count == 7)
    #expect(times.counts[0] == 2)
    #expect(times.counts[1] == 1)
    #expect(times.counts.last == 2)
    #expect(times.counts.count == LatencyHistogram.bounds.count + 1)
    #expect(LatencyHistogram.bounds == LatencyHistogram.bounds.sorted())
    var text = PrometheusText()
    text.histogram("a", "b", times)
    #expect(text.text.contains("a_bucket{le=\"5e-05\"} 2\na_bucket{le=\"0.0001\"} 3\n"))
    #expect(text.text.contains("a_bucket{le=\"+Inf\"} 7\n"))
    #expect(text.text.hasSuffix("a_count 7\n"))
  }
}
