package import Foundation
package import SampleLog

/// The rows of a database that match a predicate on samples.
package struct PredicateRows {
  private let store: OpenStore
  private let predicate: NSPredicate

  /// Wraps a database that the caller remains responsible for closing.
  package init(_ database: Database, _ predicate: NSPredicate) {
    store = OpenStore(database)
    self.predicate = predicate
  }

  /// Returns the row filter of a series, or nil if none of its rows can match or its type is not
  /// one of HealthKit's.
  ///
  /// The filter admits unreadable rows; the function returned by ``check()`` throws for them.
  ///
  /// - Throws: ``HKPredicateFormatError`` if the predicate is nested too deeply, and `StoreError`
  ///   if a condition on workouts cannot be evaluated.
  package func filter(_ key: SeriesKey, in snapshot: Snapshot) throws -> RowFilter? {
    guard let type = store.reader.type(key.type) else { return nil }
    let reader = StoreReader(store, subject: "", policy: nil).reading(subject: key.subject)
    let plan = try reader.plan([(type, try SampleCondition(predicate))], in: snapshot)
    return plan.type(of: key).map { _ in plan.selection.filter(for: key) }
  }

  /// Returns a function that throws if a row cannot be read as a sample.
  package func check() -> (Row, Snapshot) throws -> Void {
    var check = RowCheck(store.reader)
    return { try check.check($0, in: $1) }
  }
}
