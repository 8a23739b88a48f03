package import Foundation
package import SampleLog

/// The rows of a database that a predicate on samples admits.
package struct PredicateRows {
  private let store: OpenStore
  private let predicate: NSPredicate

  /// Takes a database that stays its owner's to close.
  package init(_ database: Database, _ predicate: NSPredicate) {
    store = OpenStore(database)
    self.predicate = predicate
  }

  /// The filter of a series; nil when none of its rows can match, or its type is none of
  /// HealthKit's.
  ///
  /// Rows that cannot be read are admitted; ``check(_:in:)`` throws for them.
  ///
  /// - Throws: ``HKPredicateFormatError`` when the predicate is nested too deeply, and `StoreError`
  ///   when what it asks of workouts cannot be read.
  package func filter(_ key: SeriesKey, in snapshot: Snapshot) throws -> RowFilter? {
    guard let type = store.reader.type(key.type) else { return nil }
    let reader = StoreReader(store, subject: "", policy: nil).reading(subject: key.subject)
    let plan = try reader.plan([(type, try SampleCondition(predicate))], in: snapshot)
    return plan.types[key].map { _ in plan.selection.filter(for: key) }
  }

  /// A function that throws when a row cannot be read, and so may not match.
  package func check() -> (RowReference, Snapshot) throws -> Void {
    var check = RowCheck(store.reader)
    return { try check.check($0, in: $1) }
  }
}
