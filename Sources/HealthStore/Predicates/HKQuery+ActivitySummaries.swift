public import Foundation

extension HKQuery {
  /// Admits the activity summary of a day.
  ///
  /// Traps when the components have no calendar or do not name a day;
  /// `NSPredicate.healthPredicate(format:arguments:)` throws.
  public class func predicateForActivitySummary(
    with dateComponents: DateComponents
  ) -> NSPredicate {
    check(dateComponents)
    return comparing(HKPredicateKeyPathDateComponents, .equalTo, dateComponents)
  }

  /// Admits the activity summaries from one day to another, both included.
  ///
  /// Traps when components have no calendar or do not name a day.
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
      CalendarDay(components) != nil,
      "The date components of an activity summary need a calendar, and a year, month and day that "
        + "are in it.")
  }
}
