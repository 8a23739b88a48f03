import Foundation
import Testing

@testable import HealthStore

@Suite struct PredicatesMetadataTests {
  private func admits(
    _ value: Any?, _ comparing: HKComparisonOperator, _ constant: Any
  ) -> Bool {
    HKQuery.predicateForObjects(withMetadataKey: "k", operatorType: comparing, value: constant)
      .evaluate(with: Make.heartRate(metadata: value.map { ["k": $0] }))
  }

  @Test func `A predicate without values admits samples that have the key`() {
    let predicate = HKQuery.predicateForObjects(withMetadataKey: "k")
    #expect(predicate.evaluate(with: Make.heartRate(metadata: ["k": false])))
    #expect(!predicate.evaluate(with: Make.heartRate(metadata: ["l": true])))
    #expect(!predicate.evaluate(with: Make.heartRate()))
  }

  @Test func `Allowed values may be of every class, and an empty list admits nothing`() {
    func admits(_ value: Any, _ allowed: [Any]) -> Bool {
      HKQuery.predicateForObjects(withMetadataKey: "k", allowedValues: allowed)
        .evaluate(with: Make.heartRate(metadata: ["k": value]))
    }
    let kilogram = HKQuantity(unit: HKUnit(from: "kg"), doubleValue: 1)
    let grams = HKQuantity(unit: .gram(), doubleValue: 1000)
    #expect(admits("a", ["b", "a"]))
    #expect(admits(1, [true]))
    #expect(admits(1.0, [NSNumber(value: 1)]))
    #expect(admits(Make.date(4), [NSDate(timeIntervalSinceReferenceDate: 4)]))
    #expect(admits(kilogram, [grams]))
    #expect(!admits("1", [1]))
    #expect(!admits("a", []))
    let absent = HKQuery.predicateForObjects(withMetadataKey: "k", allowedValues: ["a"])
    #expect(!absent.evaluate(with: Make.heartRate()))
  }

  @Test func `A missing key satisfies != and no other operator`() {
    #expect(admits(nil, .notEqualTo, true))
    for comparing: HKComparisonOperator in [
      .lessThan, .lessThanOrEqualTo, .equalTo, .greaterThan, .greaterThanOrEqualTo,
    ] {
      #expect(!admits(nil, comparing, 1), "\(comparing)")
    }
    #expect(!admits(nil, .in, ["a"]))
    #expect(!admits(nil, .between, [0, 1]))
    #expect(!admits(nil, .contains, "a"))
  }

  @Test
  func `Values of another class, or of an incompatible unit, satisfy != and no other operator`() {
    #expect(admits("1", .notEqualTo, 1))
    #expect(!admits("1", .lessThanOrEqualTo, 1))
    let metre = HKQuantity(unit: .meter(), doubleValue: 1)
    let gram = HKQuantity(unit: .gram(), doubleValue: 1)
    #expect(admits(metre, .notEqualTo, gram))
    #expect(!admits(metre, .lessThanOrEqualTo, gram))
  }

  @Test func `Numbers, text, dates and quantities have an order`() {
    #expect(admits(2, .greaterThan, 1.5))
    #expect(admits(Int.max, .greaterThan, Int.max - 1))
    #expect(admits(UInt64.max, .greaterThan, Int.max))
    #expect(!admits(Double.nan, .lessThan, 1))
    #expect(admits("b", .greaterThan, "a"))
    #expect(admits(Make.date(1), .lessThan, Make.date(2)))
    let metre = HKQuantity(unit: .meter(), doubleValue: 1)
    let foot = HKQuantity(unit: .foot(), doubleValue: 1)
    #expect(admits(foot, .lessThan, metre))
    #expect(admits(5, .between, [5, 6]))
    #expect(admits(6, .between, [5, 6]))
    #expect(!admits(7, .between, [5, 6]))
    #expect(admits("x", .in, ["x", "y"]))
  }

  @Test func `Text operators take wildcards and regular expressions over the whole text`() {
    #expect(admits("org.example", .beginsWith, "org."))
    #expect(!admits("org.example", .beginsWith, "example"))
    #expect(admits("org.example", .endsWith, "example"))
    #expect(admits("org.example", .contains, "g.e"))
    #expect(!admits(5, .contains, "5"))
    #expect(admits("abcabd", .like, "a*b?"))
    #expect(!admits("abcabd", .like, "a*c"))
    #expect(admits("", .like, "*"))
    #expect(admits("a*b", .like, "a\\*b"))
    #expect(!admits("axb", .like, "a\\*b"))
    #expect(admits("abc", .matches, "a|abc"))
    #expect(!admits("abcd", .matches, "a|abc"))
    #expect(!admits("abc\n", .matches, "abc"))
  }

  @Test func `An operator that does not fit its value traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForObjects(
        withMetadataKey: "k", operatorType: .between, value: [1])
    }
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForObjects(
        withMetadataKey: "k", operatorType: .matches, value: "(")
    }
    await #expect(processExitsWith: .failure) {
      _ = HKQuery.predicateForObjects(withMetadataKey: "k", allowedValues: [Data()])
    }
  }
}
