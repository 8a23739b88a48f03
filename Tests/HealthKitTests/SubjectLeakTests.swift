import HealthKit
import SampleLogSimulation
import Testing

/// No handle ever returns another person's row.
///
/// Many people share a store, sample values identify their person, and plain arrays hold the
/// expected samples.
@Suite struct SubjectLeakTests {
  private struct SubjectData {
    var samples: [HKQuantitySample] = []
    var anchor: HKQueryAnchor?
    /// The samples delivered by the feed.
    var copy: Set<UUID> = []
  }

  private let directory = TemporaryDirectory()
  private static let subjects = 40
  private static let types = [heartRate, steps]

  private static func unit(_ type: HKQuantityType) -> HKUnit {
    type == heartRate ? beatsPerMinute : .count()
  }

  private static func subject(_ subject: Int) -> String { subject == 0 ? "" : "person\(subject)" }

  /// A sample whose value modulo 1000 is the person's number.
  private static func sample(of subject: Int, _ random: inout Seeded) -> HKQuantitySample {
    let type = types[random.below(2)]
    let begin = start.addingTimeInterval(Double(random.below(10_000)))
    let value = Double(subject + 1000 * random.below(1000))
    // All people use the same sync identifiers.
    let metadata: [String: Any]? =
      random.oneIn(10)
      ? [
        HKMetadataKeySyncIdentifier: "s\(random.below(3))",
        HKMetadataKeySyncVersion: random.below(1_000_000),
      ] : nil
    return HKQuantitySample(
      type: type, quantity: HKQuantity(unit: unit(type), doubleValue: value), start: begin,
      end: begin, metadata: metadata)
  }

  private static func subject(_ sample: HKSample) -> Int? {
    guard let sample = sample as? HKQuantitySample else { return nil }
    return Int(sample.quantity.doubleValue(for: unit(sample.quantityType))) % 1000
  }

  @Test(arguments: UInt64(1)...3)
  func `every answer is complete and contains only the handle's person`(seed: UInt64) async throws {
    var random = Seeded(mixing: seed, 17)
    var options = HKHealthStore.Options()
    options.sealRowCount = 500
    var database = try HealthDatabase(directory: directory.url, options: options)
    var subjects = [SubjectData](repeating: SubjectData(), count: Self.subjects)
    for step in 0..<400 {
      let number = random.below(Self.subjects)
      let store = database.store(subject: Self.subject(number))
      switch random.below(20) {
      case 0..<8:
        try await save(number, store, &subjects[number], &random)
      case 8..<10:
        guard let sample = subjects[number].samples.randomElement(using: &random) else { break }
        // Another person's handle cannot delete it.
        let other = database.store(subject: Self.subject((number + 1) % Self.subjects))
        #expect(await code { try await other.delete(sample) } == .errorInvalidArgument)
        try await store.delete(sample)
        subjects[number].samples.removeAll { $0.uuid == sample.uuid }
      case 10..<15: try await query(number, store, subjects[number], &random)
      case 15..<17: try await follow(number, store, &subjects[number])
      case 17: if random.oneIn(3) { try await database.compact() }
      case 18:
        #expect(
          try await database.erase(subject: Self.subject(number)) == subjects[number].samples.count)
        subjects[number] = SubjectData()
      default:
        guard random.oneIn(3) else { break }
        try database.close()
        database = try HealthDatabase(directory: directory.url, options: options)
      }
      if step % 100 == 99 {
        let found = try await database.subjects()
        let expected = subjects.indices.filter { !subjects[$0].samples.isEmpty }
        #expect(Set(found.map(\.subject)) == Set(expected.map(Self.subject)))
        #expect(
          found.reduce(0) { $0 + $1.sampleCount } == subjects.reduce(0) { $0 + $1.samples.count })
      }
    }
    for number in subjects.indices {
      let store = database.store(subject: Self.subject(number))
      try await query(number, store, subjects[number], &random)
      try await follow(number, store, &subjects[number])
    }
    try database.close()
  }

  /// The changed bytes are in segments and logs, which also record the subject of each row.
  @Test func `damaged files give errors, or rows of the handle's person`() async throws {
    var random = Seeded(mixing: 5, 17)
    var options = HKHealthStore.Options()
    options.sealRowCount = 400
    let whole = try HealthDatabase(directory: directory.url, options: options)
    for _ in 0..<150 {
      let number = random.below(Self.subjects)
      try await whole.store(subject: Self.subject(number)).save(
        (0..<1 + random.below(12)).map { _ in Self.sample(of: number, &random) })
    }
    try whole.close()
    let manager = FileManager.default
    let names = try manager.contentsOfDirectory(atPath: directory.url.path)
      .filter { $0.hasSuffix("segment") || $0.hasSuffix("log") }.sorted()
    #expect(names.contains { $0.hasSuffix("segment") })
    var (answers, errors) = (0, 0)
    for _ in 0..<60 {
      let copy = TemporaryDirectory()
      try manager.copyItem(at: directory.url, to: copy.url)
      let file = copy.url.appendingPathComponent(names[random.below(names.count)])
      var bytes = [UInt8](try Data(contentsOf: file))
      // Blocks take most of a segment, so half of the changes go to the tables after them.
      let reach = random.oneIn(2) ? bytes.count : min(bytes.count, 4000)
      for _ in 0..<1 + random.below(3) {
        bytes[bytes.count - 1 - random.below(reach)] ^= UInt8(1 << random.below(8))
      }
      try Data(bytes).write(to: file)
      guard let database = try? HealthDatabase(directory: copy.url, options: options) else {
        errors += 1
        continue
      }
      for _ in 0..<6 {
        let number = random.below(Self.subjects)
        let store = database.store(subject: Self.subject(number))
        let type = Self.types[random.below(2)]
        do {
          let samples = try await store.samples(type)
          #expect(samples.allSatisfy { Self.subject($0) == number })
          let fed = try await store.anchored(type, anchor: nil)
          #expect(fed.samples?.allSatisfy { Self.subject($0) == number } == true)
          answers += samples.count
        } catch {
          errors += 1
        }
      }
      try? database.close()
    }
    #expect(answers > 0 && errors > 0)
  }

  private func save(
    _ number: Int, _ store: HKHealthStore, _ subject: inout SubjectData, _ random: inout Seeded
  ) async throws {
    let new = (0..<1 + random.below(12)).map { _ in Self.sample(of: number, &random) }
    try await store.save(new)
    // A versioned sample replaces an older one or is skipped.
    for type in Self.types {
      subject.samples.removeAll { $0.quantityType == type }
      subject.samples += try await store.samples(type).compactMap { $0 as? HKQuantitySample }
    }
    let plain = new.filter { $0.metadata?[HKMetadataKeySyncIdentifier] == nil }.map(\.uuid)
    #expect(Set(plain).isSubset(of: subject.samples.map(\.uuid)))
    #expect(subject.samples.allSatisfy { Self.subject($0) == number })
  }

  private func query(
    _ number: Int, _ store: HKHealthStore, _ subject: SubjectData, _ random: inout Seeded
  ) async throws {
    let type = Self.types[random.below(2)]
    let unit = Self.unit(type)
    let begin = start.addingTimeInterval(Double(random.below(10_000)))
    let end = begin.addingTimeInterval(Double(1 + random.below(5_000)))
    let isWithin = { (sample: HKQuantitySample) in
      sample.startDate >= begin && sample.startDate < end
    }
    let own = subject.samples.filter { $0.quantityType == type }
    let dates = HKQuery.predicateForSamples(
      withStart: begin, end: end, options: .strictStartDate)
    let found = try await store.samples(type, predicate: dates)
    #expect(Set(found.map(\.uuid)) == Set(own.filter(isWithin).map(\.uuid)))
    #expect(found.allSatisfy { Self.subject($0) == number })
    let newestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let sorted = try await store.samples(type, limit: 3, sort: [newestFirst])
    #expect(sorted.map(\.startDate) == Array(own.map(\.startDate).sorted(by: >).prefix(3)))
    #expect(sorted.allSatisfy { Self.subject($0) == number })
    let high = HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: unit, doubleValue: 500_000))
    #expect(
      try await store.samples(type, predicate: high).count
        == own.count { $0.quantity.doubleValue(for: unit) > 500_000 })
    let all = try await store.samples(type)
    #expect(Set(all.map(\.uuid)) == Set(own.map(\.uuid)))
    let statistics = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: type, predicate: dates),
      options: type == steps ? .cumulativeSum : .discreteMax
    ).result(for: store)
    let values = own.filter(isWithin).map { $0.quantity.doubleValue(for: unit) }
    let expected = type == steps ? values.reduce(0, +) : values.max() ?? 0
    let quantity = type == steps ? statistics?.sumQuantity() : statistics?.maximumQuantity()
    #expect((quantity?.doubleValue(for: unit) ?? 0) == expected)
  }

  private func follow(
    _ number: Int, _ store: HKHealthStore, _ subject: inout SubjectData
  ) async throws {
    let predicates = Self.types.map { HKSamplePredicate.quantitySample(type: $0) }
    let result = try await HKAnchoredObjectQueryDescriptor(
      predicates: predicates, anchor: subject.anchor
    ).result(for: store)
    #expect(result.addedSamples.allSatisfy { Self.subject($0) == number })
    subject.copy.subtract(result.deletedObjects.map(\.uuid))
    subject.copy.formUnion(result.addedSamples.map(\.uuid))
    subject.anchor = result.newAnchor
    #expect(subject.copy == Set(subject.samples.map(\.uuid)))
  }
}
