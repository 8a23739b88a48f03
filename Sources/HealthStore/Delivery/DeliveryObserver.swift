import SampleLog

/// An observer query that runs, as background delivery knows it.
final class DeliveryObserver: Sendable {
  /// Tells observers apart, the earlier ones first.
  let number: Int
  /// What it observes of each series.
  private let plan: QueryPlan
  /// Works out what belongs to workouts; nil where nobody asks that.
  private let reader: StoreReader?
  // The center keeps its observers.
  private weak let center: DeliveryCenter?
  private let call: @Sendable (Set<SeriesKey>, [DeliveryTicket]) -> Void

  /// - Parameters:
  ///   - center: What delivers.
  ///   - plan: What it observes.
  ///   - reader: What the plan was made by.
  ///   - call: Has the query call its handler soon, for changes of some series and with what is to
  ///     be acknowledged. It must not keep the query.
  init(
    _ center: DeliveryCenter, _ plan: QueryPlan, _ reader: StoreReader,
    call: @escaping @Sendable (Set<SeriesKey>, [DeliveryTicket]) -> Void
  ) {
    self.center = center
    number = center.nextNumber()
    self.plan = plan
    self.reader = plan.membership == nil ? nil : reader
    self.call = call
  }

  var series: [SeriesKey] { plan.selection.series ?? [] }

  /// Has the query called for changes of a series.
  func deliver(_ key: SeriesKey, _ tickets: [DeliveryTicket]) { call([key], tickets) }

  func join(end: UInt64) throws -> [DeliveryTicket] { try center?.join(self, end: end) ?? [] }

  func report(
    _ changed: Set<SeriesKey>, after begin: UInt64, through end: UInt64
  ) -> (series: Set<SeriesKey>, tickets: [DeliveryTicket])? {
    center?.report(self, changed: changed, after: begin, through: end)
  }

  func leave() { center?.leave(self) }

  func acknowledge(_ tickets: [DeliveryTicket]) { center?.complete(tickets) }

  /// Whether a change of a series after a sequence number matches.
  ///
  /// What cannot be read, or may have been forgotten, counts as a match: the observer is called,
  /// reads, and gets the error.
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

/// What an observer has to acknowledge: its call in a round.
struct DeliveryTicket: Sendable {
  let key: SeriesKey
  let observer: Int
  let round: Int
}
