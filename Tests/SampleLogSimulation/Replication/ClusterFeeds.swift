import SampleLog

/// A page of the feed that a subscriber read, with the epoch of the node it was read from.
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

/// The commits of each epoch, used to validate subscribers' pages like those of a single store.
struct ClusterFeeds {
  private var commits: [UInt32: [HistoryCommit]] = [:]

  /// The properties of feeds that hold regardless of the node a page is read from.
  static let validators: [Validator] = [
    .ordered, .unique, .exact, .reliable, .atomic, .bookmarkable,
  ]

  /// Records a commit before it is made.
  ///
  /// If the commit is lost because the process died, the next commit with the same numbers replaces
  /// it.
  mutating func begin(_ commit: HistoryCommit, in epoch: UInt32) {
    while let last = commits[epoch]?.last, last.last >= commit.first {
      commits[epoch]?.removeLast()
    }
    commits[epoch, default: []].append(commit)
  }

  /// Removes a commit that had no effect.
  mutating func withdraw(_ commit: HistoryCommit, in epoch: UInt32) {
    if commits[epoch]?.last == commit { commits[epoch]?.removeLast() }
  }

  /// Returns the violations in subscribers' pages.
  ///
  /// Each pass over the feed is validated against the history of its last node. That history
  /// includes everything the earlier pages had seen; otherwise their anchors would have been
  /// refused.
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
          // The page did not show commits that have since been lost.
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

  /// Returns the commits of an epoch and its ancestors, as far as they are in its history.
  private func history(of epoch: UInt32, _ model: ClusterModel) -> [HistoryCommit] {
    var result: [HistoryCommit] = []
    var next: UInt32? = epoch
    var limit = UInt64.max
    while let epoch = next, let known = model.epochs[epoch] {
      result += commits[epoch, default: []].filter { $0.last <= limit }.reversed()
      if known.parent != nil {
        // The record that began the epoch.
        result.append(HistoryCommit(first: known.first, last: known.first))
        limit = min(limit, known.first - 1)
      }
      next = known.parent
    }
    return result.reversed()
  }
}
