import SampleLog

/// A store with writers, readers and subscribers, scheduled on one thread by a seed.
///
/// Steps nest: while the engine writes a file, readers read and the process may die; during a
/// compaction, all other steps are possible. All events are recorded.
///
/// Not safe for concurrent use: the engine calls back on the calling thread.
package final class FeedSimulation: @unchecked Sendable {
  package let plan: FeedPlan
  package internal(set) var history = History()

  var random: Seeded
  var files = MemoryFileSystem()
  var database: Database?
  /// The series, with the symbols of the current opening.
  var keys: [SeriesKey] = []
  var model = HistoryModel()
  /// The parent of each child row.
  var parents: [Identifier: Identifier] = [:]
  var subscribers: [SimulatedSubscriber] = []
  /// The registrations that were passed to the store, by series.
  var registrations: [Int: DeliveryRegistration] = [:]
  var snapshots: [(number: Int, snapshot: Snapshot)] = []
  var snapshotCount = 0
  var opening = 0
  var now: Double
  /// The latest time of the clock since the last compaction began.
  var latest = -Double.infinity
  /// The number of rows committed since the log was created or opened.
  var unsealedCount = 0
  /// The kind of operation in which the current step is nested.
  var nesting = Nesting.none
  /// The files at the time the process died, while operations in progress continue on discarded
  /// files.
  var image: MemoryFileSystem?
  /// The commit in progress, whose outcome is unknown if the process dies.
  var inFlight: InFlight?
  package internal(set) var stepCount = 0

  enum Nesting {
    case none
    /// Within a compaction, which allows concurrent reads and writes.
    case compacting
    /// Within a file operation.
    case writing
  }

  enum InFlight {
    case batch(targets: [UInt64], added: [HistorySample])
    case acknowledging(SimulatedSubscriber, UInt64?)
    case registering(Int, DeliveryRegistration?)
    /// The samples that remain to be expired.
    case expiry(Set<UInt64>)
  }

  package init(_ plan: FeedPlan) {
    self.plan = plan
    random = Seeded(plan.seed)
    now = 1_000_000
  }

  /// Runs all steps of the plan and validates the history.
  ///
  /// - Returns: Descriptions of the violations, or an empty array.
  package func run() -> [String] {
    do {
      try open()
      try recover()
      for number in 0..<plan.subscriberCount { addSubscriber(number) }
      for word in plan.words {
        random = Seeded(word)
        try step()
        try recover()
      }
      random = Seeded(plan.seed &+ 1)
      try settle()
      try database?.checkInvariants()
    } catch {
      record(.broken("\(error)"))
    }
    for subscriber in subscribers { subscriber.observation = nil }
    return Validator.check(history)
  }

  var hasCrashed: Bool { image != nil }

  func record(_ event: History.Event) {
    if !hasCrashed { history.events.append(event) }
  }

  // MARK: Steps

  func step() throws {
    if hasCrashed { return }
    stepCount += 1
    switch random.drawn(below: 100) {
    case 0..<34: try commit()
    case 34..<60: try readFeed()
    case 60..<66: readSnapshot()
    case 66..<69: try acknowledge()
    case 69..<72: try register()
    case 72..<76: probe()
    case 76..<80: try stopOrStart()
    case 80..<85: tick()
    case 85..<90: try seal()
    case 90..<96: if nesting == .none { try compact() }
    case 96..<98: if nesting == .none { try reopen() }
    default: if nesting == .none { die() }
    }
  }

  /// Performs a step that may occur within a file operation of the engine.
  func stepWithinWriting() {
    guard !hasCrashed, nesting != .writing, random.once(in: plan.nestingRarity) else { return }
    let outer = nesting
    nesting = .writing
    defer { nesting = outer }
    stepCount += 1
    do {
      switch random.drawn(below: 20) {
      case 0..<10: try readFeed()
      case 10..<15: readSnapshot()
      case 15..<19: probe()
      default: die()
      }
    } catch {
      record(.broken("within a write: \(error)"))
    }
  }

  /// Lets every subscriber read to the end of the feed.
  private func settle() throws {
    if plan.isMerging {
      try reopen()
      try recover()
    }
    for subscriber in subscribers {
      var pages = 0
      while try read(subscriber), pages < 100_000 { pages += 1 }
    }
    readSnapshot()
    probe()
    askRegistrations()
    try database?.close()
  }
}
