import Foundation
import HealthStore
import Testing

// Conformances that existing programs add. They would not compile beside the library's own.

extension HKQuantity: Comparable {
  static func < (left: HKQuantity, right: HKQuantity) -> Bool {
    left.compare(right) == .orderedAscending
  }
}

extension HKWorkoutActivityType: CaseIterable {
  static var allCases: [HKWorkoutActivityType] { [.running, .walking] }
}

extension HKWorkoutActivityType: Identifiable {
  var id: UInt { rawValue }
}

extension HKWorkoutActivityType: Codable {}

extension HKBiologicalSex: CustomStringConvertible {
  var description: String { "sex \(rawValue)" }
}

extension HKQuantityTypeIdentifier: CaseIterable {
  static var allCases: [HKQuantityTypeIdentifier] { [.heartRate] }
}

extension HKQuantityTypeIdentifier: Codable {}

extension HKCategoryValueSleepAnalysis: CaseIterable {
  static var allCases: [HKCategoryValueSleepAnalysis] { [.awake] }
}

extension HKObjectType: Identifiable {
  var id: String { identifier }
}

extension HKUnit {
  static func * (left: HKUnit, right: HKUnit) -> HKUnit { left.unitMultiplied(by: right) }
  static func / (left: HKUnit, right: HKUnit) -> HKUnit { left.unitDivided(by: right) }
  class var beatsPerMinute: HKUnit { Self(from: "count/min") }
  static let glucose = HKUnit(from: "mmol<180.1558800000541>/L")
}

@Suite struct TypesConformanceTests {
  @Test func `clients may add the conformances of existing programs`() {
    let kilogram = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 1)
    #expect(kilogram > HKQuantity(unit: .gram(), doubleValue: 999))
    #expect(HKWorkoutActivityType.allCases.map(\.id) == [37, 52])
    #expect("\(HKBiologicalSex.male)" == "sex 2")
    #expect(HKQuantityType(.heartRate).id == "HKQuantityTypeIdentifierHeartRate")
    #expect(HKCategoryValueSleepAnalysis.allCases == [.awake])
    #expect(HKQuantityTypeIdentifier.allCases == [.heartRate])
  }

  @Test func `clients may extend units with operators and shorthands`() {
    #expect(HKUnit.count() / HKUnit.minute() == HKUnit.beatsPerMinute)
    #expect((HKUnit.meter() * HKUnit.meter()).unitString == "m^2")
    #expect(HKUnit.glucose.unitString == "mmol<180.1558800000541>/L")
  }

  @Test func `a generic function over the protocol selects values of one kind`() {
    func values<V: HKCategoryValuePredicateProviding>(_ set: Set<V>) -> Set<Int>
    where V.RawValue == Int {
      Set(set.map(\.rawValue))
    }
    #expect(values(HKCategoryValueSleepAnalysis.allAsleepValues) == [1, 3, 4, 5])
    #expect(values([HKCategoryValue.notApplicable]) == [0])
    #expect(values([HKCategoryValueSeverity.severe]) == [4])
  }
}
