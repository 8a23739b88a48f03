import Foundation
import HealthStore
import Testing

/// Uses only the public interface, like a program.
@Suite struct SamplesClientTests {
  private let start = Date(timeIntervalSinceReferenceDate: 0)

  @Test func `A program's subclass inherits every initialiser and keeps its overrides`() {
    let quantity = OwnQuantity(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 5),
      start: start, end: start)
    #expect(type(of: quantity) == OwnQuantity.self)
    #expect(quantity.endDate == .distantFuture)
    #expect(quantity.quantity.doubleValue(for: .count()) == 5)
    let category = OwnCategory(
      type: HKCategoryType(.sleepAnalysis), value: 1, start: start, end: start, metadata: ["a": 1])
    #expect(category.value == 41)
    #expect(category.metadata?["a"] as? Int == 1)
    let correlation = OwnCorrelation(
      type: HKCorrelationType(.food), start: start, end: start, objects: [quantity, category],
      device: .local(), metadata: nil)
    #expect(correlation.objects(for: category.categoryType) == [category])
    #expect(correlation.device == HKDevice.local())
  }

  @Test func `An extension's convenience initialiser can delegate to HealthKit's`() {
    let steps = HKQuantitySample(steps: 7, at: start)
    #expect(steps is HKCumulativeQuantitySample)
    #expect(steps.quantity.doubleValue(for: .count()) == 7)
    #expect(steps.sourceRevision.source == HKSource.default())
  }

  @Test func `A given source revision is kept`() throws {
    let revision = HKSourceRevision(
      source: HKSource(name: "Import", bundleIdentifier: "org.example.import"), version: "3",
      productType: nil,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 1, minorVersion: 2, patchVersion: 3))
    let sample = try HKCategorySample.validated(
      type: HKCategoryType(.mindfulSession), value: 0, start: start, end: start,
      sourceRevision: revision)
    #expect(sample.sourceRevision == revision)
    #expect(sample.source.name == "Import")
  }
}

private class OwnQuantity: HKQuantitySample, @unchecked Sendable {
  override var endDate: Date { .distantFuture }
}

private class OwnCategory: HKCategorySample, @unchecked Sendable {
  override var value: Int { 41 }
}

private class OwnCorrelation: HKCorrelation, @unchecked Sendable {}

extension HKQuantitySample {
  fileprivate convenience init(steps: Double, at date: Date) {
    self.init(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: steps),
      start: date, end: date)
  }
}
