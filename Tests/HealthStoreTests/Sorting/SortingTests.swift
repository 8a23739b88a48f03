import Foundation
import Testing

@testable import HealthStore

@Suite struct SortingTests {
  /// Returns the fields and directions, or nil if a term is a comparison.
  private func fields(_ order: SampleOrder) -> [String]? {
    var fields: [String] = []
    for term in order.terms {
      guard case .field(let field, let isAscending) = term else { return nil }
      fields.append("\(field) \(isAscending ? "up" : "down")")
    }
    return fields
  }

  @Test
  func `Sort descriptors made from a key are recognised, in HealthKit's spelling and plain`()
    throws
  {
    for (key, field) in [
      (HKSampleSortIdentifierStartDate, "startDate"), ("startDate", "startDate"),
      (HKSampleSortIdentifierEndDate, "endDate"), ("endDate", "endDate"),
      (HKPredicateKeyPathQuantity, "quantity"), (HKPredicateKeyPathCategoryValue, "categoryValue"),
      (HKPredicateKeyPathUUID, "uuid"),
    ] {
      let order = try SampleOrder([NSSortDescriptor(key: key, ascending: false)])
      #expect(fields(order) == ["\(field) down"])
    }
    let two = try SampleOrder([
      NSSortDescriptor(key: "endDate", ascending: true),
      NSSortDescriptor(key: "startDate", ascending: false),
    ])
    #expect(fields(two) == ["endDate up", "startDate down"])
    #expect(try SampleOrder(nil).terms.isEmpty)
    #expect(try SampleOrder([NSSortDescriptor]()).terms.isEmpty)
  }

  @Test func `An unknown key is an error that names it`() {
    #expect(throws: HKSortKeyError(key: "colour")) {
      try SampleOrder([NSSortDescriptor(key: "colour", ascending: true)])
    }
    #expect(throws: HKSortKeyError(key: "")) {
      try SampleOrder([NSSortDescriptor(key: nil, ascending: true)])
    }
  }

  @Test func `Foundation's descriptors by key path are recognised, whichever class is the root`()
    throws
  {
    let order = try SampleOrder([
      NSSortDescriptor(keyPath: \HKSample.startDate, ascending: true),
      NSSortDescriptor(keyPath: \HKQuantitySample.endDate, ascending: false),
      NSSortDescriptor(keyPath: \HKCategorySample.value, ascending: true),
    ])
    #expect(fields(order) == ["startDate up", "endDate down", "categoryValue up"])
  }

  @Test func `Swift's descriptors are recognised on the property, whichever class is the root`() {
    func recognised<Sample: HKSample>(_: Sample.Type) -> [String]? {
      fields(
        SampleOrder([
          SortDescriptor<Sample>(\.startDate, order: .reverse),
          SortDescriptor<Sample>(\.endDate),
        ]))
    }
    let expected = ["startDate down", "endDate up"]
    // Generic code creates a key path object for each evaluation of a literal.
    for _ in 0..<20 { #expect(recognised(HKSample.self) == expected) }
    #expect(recognised(HKQuantitySample.self) == expected)
    #expect(recognised(HKDiscreteQuantitySample.self) == expected)
    #expect(recognised(HKCategorySample.self) == expected)
    #expect(recognised(HKCorrelation.self) == expected)
    #expect(recognised(OwnSample.self) == expected)
    #expect(
      fields(SampleOrder([SortDescriptor(\HKQuantitySample.startDate, order: .reverse)]))
        == ["startDate down"])
    #expect(
      fields(SampleOrder([SortDescriptor(\HKCategorySample.value)])) == ["categoryValue up"])
    #expect(
      fields(SampleOrder([SortDescriptor(\OwnSample.endDate)])) == ["endDate up"])
  }

  @Test func `Any other key path compares in its own direction`() throws {
    let slow = Make.heartRate(50)
    let fast = Make.heartRate(90)
    let swift = SampleOrder([SortDescriptor(\HKQuantitySample.beats, order: .reverse)])
    #expect(fields(swift) == nil)
    #expect(swift.compare(slow, fast) == .orderedDescending)
    let foundation = try SampleOrder([
      NSSortDescriptor(keyPath: \HKQuantitySample.beats, ascending: true)
    ])
    #expect(fields(foundation) == nil)
    #expect(foundation.compare(slow, fast) == .orderedAscending)
  }

  @Test func `Samples compare by the first term that distinguishes them`() {
    let early = Make.heartRate(50, from: 1, to: 5)
    let late = Make.heartRate(40, from: 2, to: 5)
    let order = SampleOrder([
      .field(.endDate, ascending: true), .field(.startDate, ascending: false),
    ])
    #expect(order.compare(early, late) == .orderedDescending)
    #expect(order.compare(late, early) == .orderedAscending)
    #expect(order.compare(early, early) == .orderedSame)
    #expect(SampleOrder().compare(early, late) == .orderedSame)
    let quantity = SampleOrder([.field(.quantity, ascending: true)])
    #expect(quantity.compare(early, late) == .orderedDescending)
    #expect(quantity.compare(Make.sleep(), late) == .orderedAscending)
    let value = SampleOrder([.field(.categoryValue, ascending: false)])
    #expect(value.compare(Make.sleep(.awake), Make.sleep(.asleepREM)) == .orderedDescending)
  }

  @Test func `A descriptor made from a key sorts in memory and reverses`() throws {
    let samples = [3.0, 1, 2].map { Make.heartRate(from: $0) }
    let descriptor = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)
    let sorted = NSArray(array: samples).sortedArray(using: [descriptor])
    #expect(
      sorted.compactMap { ($0 as? HKSample)?.startDate } == [1, 2, 3].map(Make.date))
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(fields(try SampleOrder([reversed])) == ["startDate down"])
    #expect(descriptor == NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true))
    #expect(descriptor != NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: true))
    #expect(descriptor.copy() as? NSSortDescriptor === descriptor)
  }
}

private class OwnSample: HKQuantitySample, @unchecked Sendable {}

extension HKQuantitySample {
  fileprivate var beats: Double { quantity.doubleValue(for: Make.bpm) }
}
