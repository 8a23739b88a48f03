public import Foundation
import SampleLog

/// Reads the samples that rate the effort of workouts, until the query is stopped.
///
/// The handler is first called with the relationships that changed since the anchor, or with all
/// that have samples if there is no anchor. Later calls report changed relationships. A
/// relationship whose last sample was deleted is reported with nil samples; one whose workout was
/// deleted is not reported.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
  private let anchor: HKQueryAnchor?
  private let options: HKWorkoutEffortRelationshipQueryOptions
  private let resultsHandler:
    @Sendable (
      HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
      (any Error)?
    ) -> Void

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - predicate: The condition on workouts, or nil to match all. A relationship contains all of
  ///     its samples.
  ///   - anchor: The position to start from, or nil to read all relationships.
  ///   - options: The samples to return.
  ///   - resultsHandler: The handler; receives relationships and the new anchor, or nil twice and
  ///     an error, which ends the query.
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
