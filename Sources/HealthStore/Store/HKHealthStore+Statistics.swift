public import Foundation
internal import SampleLog

extension HKHealthStore {
  /// The calendar that statistics count days and longer in, where a query's interval components
  /// have none.
  ///
  /// Our addition, for servers: set it to the calendar and time zone of the subject. It belongs to
  /// this object and is not stored. It is `Calendar.current` unless set, and queries take it when
  /// they are executed.
  public var calendar: Calendar {
    get { ownCalendar.withLock { $0 } ?? .current }
    set { ownCalendar.withLock { $0 = newValue } }
  }
}
