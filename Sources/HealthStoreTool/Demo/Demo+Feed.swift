import Foundation
import HealthStore

// Steps of the demonstration: live updates.
extension Demo {
  /// Runs a subscriber and an observer while a writer saves and deletes samples.
  mutating func showLiveUpdates() async throws {
    try heading("Live: a subscriber, an observer and a writer")
    let anchor = try await currentAnchor()
    let (arrivals, arrived) = AsyncStream<Arrival>.makeStream()
    let (wakeups, woken) = AsyncStream<ContinuousClock.Instant>.makeStream()
    let feed = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: anchor)
    let subscriber = Task { [store] in
      for try await result in feed.results(for: store) {
        arrived.yield(Arrival(time: .now, date: Date(), result: result))
      }
    }
    let observer = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, done, _ in
      woken.yield(.now)
      done()
    }
    store.execute(observer)
    // Ends a demonstration that hangs.
    let watchdog = Task {
      try await Task.sleep(for: .seconds(30))
      arrived.finish()
      woken.finish()
    }
    defer {
      watchdog.cancel()
      subscriber.cancel()
      store.stop(observer)
    }
    var results = arrivals.makeAsyncIterator()
    var calls = wakeups.makeAsyncIterator()
    // Both report once at the start, before any change.
    _ = try await Self.next(&results)
    _ = try await Self.next(&calls)
    var saved: [HKQuantitySample] = []
    for value in [71.0, 74, 78] {
      let sample = measurement(value)
      saved.append(sample)
      try announce("writer      saves \(Figures.number(value)) count/min")
      let begun = ContinuousClock.now
      try await store.save(sample)
      try show(try await Self.next(&results), since: begun)
      let call = try await Self.next(&calls)
      try announce("observer    is woken", after: call - begun)
    }
    try announce("writer      deletes \(saved[0].uuid.uuidString.prefix(8))")
    let begun = ContinuousClock.now
    try await store.delete(saved[0])
    try show(try await Self.next(&results), since: begun)
  }

  private struct Arrival {
    var time: ContinuousClock.Instant
    var date: Date
    var result: HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result
  }

  private static func next<Element: Sendable>(
    _ iterator: inout AsyncStream<Element>.AsyncIterator
  ) async throws -> Element {
    guard let element = await iterator.next(isolation: nil) else {
      throw Failure("An update did not arrive within 30 seconds.", status: .failed)
    }
    return element
  }

  private func show(_ arrival: Arrival, since begun: ContinuousClock.Instant) throws {
    let delay = arrival.time - begun
    for sample in arrival.result.addedSamples {
      let value = Figures.number(sample.quantity.doubleValue(for: beatsPerMinute))
      try announce(
        "subscriber  has \(value) count/min as an HKQuantitySample", at: arrival.date, after: delay)
    }
    for object in arrival.result.deletedObjects {
      try announce(
        "subscriber  has \(object.uuid.uuidString.prefix(8)) as an HKDeletedObject",
        at: arrival.date, after: delay)
    }
  }

  private func announce(
    _ text: String, at date: Date = Date(), after delay: Duration? = nil
  ) throws {
    let late = delay.map { ", \(Figures.time(ProgressLine.seconds($0))) after the call" } ?? ""
    try say("  \(UTCText.clock(date))  \(text)\(late)")
  }

  /// Returns the anchor at the end of the feed of heart rates.
  func currentAnchor() async throws -> HKQueryAnchor {
    try await HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil
    ).result(for: store).newAnchor
  }
}
