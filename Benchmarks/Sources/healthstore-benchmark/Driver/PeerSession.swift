import Foundation

/// One peer on its way through the scenarios, with the store it carries along.
final class PeerSession {
  let kind: PeerKind
  let sampleCount: Int
  /// Where the peer's files are.
  let directory: String
  private var openPeer: (any BenchmarkPeer)?
  private var preparation = Scenario.Preparation.nothing

  init(_ kind: PeerKind, sampleCount: Int, directory: String) {
    self.kind = kind
    self.sampleCount = sampleCount
    // A name of its own, because whatever is there is removed.
    self.directory = "\(directory)/healthstore-benchmark-\(kind.name)"
  }

  /// Brings the store into the state the scenario starts from, then measures.
  func run(_ scenario: Scenario) throws -> [Measurement] {
    try prepare(for: scenario)
    return switch scenario {
    case .durable1: try durable(batch: 1, total: 1_500)
    case .durable100: try durable(batch: 100, total: 60_000)
    case .durable1000: try durable(batch: 1_000, total: 400_000)
    case .durable10000: try durable(batch: 10_000, total: 1_000_000)
    case .bulk: try bulk()
    case .size: [try size(title: "size", live: sampleCount)]
    case .day: try day()
    case .scan: [try scan()]
    case .newest: [try newest()]
    case .above: [try above()]
    case .uuid: try lookUp()
    case .daily: [try daily()]
    case .delete: [try delete()]
    case .catchUp: [try catchUp()]
    case .catchUpOfType: [try catchUpOfType()]
    case .poll: [try poll()]
    case .compactedSize: [try compactedSize()]
    case .open: [try reopen()]
    }
  }

  /// Closes the store and removes its files.
  func finish() throws {
    try closePeer()
    try? FileManager.default.removeItem(atPath: directory)
    preparation = .nothing
  }

  /// The open store.
  func peer() throws -> any BenchmarkPeer {
    if let openPeer { return openPeer }
    let manager = FileManager.default
    try manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let peer = try kind.open(directory)
    openPeer = peer
    return peer
  }

  /// An open store without a sample.
  func freshPeer() throws -> any BenchmarkPeer {
    try finish()
    return try peer()
  }

  func closePeer() throws {
    try openPeer?.close()
    openPeer = nil
  }

  /// Remembers what has happened to the store.
  func reached(_ state: Scenario.Preparation) {
    preparation = state
  }

  private func prepare(for scenario: Scenario) throws {
    if scenario.preparation != .nothing, preparation == .nothing { _ = try load() }
    if scenario.preparation == .thinned, preparation == .loaded { _ = try delete() }
  }
}
