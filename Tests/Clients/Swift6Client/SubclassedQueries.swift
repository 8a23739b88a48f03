import HealthKit

/// A test double of a query.
///
/// Overrides every property and handler that HealthKit lets a subclass override.
package final class RecordedAnchoredQuery: HKAnchoredObjectQuery, @unchecked Sendable {
  package private(set) var handlersSet = 0

  package override var updateHandler: HKAnchoredObjectQuery.Handler? {
    get { super.updateHandler }
    set {
      handlersSet += 1
      super.updateHandler = newValue
    }
  }

  package override var predicate: NSPredicate? { nil }

  package override var objectType: HKObjectType? { HKQuantityType(.stepCount) }
}

package final class RecordedSampleQuery: HKSampleQuery, @unchecked Sendable {
  package override var limit: Int { 7 }

  package override var sortDescriptors: [NSSortDescriptor]? { [] }
}

package final class RecordedCollectionQuery: HKStatisticsCollectionQuery, @unchecked Sendable {
  package override var anchorDate: Date { .distantPast }

  package override var initialResultsHandler: HKStatisticsCollectionQuery.InitialHandler? {
    get { nil }
    set {}
  }

  package override var statisticsUpdateHandler: HKStatisticsCollectionQuery.UpdateHandler? {
    get { nil }
    set {}
  }
}

package final class RecordedSummaryQuery: HKActivitySummaryQuery, @unchecked Sendable {
  package override var updateHandler: HKActivitySummaryQuery.Handler? {
    get { nil }
    set {}
  }
}
