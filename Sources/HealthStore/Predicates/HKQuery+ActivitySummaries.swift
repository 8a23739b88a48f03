public import Foundation

// Predicates on activity summaries.
extension HKQuery {
  /// Returns a predicate that matches the activity summary of a day.
  ///
  /// Days beyond the end of the month belong to the next month. Traps if the components have no
  /// calendar or lack year, month or day; `NSPredicate.healthPredicate(format:arguments:)` throws
  /// instead.
  public class func predicateForActivitySummary(
    with dateComponents: DateComponents
  ) -> NSPredicate {
    check(dateComponents)
    return comparing(HKPredicateKeyPathDateComponents, .equalTo, dateComponents)
  }

  /// Returns a predicate that matches the activity summaries in a closed range of days.
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
