import Foundation

extension ProcessFaults {
  /// An event in a cluster whose primary saves.
  enum Event {
    case killServer(Int)
    case stopServer(Int, seconds: Double)
    case killAllServers
    /// A killed server loses its last messages.
    case cutFile(Int, keeping: Double)
    /// A killed server loses the stream.
    case loseStream(Int)
    /// All servers are killed and lose the stream.
    case loseStreams
    case killSaver
    case stopSaver(seconds: Double)
    case killReplica
    case stopReplica(seconds: Double)
    /// Cuts the primary from one server, or from all.
    case partPrimary(Int?, Proxy.Mode, seconds: Double)
    case partReplica(Int?, Proxy.Mode, seconds: Double)
    /// Cuts all servers from each other.
    case partServers(Proxy.Mode, seconds: Double)
  }

  /// Each kind of event once, in order.
  func oneOfEach(seconds: Double) -> [Event] {
    [.killServer(some()), .stopServer(some(), seconds: seconds), .killAllServers]
      + [.cutFile(some(), keeping: part()), .loseStream(some()), .loseStreams]
      + oneOfEachOfCopies(seconds: seconds)
      + (servers.routeProxies.isEmpty ? [] : [.partServers(.cut, seconds: seconds)])
  }

  /// Each kind of event without a server failure, once.
  func oneOfEachOfCopies(seconds: Double) -> [Event] {
    let modes: [Proxy.Mode] = [.cut, .silent, .deaf, .mute]
    return [.killSaver, .stopSaver(seconds: seconds), .killReplica, .stopReplica(seconds: seconds)]
      + modes.map { .partPrimary(nil, $0, seconds: seconds) }
      + modes.map { .partReplica(nil, $0, seconds: seconds) }
  }

  /// Returns random events.
  func any(_ count: Int) -> [Event] {
    (0..<count).map { _ in
      let seconds = Double.random(in: 0.1...8, using: &random)
      let modes: [Proxy.Mode] = [.cut, .silent, .deaf, .mute]
      let mode = modes.randomElement(using: &random) ?? .cut
      let side = Bool.random(using: &random) ? some() : nil
      let events =
        oneOfEach(seconds: seconds) + [
          .partPrimary(side, mode, seconds: seconds), .partReplica(side, mode, seconds: seconds),
        ] + (servers.routeProxies.isEmpty ? [] : [.partServers(mode, seconds: seconds)])
      return events.randomElement(using: &random) ?? .killSaver
    }
  }

  private func some() -> Int {
    servers.addresses.indices.randomElement(using: &random) ?? 0
  }

  private func part() -> Double { Double.random(in: 0...1, using: &random) }

  func happen(_ event: Event) throws {
    switch event {
    case .killServer(let number): try restart([number]) {}
    case .stopServer(let number, let seconds):
      servers.signal(number, SIGSTOP)
      pause(seconds)
      servers.signal(number, SIGCONT)
    case .killAllServers: try restart(Array(servers.addresses.indices)) {}
    case .cutFile(let number, let part):
      try restart([number]) { try servers.cutStream(number, of: storeID, keeping: part) }
    case .loseStream(let number):
      try restart([number]) { try servers.removeStream(number, of: storeID) }
    case .loseStreams:
      let all = Array(servers.addresses.indices)
      try restart(all) { for number in all { try servers.removeFiles(number) } }
    case .killSaver:
      try killSaver()
      try startSaver()
    case .stopSaver(let seconds): stop(saver, seconds)
    case .killReplica:
      replicaProcess?.kill()
      try startReplicaProcess()
    case .stopReplica(let seconds): stop(replicaProcess, seconds)
    case .partPrimary(let number, let mode, let seconds):
      part(number.map { [primaryProxies[$0]] } ?? primaryProxies, mode, seconds)
    case .partReplica(let number, let mode, let seconds):
      part(number.map { [replicaProxies[$0]] } ?? replicaProxies, mode, seconds)
    case .partServers(let mode, let seconds): part(servers.routeProxies, mode, seconds)
    }
  }

  private func restart(_ numbers: [Int], _ body: () throws -> Void) throws {
    for number in numbers { servers.kill(number) }
    try body()
    pause(0.3)
    for number in numbers { try servers.start(number) }
  }

  private func stop(_ child: Child?, _ seconds: Double) {
    child?.signal(SIGSTOP)
    pause(seconds)
    child?.signal(SIGCONT)
  }

  private func part(_ proxies: [Proxy], _ mode: Proxy.Mode, _ seconds: Double) {
    for proxy in proxies { proxy.mode = mode }
    pause(seconds)
    for proxy in proxies { proxy.mode = .open }
  }
}

/// A deterministic generator (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (seed ^ seed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
