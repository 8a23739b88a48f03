import HealthKit
import Testing

/// The deprecated form of the anchored query, whose anchors are numbers.
@Suite struct NumberedAnchorTests {
  private struct Answer: Sendable {
    var samples: [HKSample]?
    var anchor: Int
    var error: (any Error)?
  }

  @available(*, deprecated)
  private func ask(
    _ store: HKHealthStore, _ anchor: Int, limit: Int = HKObjectQueryNoLimit
  ) async throws -> Answer {
    try await withFencedContinuation { continuation in
      store.execute(
        HKAnchoredObjectQuery(type: heartRate, predicate: nil, anchor: anchor, limit: limit) {
          continuation.resume(returning: Answer(samples: $1, anchor: $2, error: $3))
        })
    }
  }

  @available(*, deprecated)
  @Test func `a query resumes at the number at which the previous one ended`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60), beat(61, 1), walk(5)])
    let first = try await ask(store, Int(HKAnchoredObjectQueryNoAnchor))
    #expect(first.samples?.beats == [60, 61])
    try await store.save(beat(40, -100))
    let second = try await ask(store, first.anchor)
    #expect(second.samples?.beats == [40])
    let third = try await ask(store, second.anchor)
    #expect(third.samples == [])
    #expect(third.anchor == second.anchor)
  }

  @available(*, deprecated)
  @Test func `a limit counts samples, however many deletions are between them`() async throws {
    let store = HKHealthStore.inMemory()
    var gone: [HKSample] = []
    for round in 0..<5 {
      try await store.save(beat(Double(60 + round), Double(round)))
      gone.append(beat(1, Double(round)))
      try await store.save(gone[round])
    }
    try await store.delete(gone)
    var seen: [Double] = []
    var anchor = 0
    while true {
      let answer = try await ask(store, anchor, limit: 2)
      let samples = try #require(answer.samples)
      if samples.isEmpty { break }
      #expect(samples.count <= 2)
      #expect(answer.anchor > anchor)
      seen += samples.beats
      anchor = answer.anchor
    }
    #expect(seen == [60, 61, 62, 63, 64])
  }

  @available(*, deprecated)
  @Test func `a number remains valid after deletions are forgotten, and does not report them`()
    async throws
  {
    var options = HKHealthStore.Options()
    options.deletionRetention = .seconds(0)
    let store = HKHealthStore.inMemory(options: options)
    let sample = beat(60)
    try await store.save([sample, beat(61, 1)])
    let first = try await ask(store, 0, limit: 1)
    #expect(first.samples?.beats == [60])
    try await store.delete(sample)
    try await store.save(beat(62, 2))
    try await store.compact()
    #expect(try await ask(store, first.anchor).samples?.beats == [61, 62])
  }

  @available(*, deprecated)
  @Test(arguments: [-1, 1000])
  func `a number beyond the store's end is an error`(number: Int) async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    let answer = try await ask(store, number)
    #expect(answer.samples == nil)
    #expect(answer.anchor == number)
    #expect((answer.error as? HKError)?.code == .errorInvalidArgument)
  }

  @available(*, deprecated)
  @Test func `an update handler traps`() async {
    await #expect(processExitsWith: .failure) {
      let query = HKAnchoredObjectQuery(type: heartRate, predicate: nil, anchor: 0, limit: 0) {
        (_, _, _: Int, _) in
      }
      query.updateHandler = { _, _, _, _, _ in }
    }
  }
}
