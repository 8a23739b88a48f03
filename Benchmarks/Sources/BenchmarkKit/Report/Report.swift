/// The results of all peers side by side.
package struct Report {
  /// One measured figure.
  ///
  /// A peer that took no part has no cell.
  package struct Row {
    let scenario: Scenario
    let cells: [Measurement?]

    var title: String { cells.lazy.compactMap { $0 }.first?.title ?? scenario.rawValue }
    var unit: String { cells.lazy.compactMap { $0 }.first?.unit ?? "" }

    /// Whether all peers read the same rows; nil with a single peer or nothing to compare.
    var agrees: Bool? {
      let digests = cells.compactMap { $0?.digest }
      guard let first = digests.first, digests.count > 1 else { return nil }
      return digests.allSatisfy { $0 == first }
    }
  }

  /// The speed of the machine just before a peer's scenario.
  struct Probe: Encodable {
    let scenario: String
    let peer: String
    /// The nanoseconds per read of memory in random order.
    let memory: Double
    /// The median microseconds of a hundred bare syncs; nil if the scenario does not sync.
    let sync: Double?
  }

  let plan: PeerSession.Plan
  let machine: Machine
  let peers: [String]
  var probes: [Probe] = []
  private(set) var rows: [Row] = []

  init(plan: PeerSession.Plan, machine: Machine, peers: [String]) {
    self.plan = plan
    self.machine = machine
    self.peers = peers
  }

  /// Whether all peers agree.
  var agrees: Bool { rows.allSatisfy { $0.agrees != false } }

  /// Adds the peers' results of one scenario, in the order of ``peers``.
  ///
  /// Peers missing at the end took no part.
  ///
  /// The first peer has all rows; others may lack some.
  mutating func add(_ scenario: Scenario, _ measurements: [[Measurement]]) {
    guard let own = measurements.first else { return }
    for measurement in own {
      let others = measurements.dropFirst().map { measurements in
        measurements.first { $0.title == measurement.title }
      }
      let missing = [Measurement?](repeating: nil, count: peers.count - measurements.count)
      rows.append(Row(scenario: scenario, cells: [measurement] + others + missing))
    }
  }

  /// A summary of the run in one line.
  var heading: String {
    let dealt = plan.loadOrder.dealing == .random && plan.loadOrder.order != .uploads
    let subjects =
      plan.loadOrder.subjects == 1
      ? "one person" : "\(plan.loadOrder.subjects) people\(dealt ? " at random" : "")"
    let order =
      switch plan.loadOrder.order {
      case .stream: "arriving in the stream's order"
      case .random: "arriving in random order"
      case .historyLast: "with the history arriving last"
      case .uploads: "arriving in uploads of \(UploadedSamples.length)"
      }
    return "\(plan.samples) samples of \(subjects), \(order); \(plan.repetitions) repetitions: "
      + "the median (least…greatest). \(machine.summary)\(memoryRange)."
  }

  /// The range of the machine's memory latency before the scenarios.
  private var memoryRange: String {
    let reads = probes.map(\.memory)
    guard let least = reads.min(), let most = reads.max() else { return "" }
    return ", and read in random order at \(least.short) to \(most.short) ns"
  }
}
