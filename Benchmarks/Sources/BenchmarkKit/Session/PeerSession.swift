import Foundation

/// One peer's run through the scenarios, with its store.
package final class PeerSession {
  let kind: PeerKind
  let plan: Plan
  /// The directory of the peer's files.
  let directory: String
  private var openPeer: (any BenchmarkPeer)?
  private(set) var state: State
  /// The peak memory of the work, if verifying it took more.
  var peakBytes: Int?

  /// The state of a session's files, which another process needs to continue.
  struct State: Codable {
    var preparation = Scenario.Preparation.nothing
    /// The sequence number of the next commit.
    var nextSequence: UInt64 = 1
    /// The number of samples saved after the load.
    var extraSamples = 0
  }

  /// The settings of all scenarios of a run.
  package struct Plan: Sendable {
    package var samples = 1_000_000
    package var repetitions = 3
    package var loadOrder = LoadOrder()
    /// The numbers of other people's observers during the measured saves.
    package var observers = [10_000, 100_000]
    /// Of how many people calls are measured, and from how many tasks at once.
    package var subjectCounts = [1, 1_000, 10_000]
    package var tasks = [1, 8, 64]
    package var directory = ".build/benchmark-data"
    /// The memory limit of our store, in bytes.
    package var memoryLimit: Int?

    package init() {}
  }

  init(_ kind: PeerKind, plan: Plan, state: State = State()) {
    self.kind = kind
    self.plan = plan
    self.state = state
    // A unique name, because existing content is removed.
    directory = "\(plan.directory)/healthstore-benchmark-\(kind.name)"
  }

  var sampleCount: Int { plan.samples }

  /// Brings the store into the initial state of the scenario, then measures.
  func run(_ scenario: Scenario) throws -> [Measurement] {
    try prepare(for: scenario)
    return switch scenario {
    case .durable1: try durable(batch: 1, total: 1_500)
    case .savers: try savers()
    case .durable100: try durable(batch: 100, total: 60_000)
    case .durable1000: try durable(batch: 1_000, total: 400_000)
    case .durable10000: try durable(batch: 10_000, total: 1_000_000)
    case .subscriber: try subscriber()
    case .observers: try ObserverLoad(plan).measure() + DeliveryLoad(plan).measure()
    case .routes: try RouteLoad(plan).measure()
    case .workouts: try WorkoutLoad(plan).measure()
    case .calls: try CallLoad(plan).measure()
    case .bulk: try bulk()
    case .bulkObjects: try ObjectLoad(self).measure()
    case .size: [try size(title: "size", live: sampleCount)]
    case .day: try day()
    case .scan: [try scan()]
    case .scanObjects: [try scanObjects()]
    case .newest: [try newest()]
    case .above: try above()
    case .uuid: try lookUp()
    case .daily: [try daily()]
    case .statistics: try statistics()
    case .delete: [try delete()]
    case .catchUp: [try catchUp()]
    case .catchUpOfType: [try catchUpOfType()]
    case .poll: [try poll()]
    case .compactedSize: [try compactedSize()]
    case .compacted: try compacted()
    case .ownSize: [try ObjectLoad(self).size()]
    case .open: try reopen()
    case .durableFull: [try durableFull()]
    case .openKilled: try reopenAfterKill()
    }
  }

  /// Closes the store and removes its files.
  func finish() throws {
    try closePeer()
    try? FileManager.default.removeItem(atPath: directory)
    state = State()
  }

  /// The open store.
  func peer() throws -> any BenchmarkPeer {
    if let openPeer { return openPeer }
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let peer = try kind.open(directory, plan)
    openPeer = peer
    return peer
  }

  /// An open store without samples.
  func freshPeer() throws -> any BenchmarkPeer {
    try finish()
    return try peer()
  }

  func closePeer() throws {
    try openPeer?.close()
    openPeer = nil
  }

  /// Records the state of the store.
  func reached(_ preparation: Scenario.Preparation, next: UInt64) {
    state.preparation = preparation
    state.nextSequence = next
  }

  func note(extraSamples count: Int) {
    state.extraSamples += count
    state.nextSequence += UInt64(count)
  }

  /// The scenarios that must run before a scenario.
  func steps(before scenario: Scenario) -> [Scenario] {
    switch (scenario.preparation, state.preparation) {
    case (.nothing, _), (.loaded, .loaded), (.loaded, .thinned), (.thinned, .thinned): []
    case (.loaded, .nothing): [.bulk]
    case (.thinned, .nothing): [.bulk, .delete]
    case (.thinned, .loaded): [.delete]
    }
  }

  private func prepare(for scenario: Scenario) throws {
    for step in steps(before: scenario) {
      if step == .bulk { _ = try load() } else { _ = try delete() }
    }
  }
}
