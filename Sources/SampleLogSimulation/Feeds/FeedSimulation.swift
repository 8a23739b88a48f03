import SampleLog

/// One store with writers, readers and subscribers, all taking turns on one thread as a seed says.
///
/// Steps nest: while the engine writes a file, readers read and the process may die; while it
/// compacts, everybody else goes on. Everything that happens is recorded.
///
/// Only the thread that runs it touches it: the engine calls back on the calling thread.
package final class FeedSimulation: @unchecked Sendable {
  package let plan: FeedPlan
  package internal(set) var history = History()

  var random: Seeded
  var files = MemoryFileSystem()
  var database: Database?
  /// The series as the opening's symbols name them.
  var keys: [SeriesKey] = []
  var model = HistoryModel()
  /// What each row that is owned belongs to.
  var owners: [Identifier: Identifier] = [:]
  var subscribers: [SimulatedSubscriber] = []
  /// What was registered of each series, as the store was told.
  var registrations: [Int: DeliveryRegistration] = [:]
  var snapshots: [(number: Int, snapshot: Snapshot)] = []
  var snapshotCount = 0
  var opening = 0
  var now: Double
  /// The latest time that the clock has shown since the last compaction began.
  var latest = -Double.infinity
  /// How many rows were committed since the log was begun or opened.
  var unsealedCount = 0
  /// How deep steps are nested, and in what.
  var nesting = Nesting.none
  /// The files as the death of the process left them, while what was under way runs out unseen.
  var image: MemoryFileSystem?
  /// What was on its way to the log when the process died.
  var inFlight: InFlight?
  package internal(set) var stepCount = 0

  enum Nesting {
    case none
    /// Within a compaction, which can be read and written beside.
    case compacting
    /// Within an operation on a file.
    case writing
  }

  enum InFlight {
    case batch(targets: [UInt64], added: [HistorySample])
    case acknowledging(SimulatedSubscriber, UInt64?)
    case registering(Int, DeliveryRegistration?)
    /// What is still to expire.
    case expiry(Set<UInt64>)
  }

  package init(_ plan: FeedPlan) {
    self.plan = plan
    random = Seeded(plan.seed)
    now = 1_000_000
  }

  /// Runs all steps of the plan and checks what happened.
  ///
  /// - Returns: What is wrong; nothing when all is well.
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

  var isDead: Bool { image != nil }

  func record(_ event: History.Event) {
    if !isDead { history.events.append(event) }
  }

  // MARK: Steps

  func step() throws {
    if isDead { return }
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

  /// What may happen while the engine is within an operation on a file.
  func stepWithinWriting() {
    guard !isDead, nesting != .writing, random.once(in: plan.nestingRarity) else { return }
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

  /// Ends with every subscriber having read everything.
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
