import HealthKit
import Testing

/// Heartbeat series through the public interface.
@Suite struct HeartbeatSeriesTests {
  typealias Heartbeat = HKHeartbeatSeriesQueryDescriptor.Heartbeat

  let store = HKHealthStore.inMemory()

  private func builder() -> HKHeartbeatSeriesBuilder {
    HKHeartbeatSeriesBuilder(healthStore: store, device: .local(), start: start)
  }

  private static let beats = (0..<1500).map {
    Heartbeat(timeIntervalSinceStart: Double($0) * 0.8125, precededByGap: $0 % 100 == 99)
  }

  private func saved() async throws -> HKHeartbeatSeriesSample {
    let series = try HKHeartbeatSeriesSample.validated(start: start, heartbeats: Self.beats)
    try await store.save(series)
    return series
  }

  @Test func `A builder saves its heartbeats`() async throws {
    let builder = builder()
    try await builder.addHeartbeat(at: 0.5, precededByGap: false)
    try await builder.addHeartbeat(at: 1.25, precededByGap: true)
    try await builder.addMetadata(["note": "calm"])
    let series = try await builder.finishSeries()
    #expect(series.count == 2)
    #expect(series.startDate == start)
    #expect(series.endDate == start.addingTimeInterval(1.25))
    #expect(series.device == .local())
    let found = try await HKSampleQueryDescriptor(
      predicates: [.heartbeatSeries()], sortDescriptors: []
    ).result(for: store)
    #expect(found == [series])
    #expect(found.first?.metadata?["note"] as? String == "calm")
    #expect(found.first?.count == 2)
  }

  @Test func `A query calls its handler for each heartbeat and marks the last`() async throws {
    let series = try await saved()
    let (calls, continuation) = AsyncThrowingStream<(Heartbeat, Bool), any Error>.makeStream()
    store.execute(
      HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, time, isAfterGap, isLast, error in
        if let error { return continuation.finish(throwing: error) }
        continuation.yield(
          (Heartbeat(timeIntervalSinceStart: time, precededByGap: isAfterGap), isLast))
        if isLast { continuation.finish() }
      })
    var read: [Heartbeat] = []
    var lasts = 0
    for try await (beat, isLast) in calls {
      read.append(beat)
      lasts += isLast ? 1 : 0
    }
    #expect(read == Self.beats)
    #expect(lasts == 1)
  }

  @Test func `The descriptor delivers the heartbeats one by one`() async throws {
    let series = try await saved()
    var read: [Heartbeat] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
      read.append(beat)
    }
    #expect(read == Self.beats)
  }

  @Test func `Heartbeats out of order or at impossible times are refused`() async throws {
    let builder = builder()
    for time in [2.0, 3] { try await builder.addHeartbeat(at: time, precededByGap: false) }
    for time in [2.5, 1.5, -1, .nan, .infinity] {
      #expect(
        await code { try await builder.addHeartbeat(at: time, precededByGap: false) }
          == .errorInvalidArgument)
    }
    #expect(try await builder.finishSeries().count == 2)
  }

  @Test func `The form with a handler has a name of its own`() async throws {
    let builder = builder()
    for (time, isGood) in [(0.5, true), (0.25, false)] {
      let (success, error) = await withCheckedContinuation { continuation in
        builder.addHeartbeatWithTimeInterval(
          sinceSeriesStartDate: time, precededByGap: false
        ) { continuation.resume(returning: ($0, $1)) }
      }
      #expect(success == isGood && (error == nil) == isGood)
    }
    #expect(try await builder.finishSeries().count == 1)
  }

  @Test func `A series with no heartbeats or too many is refused`() async throws {
    #expect(await code { try await builder().finishSeries() } == .errorInvalidArgument)
    let beat = Heartbeat(timeIntervalSinceStart: 1, precededByGap: false)
    let many = [Heartbeat](repeating: beat, count: HKHeartbeatSeriesBuilder.maximumCount + 1)
    #expect(throws: HKInvalidSampleError.self) {
      try HKHeartbeatSeriesSample.validated(start: start, heartbeats: many)
    }
  }

  @Test func `Nothing can be added to a finished or discarded series`() async throws {
    let finished = builder()
    try await finished.addHeartbeat(at: 0, precededByGap: false)
    _ = try await finished.finishSeries()
    let discarded = builder()
    discarded.discard()
    for builder in [finished, discarded] {
      #expect(
        await code { try await builder.addHeartbeat(at: 1, precededByGap: false) }
          == .errorInvalidArgument)
      #expect(
        await code { try await builder.addMetadata(["note": "late"]) } == .errorInvalidArgument)
      #expect(await code { try await builder.finishSeries() } == .errorInvalidArgument)
    }
    #expect(try await store.samples(HKSeriesType.heartbeat()).count == 1)
  }

  @Test func `Metadata that cannot be stored is refused on addition`() async throws {
    let builder = builder()
    #expect(
      await code { try await builder.addMetadata(["note": [1, 2]]) } == .errorInvalidArgument)
    try await builder.addHeartbeat(at: 0, precededByGap: false)
    #expect(try await builder.finishSeries().metadata == nil)
  }

  @Test func `An archived series is restored with its number of heartbeats`() throws {
    let series = try HKHeartbeatSeriesSample.validated(start: start, heartbeats: Self.beats)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: series, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKHeartbeatSeriesSample.self, from: data)
    #expect(read == series)
    #expect(read?.count == 1500)
  }
}
