import SampleLog

/// A running observer query, as seen by the scheduler.
final class DeliveryObserver: Sendable {
  /// A unique number, ascending in the order of creation.
  let number: Int
  /// The selection of each series that the query observes.
  private let plan: QueryPlan
  /// Evaluates conditions on workout membership; nil if the plan has none.
  private let reader: StoreReader?
  // The scheduler retains its observers.
  private weak let scheduler: DeliveryScheduler?
  private let call: @Sendable (Set<SeriesKey>, [DeliveryToken]) -> Void

  /// - Parameters:
  ///   - scheduler: The scheduler that delivers changes.
  ///   - plan: The observed selection.
  ///   - reader: The reader that created the plan.
  ///   - call: Schedules a call of the query's handler for changed series, with the deliveries to
  ///     acknowledge. It must not retain the query.
  init(
    _ scheduler: DeliveryScheduler, _ plan: QueryPlan, _ reader: StoreReader,
    call: @escaping @Sendable (Set<SeriesKey>, [DeliveryToken]) -> Void
  ) {
    self.scheduler = scheduler
    number = scheduler.nextNumber()
    self.plan = plan
    self.reader = plan.membership == nil ? nil : reader
    self.call = call
  }

  var series: [SeriesKey] { plan.selection.series ?? [] }

  /// Schedules a call of the query's handler for changes of a series.
  func deliver(_ key: SeriesKey, _ tokens: [DeliveryToken]) { call([key], tokens) }

  func join(end: UInt64) throws -> [DeliveryToken] { try scheduler?.join(self, end: end) ?? [] }

  func report(
    _ changed: Set<SeriesKey>, after begin: UInt64, through end: UInt64
  ) -> (series: Set<SeriesKey>, tokens: [DeliveryToken])? {
    scheduler?.report(self, changed: changed, after: begin, through: end)
  }

  func leave() { scheduler?.leave(self) }

  func acknowledge(_ tokens: [DeliveryToken]) { scheduler?.complete(tokens) }

  /// Returns whether a change of a series after a sequence number matches.
  ///
  /// If the changes cannot be read or may have been removed, this returns true: the observer is
  /// called, reads, and gets the error.
  func matches(_ snapshot: Snapshot, _ key: SeriesKey, after sequence: UInt64) -> Bool {
    if sequence < snapshot.floor { return true }
    do {
      if let reader { return try reader.hasChanged(plan, key, after: sequence, in: snapshot) }
      let part = SeriesSelection([key: plan.selection.filter(for: key)])
      let page = try snapshot.changes(after: Anchor(sequence: sequence), of: part, limit: 1)
      return !page.changes.isEmpty
    } catch {
      return true
    }
  }
}

/// An acknowledgement token: identifies an observer's call in a delivery.
struct DeliveryToken: Sendable {
  let key: SeriesKey
  let observer: Int
  let delivery: Int
}
