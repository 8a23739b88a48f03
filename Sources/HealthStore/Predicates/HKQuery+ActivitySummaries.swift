public import Foundation

extension HKQuery {
  /// Admits the activity summary of a day.
  ///
  /// A day beyond the end of its month is one of the next, as calendars have it. Traps when the
  /// components have no calendar or lack year, month or day;
  /// `NSPredicate.healthPredicate(format:arguments:)` throws.
  public class func predicateForActivitySummary(
    with dateComponents: DateComponents
  ) -> NSPredicate {
    check(dateComponents)
    return comparing(HKPredicateKeyPathDateComponents, .equalTo, dateComponents)
  }

  /// Admits the activity summaries from one day to another, both included.
  ///
  /// The rules are those of ``predicateForActivitySummary(with:)``.
  public class func predicate(
    forActivitySummariesBetweenStart startDateComponents: DateComponents,
    end endDateComponents: DateComponents
  ) -> NSPredicate {
    check(startDateComponents)
    check(endDateComponents)
    return comparing(
      HKPredicateKeyPathDateComponents, .between, [startDateComponents, endDateComponents])
  }

  private class func check(_ components: DateComponents) {
    trapUnless(
      CalendarDay(constant: components) != nil,
      "The date components of an activity summary need a calendar, and a year, month and day.")
  }
}
