import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

@Suite struct DemoDataTests {
  @Test func `The generated month is the same in every run except for its identifiers`() {
    var first = MonthOfData()
    var second = MonthOfData()
    func lines(_ samples: [HKSample]) -> [String] {
      samples.map { sample in
        let value = (sample as? HKQuantitySample)?.quantity.description ?? ""
        let category = (sample as? HKCategorySample)?.value ?? -1
        return "\(sample.sampleType.identifier) \(sample.startDate) \(sample.endDate) \(value) "
          + "\(category) \(sample.sourceRevision.source.name)"
      }
    }
    let samples = first.samples()
    #expect((45_000...65_000).contains(samples.count))
    #expect(lines(samples) == lines(second.samples()))
    #expect(Set(samples.map(\.uuid)).count == samples.count)
  }

  @Test func `Generated heart rates and nights are plausible`() throws {
    var month = MonthOfData()
    let samples = month.samples()
    let rates = samples.filter { $0.sampleType == HKQuantityType(.heartRate) }
      .compactMap {
        ($0 as? HKQuantitySample)?.quantity.doubleValue(for: HKUnit(from: "count/min"))
      }
    #expect(try #require(rates.min()) >= 40)
    #expect(try #require(rates.max()) <= 185)
    let sleep = samples.filter { $0.sampleType == HKCategoryType(.sleepAnalysis) }
    let nights = sleep.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) } / 3600
    #expect((6.5...10).contains(nights / Double(MonthOfData.days)))
    for (stage, next) in zip(sleep, sleep.dropFirst()) {
      #expect(stage.endDate <= next.startDate || stage.startDate > next.startDate)
    }
    let steps = samples.filter { $0.sampleType == HKQuantityType(.stepCount) }
      .compactMap { ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .count()) }
    #expect((6_000...18_000).contains(steps.reduce(0, +) / Double(MonthOfData.days)))
  }
}
