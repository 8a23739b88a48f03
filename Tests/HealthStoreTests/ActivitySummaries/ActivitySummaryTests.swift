import Foundation
import Testing

@testable import HealthStore

@Suite struct ActivitySummaryTests {
  private let gregorian = Calendar(identifier: .gregorian)

  private func components(
    _ year: Int, _ month: Int, _ day: Int, _ calendar: Calendar? = nil
  ) -> DateComponents {
    DateComponents(calendar: calendar ?? gregorian, year: year, month: month, day: day)
  }

  private func summary(_ year: Int, _ month: Int, _ day: Int) throws -> HKActivitySummary {
    let day = try #require(CalendarDay(components(year, month, day)))
    return HKActivitySummary(ActivitySummaryValues(day: day))
  }

  @Test func `a predicate admits only the summary of its day`() throws {
    let predicate = HKQuery.predicateForActivitySummary(with: components(2026, 3, 29))
    #expect(predicate.evaluate(with: try summary(2026, 3, 29)))
    #expect(!predicate.evaluate(with: try summary(2026, 3, 28)))
    #expect(!predicate.evaluate(with: try summary(2026, 3, 30)))
    #expect(!predicate.evaluate(with: HKActivitySummary()))
    #expect(!predicate.evaluate(with: Make.heartRate()))
  }

  @Test func `a predicate for days between two admits both of them`() throws {
    let predicate = HKQuery.predicate(
      forActivitySummariesBetweenStart: components(2026, 2, 27), end: components(2026, 3, 1))
    let admitted = try [(2, 26), (2, 27), (2, 28), (3, 1), (3, 2)].filter {
      predicate.evaluate(with: try summary(2026, $0.0, $0.1))
    }
    #expect(admitted.map(\.1) == [27, 28, 1])
  }

  @Test func `the factories make the same predicates as a format`() throws {
    let (first, last) = (components(2026, 2, 27), components(2026, 3, 1))
    let one = NSPredicate(format: "%K = %@", HKPredicateKeyPathDateComponents, first)
    #expect(one == HKQuery.predicateForActivitySummary(with: first))
    let bridged = NSPredicate(
      format: "%K = %@", HKPredicateKeyPathDateComponents, first as NSDateComponents)
    #expect(bridged == one)
    let several = NSPredicate(
      format: "%K >= %@ AND %K <= %@", HKPredicateKeyPathDateComponents, first,
      HKPredicateKeyPathDateComponents, last)
    #expect(several == HKQuery.predicate(forActivitySummariesBetweenStart: first, end: last))
  }

  @Test func `a day is the same in every calendar and time zone`() throws {
    let buddhist = Calendar(identifier: .buddhist)
    let day = try #require(CalendarDay(components(2026, 11, 23)))
    #expect(CalendarDay(components(2569, 11, 23, buddhist)) == day)
    var kiribati = gregorian
    kiribati.timeZone = try #require(TimeZone(secondsFromGMT: 14 * 3600))
    #expect(CalendarDay(components(2026, 11, 23, kiribati)) == day)
    #expect(day.components(in: buddhist).year == 2569)
    #expect(day.components(in: kiribati).day == 23)
    #expect(day.description == "2026-11-23")
  }

  @Test func `a summary's components have era, year, month and day of the calendar`() throws {
    let found = try summary(2026, 11, 3).dateComponents(for: gregorian)
    #expect(found == DateComponents(calendar: gregorian, era: 1, year: 2026, month: 11, day: 3))
    #expect(HKActivitySummary().dateComponents(for: gregorian).day == nil)
  }

  @Test(arguments: [
    DateComponents(year: 2026, month: 11, day: 23),
    DateComponents(calendar: Calendar(identifier: .gregorian), year: 2026, month: 11),
  ])
  func `components without a calendar or a part of the date identify no day`(
    _ components: DateComponents
  ) {
    #expect(CalendarDay(components) == nil)
    #expect(throws: HKPredicateFormatError.self) {
      try NSPredicate.healthPredicate(format: "dateComponents == %@", arguments: [components])
    }
  }

  @Test func `a predicate's day beyond the end of its month is in the next month`() throws {
    let beyond = components(2026, 2, 30)
    #expect(CalendarDay(beyond) == nil)
    let predicate = HKQuery.predicateForActivitySummary(with: beyond)
    #expect(predicate == HKQuery.predicateForActivitySummary(with: components(2026, 3, 2)))
    #expect(predicate.evaluate(with: try summary(2026, 3, 2)))
  }

  @Test func `components without a calendar trap with a message`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuery.predicateForActivitySummary(with: DateComponents(year: 2026, month: 1, day: 1))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!TrapMessages.arePrinted || text.contains("need a calendar"))
  }

  @Test func `values are zero and goals nil until they are set`() {
    let summary = HKActivitySummary()
    #expect(summary.activeEnergyBurned == HKQuantity(unit: .kilocalorie(), doubleValue: 0))
    #expect(summary.appleStandHours == HKQuantity(unit: .count(), doubleValue: 0))
    #expect(summary.exerciseTimeGoal == nil)
    #expect(summary.appleExerciseTimeGoal == HKQuantity(unit: .minute(), doubleValue: 0))
    #expect(summary.standHoursGoal == nil)
    #expect(summary.activityMoveMode == .activeEnergy)
    #expect(!summary.isPaused)
    summary.appleStandHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
    #expect(summary.standHoursGoal == HKQuantity(unit: .count(), doubleValue: 12))
  }

  @Test func `a sum that is not finite is left out of the fields`() throws {
    let summary = try summary(2026, 11, 23)
    summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: .infinity)
    summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: 9)
    let fields = summary.fields.filter { $0.quantity != nil }
    #expect(fields.map(\.name) == ["appleStandHours"])
  }

  @Test func `copies and archives have the same values and are independent`() throws {
    let original = try summary(2026, 11, 23)
    original.activeEnergyBurned = HKQuantity(unit: .joule(), doubleValue: 1e6)
    original.exerciseTimeGoal = HKQuantity(unit: .hour(), doubleValue: 0.5)
    original.activityMoveMode = .appleMoveTime
    original.isPaused = true
    let copy = try #require(original.copy() as? HKActivitySummary)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: original, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKActivitySummary.self, from: data)
    #expect(copy == original)
    #expect(read == original)
    original.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 3)
    #expect(copy != original)
    #expect(read?.activeEnergyBurned == copy.activeEnergyBurned)
    #expect(read?.isPaused == true)
  }
}
