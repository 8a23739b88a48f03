import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// For every predicate, the planned query must return the same samples as a full scan.
@Suite struct QueriesPlannerTests {
  let store = HKHealthStore.inMemory()

  func fill() async throws -> [HKQuantitySample] {
    let devices = [nil, HKDevice.local()]
    let units = [testBeats, HKUnit(from: "count/s"), HKUnit.hertz()]
    var samples: [HKQuantitySample] = []
    for number in 0..<180 {
      let beats = Double(40 + number % 90)
      let unit = units[number % 3]
      samples.append(
        try HKQuantitySample.validated(
          type: testHeartRate,
          quantity: HKQuantity(
            unit: unit, doubleValue: unit == testBeats ? beats : beats / 60),
          start: testStart.addingTimeInterval(Double(number * 7 % 180)),
          end: testStart.addingTimeInterval(Double(number * 7 % 180 + number % 4)),
          device: devices[number % 2],
          metadata: number % 5 == 0 ? ["k": number, HKMetadataKeyWasUserEntered: true] : nil,
          sourceRevision: revision(["a", "b", "c"][number / 2 % 3], "\(number % 2)")))
    }
    try await store.save(samples)
    return samples
  }

  /// Predicates with and without a plan of their own.
  func predicates(_ samples: [HKQuantitySample]) -> [NSPredicate] {
    func rate(_ relation: HKComparisonOperator, _ value: Double) -> NSPredicate {
      HKQuery.predicateForQuantitySamples(
        with: relation, quantity: HKQuantity(unit: testBeats, doubleValue: value))
    }
    let from = testStart.addingTimeInterval(30)
    let to = testStart.addingTimeInterval(90)
    var all: [NSPredicate] = [
      HKQuery.predicateForSamples(withStart: from, end: to),
      HKQuery.predicateForSamples(withStart: from, end: to, options: .strictStartDate),
      HKQuery.predicateForSamples(withStart: from, end: to, options: .strictEndDate),
      HKQuery.predicateForSamples(withStart: nil, end: from),
      HKQuery.predicateForObjects(from: revision("a").source),
      HKQuery.predicateForObjects(from: [revision("a", "0"), revision("c", "1")]),
      HKQuery.predicateForObjects(from: [HKDevice.local()]),
      HKQuery.predicateForObjects(withDeviceProperty: HKDevicePropertyKeyName, allowedValues: []),
      HKQuery.predicateForObject(with: samples[3].uuid),
      HKQuery.predicateForObjects(with: Set(samples[10..<40].map(\.uuid))),
      HKQuery.predicateForObjects(withMetadataKey: "k"),
      HKQuery.predicateForObjects(withMetadataKey: "k", operatorType: .lessThan, value: 60),
      HKQuery.predicateForObjectsWithNoCorrelation(),
      NSPredicate(format: "%K = %@", "source.name", "B"),
      NSPredicate(format: "metadata.%K != YES", HKMetadataKeyWasUserEntered),
      NSPredicate(format: "startDate != %@", from as any CVarArg),
      NSPredicate { object, _ in (object as? HKQuantitySample)?.device == nil },
      NSPredicate(value: true), NSPredicate(value: false),
    ]
    for relation: HKComparisonOperator in [
      .lessThan, .lessThanOrEqualTo, .equalTo, .notEqualTo, .greaterThanOrEqualTo, .greaterThan,
    ] {
      all.append(rate(relation, 72))
    }
    let simple = all
    for (left, right) in zip(simple, simple.dropFirst(7)) {
      all.append(NSCompoundPredicate(andPredicateWithSubpredicates: [left, right]))
      all.append(NSCompoundPredicate(orPredicateWithSubpredicates: [left, right]))
      all.append(
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          left, NSCompoundPredicate(notPredicateWithSubpredicate: right),
        ]))
    }
    return all
  }

  @Test func `a planned query returns the same samples as a full scan`() async throws {
    let samples = try await fill()
    for sealed in [false, true] {
      if sealed { try await store.compact() }
      for predicate in predicates(samples) {
        let condition = try SampleCondition(predicate)
        let expected = Set(try samples.filter { try condition.matches($0) }.map(\.uuid))
        let found = try await store.read(
          .quantitySample(type: testHeartRate, predicate: predicate))
        #expect(Set(found.map(\.uuid)) == expected, "\(condition)")
        #expect(found.count == expected.count)
        #expect(found.map(\.startDate) == found.map(\.startDate).sorted())
      }
    }
  }

  @Test func `a feed delivers exactly the samples that the predicate admits`() async throws {
    let samples = try await fill()
    for predicate in predicates(samples) {
      let condition = try SampleCondition(predicate)
      let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [
          .sample(type: testHeartRate, predicate: predicate),
          .sample(type: testSteps, predicate: NSPredicate(value: false)),
        ], anchor: nil)
      let found = try await descriptor.result(for: store).addedSamples.map(\.uuid)
      let expected = try samples.filter { try condition.matches($0) }.map(\.uuid)
      #expect(found == expected, "\(condition)")
    }
  }

  @Test func `types with predicates of their own are read together`() async throws {
    _ = try await fill()
    try await store.save(
      HKQuantitySample.validated(
        type: testSteps, quantity: HKQuantity(unit: .count(), doubleValue: 7),
        start: testStart.addingTimeInterval(500), end: testStart.addingTimeInterval(501)))
    let early = HKQuery.predicateForSamples(
      withStart: nil, end: testStart.addingTimeInterval(10), options: .strictStartDate)
    let late = HKQuery.predicateForSamples(withStart: testStart.addingTimeInterval(400), end: nil)
    let found = try await HKSampleQueryDescriptor(
      predicates: [
        .quantitySample(type: testHeartRate, predicate: early),
        .quantitySample(type: testSteps, predicate: late),
      ], sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)]
    ).result(for: store)
    #expect(found.first?.quantityType == testSteps)
    #expect(found.count == 11)
  }

  @Test(arguments: [
    ("degC", "degF", 98.6), ("degF", "degC", 37.0), ("degF", "degC", 0.0), ("kg", "lb", 154.3),
    ("count/s", "count/min", 72.0), ("Pa", "dBASPL", 80.0), ("dBASPL", "Pa", 0.2),
    ("m", "ft", -3.0),
  ])
  func `bounds in another unit agree exactly with the conversion`(
    from: String, to: String, number: Double
  ) throws {
    let conversion = try #require(HKUnit(from: from).conversion(to: HKUnit(from: to)))
    for relation in Relation.allCases where relation != .notEqual {
      let bounds = try #require(Bounds(relation, number, after: conversion))
      var probes = [-1e300, -1.0, 0, 1e-9, 1, 1e300]
      for edge in [bounds.lower, bounds.upper] where edge.isFinite {
        probes += [edge, edge.nextUp, edge.nextDown, edge.nextDown.nextDown, edge * 1.001]
      }
      for probe in probes {
        #expect(
          bounds.contains(probe) == relation.holds(conversion(probe), number),
          "\(probe) \(from) \(relation.rawValue) \(number) \(to)")
      }
    }
  }

  @Test func `bounds from a comparison with NaN are empty`() throws {
    for relation in Relation.allCases {
      #expect(try #require(Bounds(relation, .nan)).isEmpty)
    }
  }

  @Test func `the bounds of alternatives contain both`() {
    let early = SampleCondition.startDate(.less, Date(timeIntervalSinceReferenceDate: 10))
    let late = SampleCondition.startDate(.greater, Date(timeIntervalSinceReferenceDate: 20))
    let one = SampleCondition.startDate(.equal, Date(timeIntervalSinceReferenceDate: 5))
    #expect(DateBounds(.any([early, late])).start.isAll)
    #expect(DateBounds(.any([early, one])).start == .below(10))
    #expect(DateBounds(.all([early, one])).start == Bounds(lower: 5, upper: 5))
    #expect(DateBounds(.not(one)).start.isAll)
  }
}
