public import Foundation
import SampleLog

/// Which samples of a relationship a query returns.
public enum HKWorkoutEffortRelationshipQueryOptions: Int, Sendable {
  /// All of them.
  case `default` = 0
  /// One: the latest that somebody rated, or else the latest estimate.
  case mostRelevant = 1
}

/// Reads which samples rate the effort of workouts, and runs on until it is stopped.
///
/// The handler is called once with the relationships that have changed since the anchor, all that
/// have samples without one, and then with those that change. A relationship whose last sample went
/// is reported without samples, one whose workout went is not.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
  private let anchor: HKQueryAnchor?
  private let options: HKWorkoutEffortRelationshipQueryOptions
  private let resultsHandler:
    @Sendable (
      HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
      (any Error)?
    ) -> Void

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - predicate: The condition on the workouts, or nil to admit all. A relationship has all of
  ///     its samples.
  ///   - anchor: Where to begin; `nil` for all there are.
  ///   - options: Which samples to return.
  ///   - resultsHandler: Gets relationships and where to go on, or `nil` twice and an error, after
  ///     which the query has ended.
  @preconcurrency
  public init(
    predicate: NSPredicate?, anchor: HKQueryAnchor?,
    options: HKWorkoutEffortRelationshipQueryOptions,
    resultsHandler:
      @escaping @Sendable (
        HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
        (any Error)?
      ) -> Void
  ) {
    self.anchor = anchor
    self.options = options
    self.resultsHandler = resultsHandler
    super.init(objectType: nil, predicate: predicate)
  }

  override func run(_ reader: StoreReader) throws {
    let last = Locked(anchor)
    let feed = try ChangeFeed(
      reader.store.database, after: nil, of: SeriesSelection(reader.effortSeries)
    ) { [weak self] in
      guard let self else { return }
      execution.perform { self.read(reader, last, isFirst: false) }
    }
    execution.listen(to: feed)
    read(reader, last, isFirst: true)
  }

  private func read(_ reader: StoreReader, _ last: Locked<HKQueryAnchor?>, isFirst: Bool) {
    do {
      var isFirst = isFirst
      while try execution.feed?.nextChangedSeries() != nil || isFirst {
        let found = try reader.effortRelationships(predicate, after: last.withLock { $0 }, options)
        last.withLock { $0 = found.anchor }
        if isFirst || !found.relationships.isEmpty {
          execution.deliver { resultsHandler(self, found.relationships, found.anchor, nil) }
        }
        isFirst = false
      }
    } catch {
      execution.fail(self, error)
    }
  }

  override func fail(_ error: any Error) { resultsHandler(self, nil, nil, error) }
}
