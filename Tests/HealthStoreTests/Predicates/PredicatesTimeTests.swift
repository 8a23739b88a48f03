import Foundation
import Testing

@testable import HealthStore

@Suite struct PredicatesTimeTests {
  /// A sample, and whether a predicate for the time from 10 to 20 admits it: without options, with
  /// a strict start, with a strict end, with both.
  static let table: [(from: Double, to: Double, admitted: [Bool])] = [
    (0, 9, [false, false, false, false]),  // before
    (0, 10, [true, false, true, false]),  // ends exactly at the start
    (0, 15, [true, false, true, false]),  // overlaps the start
    (0, 20, [true, false, false, false]),  // overlaps the whole range up to the end
    (0, 30, [true, false, false, false]),  // contains the range
    (10, 10, [true, true, true, true]),  // an instant at the start
    (10, 15, [true, true, true, true]),
    (12, 15, [true, true, true, true]),  // inside
    (12, 20, [true, true, false, false]),  // ends exactly at the end
    (12, 30, [true, true, false, false]),  // overlaps the end
    (20, 20, [false, false, false, false]),  // an instant at the end
    (20, 30, [false, false, false, false]),  // starts exactly at the end
    (25, 30, [false, false, false, false]),  // after
  ]
  static let options: [HKQueryOptions] = [
    [], .strictStartDate, .strictEndDate, [.strictStartDate, .strictEndDate],
  ]

  @Test(arguments: table)
  func `A sample at every position is admitted by HealthKit's rules`(
    from: Double, to: Double, admitted: [Bool]
  ) {
    let sample = Make.heartRate(from: from, to: to)
    for (options, expected) in zip(Self.options, admitted) {
      let predicate = HKQuery.predicateForSamples(
        withStart: Make.date(10), end: Make.date(20), options: options)
      #expect(predicate.evaluate(with: sample) == expected, "\(from) \(to) \(options.rawValue)")
    }
  }

  @Test func `Without options overlapping samples match, in the form with two arguments as well`() {
    #expect(
      HKQuery.predicateForSamples(withStart: Make.date(10), end: Make.date(20))
        == HKQuery.predicateForSamples(withStart: Make.date(10), end: Make.date(20), options: []))
  }

  @Test func `A missing bound is open, and without bounds everything matches`() throws {
    let early = Make.heartRate(from: -1e9)
    let late = Make.heartRate(from: 1e9)
    for options in Self.options {
      let from = HKQuery.predicateForSamples(
        withStart: Make.date(0), end: nil, options: options)
      #expect(!from.evaluate(with: early))
      #expect(from.evaluate(with: late))
      let until = HKQuery.predicateForSamples(
        withStart: nil, end: Make.date(0), options: options)
      #expect(until.evaluate(with: early))
      #expect(!until.evaluate(with: late))
      let all = HKQuery.predicateForSamples(withStart: nil, end: nil, options: options)
      #expect(all.evaluate(with: early) && all.evaluate(with: late))
      #expect(try SampleCondition(all) == .always)
    }
    let whole = HKQuery.predicateForSamples(withStart: .distantPast, end: .distantFuture)
    #expect(whole.evaluate(with: early) && whole.evaluate(with: late))
  }

  @Test func `The condition has exactly the two bounds that a planner needs`() throws {
    let (start, end) = (Make.date(1), Make.date(2))
    func tree(_ options: HKQueryOptions) throws -> SampleCondition {
      try SampleCondition(HKQuery.predicateForSamples(withStart: start, end: end, options: options))
    }
    #expect(try tree([]) == .all([.endDate(.greaterOrEqual, start), .startDate(.less, end)]))
    #expect(
      try tree(.strictStartDate)
        == .all([.startDate(.greaterOrEqual, start), .startDate(.less, end)]))
    #expect(
      try tree(.strictEndDate) == .all([.endDate(.greaterOrEqual, start), .endDate(.less, end)]))
    #expect(
      try tree([.strictStartDate, .strictEndDate])
        == .all([.startDate(.greaterOrEqual, start), .endDate(.less, end)]))
  }
}
