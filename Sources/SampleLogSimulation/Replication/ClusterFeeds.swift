import SampleLog

/// A page of the feed that a subscriber read, and the epoch of the machine it was read on.
struct ClusterPage {
  var epoch: UInt32
  var delivery: Delivery

  init(_ page: ChangePage, after anchor: Anchor, _ limit: Int, of database: Database) {
    let symbols = database.symbols
    epoch = database.epoch
    delivery = Delivery(
      subscriber: 0, limit: limit, from: anchor.sequence, anchor: page.anchor.sequence,
      hasMore: page.hasMore,
      changes: page.changes.map { change in
        let row = change.row
        return DeliveredChange(
          isDeletion: change.kind == .deletion,
          sample: HistorySample(
            sequence: row.sequence, series: Self.series(row.key, symbols), id: row.id,
            value: row.value))
      }, end: page.snapshot.end, floor: page.snapshot.floor)
    for erasure in page.erasures {
      let subject = SimulatedCluster.subjects.firstIndex(of: symbols.text(erasure.subject))
      delivery.erasures[erasure.sequence] = subject.map(Self.series(of:)) ?? []
    }
  }

  static func series(_ subject: Int, _ type: Int) -> Int {
    subject * SimulatedCluster.types.count + type
  }

  static func series(of subject: Int) -> Set<Int> {
    Set(SimulatedCluster.types.indices.map { series(subject, $0) })
  }

  private static func series(_ key: SeriesKey, _ symbols: SymbolTable) -> Int {
    let subject = SimulatedCluster.subjects.firstIndex(of: symbols.text(key.subject))
    let type = SimulatedCluster.types.firstIndex(of: symbols.text(key.type))
    return subject.flatMap { subject in type.map { series(subject, $0) } } ?? -1
  }
}

/// What was committed in each epoch, against which subscribers' pages are checked as those of one
/// store are.
struct ClusterFeeds {
  private var commits: [UInt32: [HistoryCommit]] = [:]

  /// The properties of feeds that hold whatever machine a page is read on.
  static let validators: [Validator] = [
    .ordered, .unique, .exact, .reliable, .atomic, .bookmarkable,
  ]

  /// Takes note of a commit before it is made.
  ///
  /// One that came to nothing, because the process died, is replaced by the next that takes its
  /// numbers.
  mutating func begin(_ commit: HistoryCommit, in epoch: UInt32) {
    while let last = commits[epoch]?.last, last.last >= commit.first {
      commits[epoch]?.removeLast()
    }
    commits[epoch, default: []].append(commit)
  }

  /// Forgets a commit that had nothing to do.
  mutating func withdraw(_ commit: HistoryCommit, in epoch: UInt32) {
    if commits[epoch]?.last == commit { commits[epoch]?.removeLast() }
  }

  /// What the pages of subscribers break.
  ///
  /// Each pass from the beginning is checked against the history of the machine that it ended on,
  /// which has what the pages before had seen, or their anchors would have been refused.
  func breaches(_ subscribers: [ClusterSubscriber], _ model: ClusterModel) -> [String] {
    var histories: [UInt32: [History.Event]] = [:]
    var found: [String] = []
    for (number, subscriber) in subscribers.enumerated() {
      for pass in subscriber.passes {
        guard let epoch = pass.last?.epoch else { continue }
        let commits = histories[epoch] ?? history(of: epoch, model).map { .committed($0) }
        histories[epoch] = commits
        var events = commits
        events.append(.started(subscriber: 0, subscriber.filter, sequence: 0))
        for page in pass {
          var delivery = page.delivery
          // Of what was lost since the page has shown nothing.
          guard let limit = model.limit(of: page.epoch, in: epoch) else { continue }
          delivery.end = min(delivery.end, limit)
          events.append(.delivered(delivery))
        }
        for validator in Self.validators {
          found += validator.breaches(History(events)).prefix(3).map {
            "subscriber \(number), \(validator.name): \($0)"
          }
        }
      }
    }
    return found
  }

  /// The commits of an epoch and of those before it, as far as they are in its history.
  private func history(of epoch: UInt32, _ model: ClusterModel) -> [HistoryCommit] {
    var result: [HistoryCommit] = []
    var next: UInt32? = epoch
    var limit = UInt64.max
    while let epoch = next, let known = model.epochs[epoch] {
      result += commits[epoch, default: []].filter { $0.last <= limit }.reversed()
      if known.parent != nil {
        // The record that began it.
        result.append(HistoryCommit(first: known.first, last: known.first))
        limit = min(limit, known.first - 1)
      }
      next = known.parent
    }
    return result.reversed()
  }
}
