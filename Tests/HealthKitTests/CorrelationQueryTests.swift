import HealthKit
import Testing

@Suite struct CorrelationQueryTests {
  let store = HKHealthStore.inMemory()

  private static let food = HKCorrelationType(.food)
  private static let energy = HKQuantityType(.dietaryEnergyConsumed)
  private static let sugar = HKQuantityType(.dietarySugar)

  /// A meal with energy and, unless it is 0, sugar.
  private func meal(_ name: String, _ offset: Double, energy: Double, sugar: Double) -> HKSample {
    let time = start.addingTimeInterval(offset)
    var objects: Set<HKSample> = [
      HKQuantitySample(
        type: Self.energy, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: energy),
        start: time, end: time)
    ]
    if sugar > 0 {
      objects.insert(
        HKQuantitySample(
          type: Self.sugar, quantity: HKQuantity(unit: .gram(), doubleValue: sugar), start: time,
          end: time))
    }
    return HKCorrelation(
      type: Self.food, start: time, end: time, objects: objects,
      metadata: [HKMetadataKeyFoodType: name])
  }

  private func save() async throws {
    try await store.save([
      meal("cake", 0, energy: 400, sugar: 40), meal("steak", 60, energy: 500, sugar: 0),
      meal("apple", 30, energy: 80, sugar: 15),
    ])
  }

  private func meals(
    _ predicate: NSPredicate? = nil, _ samplePredicates: [HKSampleType: NSPredicate]? = nil
  ) async throws -> [HKCorrelation] {
    try await withFencedContinuation { continuation in
      let query = HKCorrelationQuery(
        type: Self.food, predicate: predicate, samplePredicates: samplePredicates
      ) { _, found, error in
        continuation.resume(with: error.map(Result.failure) ?? .success(found ?? []))
      }
      store.execute(query)
    }
  }

  private func names(_ meals: [HKCorrelation]) -> [String] {
    meals.compactMap { $0.metadata?[HKMetadataKeyFoodType] as? String }
  }

  private func above(_ value: Double, _ unit: HKUnit) -> NSPredicate {
    HKQuery.predicateForQuantitySamples(
      with: .greaterThan, quantity: HKQuantity(unit: unit, doubleValue: value))
  }

  @Test func `without predicates all correlations of the type are found`() async throws {
    try await save()
    #expect(names(try await meals()) == ["cake", "apple", "steak"])
    #expect(names(try await meals(nil, [:])).count == 3)
  }

  @Test func `the predicate applies to the correlations`() async throws {
    try await save()
    let steak = HKQuery.predicateForObjects(
      withMetadataKey: HKMetadataKeyFoodType, allowedValues: ["steak"])
    #expect(names(try await meals(steak)) == ["steak"])
  }

  @Test func `each of the sample predicates must be met by a contained sample`() async throws {
    try await save()
    let rich = above(100, .kilocalorie())
    #expect(names(try await meals(nil, [Self.energy: rich])) == ["cake", "steak"])
    let sweet = above(10, .gram())
    #expect(names(try await meals(nil, [Self.energy: rich, Self.sugar: sweet])) == ["cake"])
    #expect(names(try await meals(nil, [HKQuantityType(.dietaryWater): sweet])) == [])
  }

  @Test func `a predicate that admits everything requires a sample of the type`() async throws {
    try await save()
    let any = NSPredicate(value: true)
    #expect(names(try await meals(nil, [Self.sugar: any])) == ["cake", "apple"])
  }

  @Test func `a found correlation has all its objects`() async throws {
    try await save()
    let cake = try #require(try await meals(nil, [Self.sugar: above(20, .gram())]).first)
    #expect(cake.objects(for: Self.energy).count == 1)
    #expect(cake.objects(for: Self.sugar).count == 1)
  }

  @Test func `a deleted sample meets no predicate`() async throws {
    try await save()
    let sugar = try await store.samples(Self.sugar, predicate: above(20, .gram()))
    try await store.delete(sugar)
    #expect(names(try await meals(nil, [Self.sugar: NSPredicate(value: true)])) == ["apple"])
  }

  @Test func `the query keeps its arguments`() {
    let any = NSPredicate(value: true)
    let query = HKCorrelationQuery(
      type: Self.food, predicate: any, samplePredicates: [Self.sugar: any]
    ) { _, _, _ in }
    #expect(query.correlationType == Self.food)
    #expect(query.objectType == Self.food)
    #expect(query.predicate === any)
    #expect(query.samplePredicates?[Self.sugar] === any)
  }

  @Test func `a predicate that cannot be evaluated is an error`() async throws {
    try await save()
    var deep = NSPredicate(value: true)
    for level in 0..<80 {
      deep =
        level % 2 == 0
        ? NSCompoundPredicate(andPredicateWithSubpredicates: [deep, NSPredicate(value: true)])
        : NSCompoundPredicate(orPredicateWithSubpredicates: [deep, NSPredicate(value: true)])
    }
    do {
      _ = try await meals(nil, [Self.sugar: deep])
      Issue.record("the predicate was accepted")
    } catch let error as HKError {
      #expect(error.code == .errorInvalidArgument)
    }
  }
}
