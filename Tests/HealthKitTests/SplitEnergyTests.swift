import HealthKit
import Testing

@Suite struct SplitEnergyTests {
  private let store = HKHealthStore.inMemory()
  private let hour = 3600.0

  private struct Split: Sendable {
    var resting: HKQuantity?
    var active: HKQuantity?
    var error: HKError?
  }

  @available(*, deprecated)
  private func split(
    _ total: Double, _ unit: HKUnit = .kilocalorie(), hours: Double = 1
  ) async throws -> Split {
    try await withFencedContinuation { continuation in
      store.splitTotalEnergy(
        HKQuantity(unit: unit, doubleValue: total), start: start,
        end: start.addingTimeInterval(hours * hour)
      ) {
        continuation.resume(
          returning: Split(resting: $0, active: $1, error: $2 as? HKError))
      }
    }
  }

  private func save(_ type: HKQuantityType, _ unit: HKUnit, _ value: Double) async throws {
    try await store.save(
      HKQuantitySample(
        type: type, quantity: HKQuantity(unit: unit, doubleValue: value),
        start: start.addingTimeInterval(-hour), end: start.addingTimeInterval(-hour)))
  }

  /// 60 kg, 170 cm, thirty years: 1,512.5 kcal a day without a constant for either sex.
  private func describe() async throws {
    try await save(HKQuantityType(.bodyMass), .gram(), 60_000)
    try await save(HKQuantityType(.height), .meter(), 1.7)
    let birth = try #require(
      Calendar(identifier: .gregorian).date(byAdding: .year, value: -30, to: start))
    try await store.setDateOfBirth(
      Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: birth))
  }

  @available(*, deprecated)
  @Test func `resting energy follows the equation and active energy is the remainder`() async throws
  {
    try await describe()
    try await store.setBiologicalSex(.female)
    let female = try await split(200)
    let resting = try #require(female.resting).doubleValue(for: .kilocalorie())
    #expect(abs(resting - (1512.5 - 161) / 24) < 1e-9)
    #expect(female.active == HKQuantity(unit: .kilocalorie(), doubleValue: 200 - resting))
    try await store.setBiologicalSex(.male)
    let male = try #require(try await split(200).resting).doubleValue(for: .kilocalorie())
    #expect(abs(male - (1512.5 + 5) / 24) < 1e-9)
    try await store.setBiologicalSex(.notSet)
    let neither = try #require(try await split(200).resting).doubleValue(for: .kilocalorie())
    #expect(abs(neither - (1512.5 - 78) / 24) < 1e-9)
  }

  @available(*, deprecated)
  @Test func `resting energy is at most the total`() async throws {
    try await describe()
    let split = try await split(100, .kilocalorie(), hours: 24)
    #expect(split.resting == HKQuantity(unit: .kilocalorie(), doubleValue: 100))
    #expect(split.active == HKQuantity(unit: .kilocalorie(), doubleValue: 0))
  }

  @available(*, deprecated)
  @Test func `the parts are in the total's unit and add up to it`() async throws {
    try await describe()
    let split = try await split(900, .jouleUnit(with: .kilo))
    let resting = try #require(split.resting).doubleValue(for: .jouleUnit(with: .kilo))
    let active = try #require(split.active).doubleValue(for: .jouleUnit(with: .kilo))
    #expect(resting + active == 900)
    #expect(abs(resting - (1512.5 - 78) / 24 * 4.184) < 1e-6)
  }

  @available(*, deprecated)
  @Test func `a missing weight, height or date of birth throws errorNoData`() async throws {
    #expect(try await split(200).error?.code == .errorNoData)
    try await describe()
    try await store.setDateOfBirth(nil)
    let split = try await split(200)
    #expect(split.error?.code == .errorNoData)
    #expect(split.resting == nil)
    #expect(split.active == nil)
  }

  @available(*, deprecated)
  @Test func `another quantity and a negative energy or interval are refused`() async throws {
    try await describe()
    #expect(try await split(200, .meter()).error?.code == .errorInvalidArgument)
    #expect(try await split(-1).error?.code == .errorInvalidArgument)
    #expect(try await split(200, hours: -1).error?.code == .errorInvalidArgument)
  }

  @available(*, deprecated)
  @Test func `values that may not be read are unknown`() async throws {
    try await describe()
    store.authorization = AuthorizationPolicy(
      source: HKSource(name: "App", bundleIdentifier: "org.example.app"), otherTypes: .granted)
    #expect(try await split(200).error == nil)
    for type in [HKQuantityType(.bodyMass), HKCharacteristicType(.dateOfBirth)] {
      store.authorization?.reading = [type: .denied]
      #expect(try await split(200).error?.code == .errorNoData, "\(type)")
    }
  }
}
