import Foundation
import Testing

@testable import HealthStore

@Suite struct PredicatesObjectsTests {
  static let operators: [(HKComparisonOperator, [Bool])] = [
    (.lessThan, [true, false, false]), (.lessThanOrEqualTo, [true, true, false]),
    (.equalTo, [false, true, false]), (.notEqualTo, [true, false, true]),
    (.greaterThanOrEqualTo, [false, true, true]), (.greaterThan, [false, false, true]),
  ]

  @Test func `Quantities are compared in one unit, by all six operators`() {
    let bound = HKQuantity(unit: HKUnit(from: "count/s"), doubleValue: 1)
    for (comparing, admitted) in Self.operators {
      let predicate = HKQuery.predicateForQuantitySamples(with: comparing, quantity: bound)
      for (value, expected) in zip([59.0, 60, 61], admitted) {
        #expect(
          predicate.evaluate(with: Make.heartRate(value)) == expected, "\(comparing) \(value)")
      }
    }
  }

  @Test func `Quantities of incompatible units and samples without a quantity never match`() {
    let kilograms = HKQuantity(unit: HKUnit(from: "kg"), doubleValue: 1)
    for (comparing, _) in Self.operators {
      let predicate = HKQuery.predicateForQuantitySamples(with: comparing, quantity: kilograms)
      #expect(!predicate.evaluate(with: Make.heartRate(60)), "\(comparing)")
      #expect(!predicate.evaluate(with: Make.sleep()), "\(comparing)")
    }
  }

  @Test func `Category values are compared by all six operators, and only on category samples`() {
    let values: [HKCategoryValueSleepAnalysis] = [.awake, .asleepCore, .asleepDeep]
    for (comparing, admitted) in Self.operators {
      let plain = HKQuery.predicateForCategorySamples(
        with: comparing, value: HKCategoryValueSleepAnalysis.asleepCore.rawValue)
      let typed = HKCategoryValueSleepAnalysis.predicateForSamples(comparing, value: .asleepCore)
      #expect(plain == typed)
      for (value, expected) in zip(values, admitted) {
        #expect(plain.evaluate(with: Make.sleep(value)) == expected, "\(comparing) \(value)")
      }
      #expect(!plain.evaluate(with: Make.heartRate(3)))
    }
  }

  @Test func `A set of category values admits exactly its members, and an empty one nothing`() {
    let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
      equalTo: [.asleepDeep, .asleepREM])
    #expect(asleep.evaluate(with: Make.sleep(.asleepREM)))
    #expect(asleep.evaluate(with: Make.sleep(.asleepDeep)))
    #expect(!asleep.evaluate(with: Make.sleep(.awake)))
    let none = HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [])
    #expect(!none.evaluate(with: Make.sleep()))
  }

  private func view(_ row: ViewRow) throws -> HKSample {
    try #require(Make.views(Make.heartRate, [row]).first)
  }

  @Test func `Predicates admit one identifier or several`() {
    let one = Make.heartRate()
    let two = Make.heartRate()
    #expect(HKQuery.predicateForObject(with: one.uuid).evaluate(with: one))
    #expect(!HKQuery.predicateForObject(with: one.uuid).evaluate(with: two))
    #expect(HKQuery.predicateForObjects(with: [one.uuid, two.uuid]).evaluate(with: two))
    #expect(!HKQuery.predicateForObjects(with: Set<UUID>()).evaluate(with: two))
  }

  @Test func `Predicates admit one source or several, and the default source is the program's own`()
    throws
  {
    let other = try view(ViewRow(revision: Make.revision("other")))
    let source = Make.revision("other").source
    #expect(HKQuery.predicateForObjects(from: source).evaluate(with: other))
    #expect(HKQuery.predicateForObjects(from: [source, .default()]).evaluate(with: other))
    #expect(!HKQuery.predicateForObjects(from: HKSource.default()).evaluate(with: other))
    #expect(HKQuery.predicateForObjects(from: HKSource.default()).evaluate(with: Make.heartRate()))
    #expect(!HKQuery.predicateForObjects(from: Set<HKSource>()).evaluate(with: other))
  }

  @Test
  func `Source revisions match in all properties, except for wildcard constants`()
    throws
  {
    let sample = try view(ViewRow(revision: Make.revision("a", version: "1")))
    func admits(_ revision: HKSourceRevision) -> Bool {
      HKQuery.predicateForObjects(from: [revision]).evaluate(with: sample)
    }
    #expect(admits(Make.revision("a", version: "1")))
    #expect(!admits(Make.revision("a", version: "2")))
    #expect(!admits(Make.revision("a", version: nil)))
    #expect(admits(Make.revision("a", version: HKSourceRevisionAnyVersion)))
    let source = Make.revision("a").source
    #expect(admits(HKSourceRevision(source: source, version: "1")))
    #expect(!admits(HKSourceRevision(source: source, version: "2")))
    #expect(!admits(HKSourceRevision(source: Make.revision("b").source, version: "1")))
  }

  @Test func `Devices match in every property, and nil matches only nil`() throws {
    let sample = try view(ViewRow(device: Make.device(name: "N", model: "M")))
    func admits(_ devices: Set<HKDevice>) -> Bool {
      HKQuery.predicateForObjects(from: devices).evaluate(with: sample)
    }
    #expect(admits([Make.device(name: "N", model: "M"), Make.device()]))
    #expect(!admits([Make.device(name: "N")]))
    #expect(!HKQuery.predicateForObjects(from: [Make.device()]).evaluate(with: Make.heartRate()))
  }

  @Test func `A device property matches its values, and without values its absence`() throws {
    let named = try view(ViewRow(device: Make.device(name: "N")))
    let model = try view(ViewRow(device: Make.device(model: "M")))
    let none = try view(ViewRow())
    let names = HKQuery.predicateForObjects(
      withDeviceProperty: HKDevicePropertyKeyName, allowedValues: ["N", "O"])
    #expect([named, model, none].map { names.evaluate(with: $0) } == [true, false, false])
    let nameless = HKQuery.predicateForObjects(
      withDeviceProperty: HKDevicePropertyKeyName, allowedValues: [])
    #expect([named, model, none].map { nameless.evaluate(with: $0) } == [false, true, true])
  }

  @Test func `A predicate admits objects in no correlation`() throws {
    let predicate = HKQuery.predicateForObjectsWithNoCorrelation()
    #expect(try predicate.evaluate(with: view(ViewRow())))
    #expect(try !predicate.evaluate(with: view(ViewRow(isCorrelated: true))))
    #expect(predicate.evaluate(with: Make.heartRate()))
  }

  @Test func `An invalid operator or key traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForQuantitySamples(
        with: .beginsWith, quantity: HKQuantity(unit: .count(), doubleValue: 1))
    }
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForObjects(withDeviceProperty: "colour", allowedValues: [])
    }
  }
}
