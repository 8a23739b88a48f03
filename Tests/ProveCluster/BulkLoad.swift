import Foundation
import SampleLog
import SampleLogReplication

/// The cost of publishing for a bulk load: elapsed time, and processor time of this process and the
/// servers.
struct BulkLoad {
  let servers: NATSServers
  let folder: URL

  private struct Cost {
    var time = 0.0
    var own = 0.0
    var servers = 0.0
  }

  private static let commits = 300

  /// Saves 3 million samples in commits of 10,000, alternately without and with a stream.
  func run(_ rounds: Int = 5) throws {
    var (alone, saved, published): ([Cost], [Cost], [Cost]) = ([], [], [])
    var (message, messages) = (0, UInt64(0))
    for _ in 0..<rounds {
      let database = try Database(path: path("alone"))
      alone.append(try cost { try fill(database) })
      try database.close()
      let stream = try servers.connect(to: try makeStore("bulk"))
      let primary = try Primary(path: place("bulk"), transport: stream)
      published.append(
        try cost {
          saved.append(try cost { try fill(primary.database) })
          while primary.publishedThrough < primary.database.end { pause(0.001) }
        })
      messages = try stream.end()
      message = try stream.read(from: messages / 2, limit: 1).first?.bytes.count ?? 0
      try primary.close()
    }
    let bare = try servers.connect(to: Identifier())
    let bytes = [UInt8](repeating: 7, count: message)
    let publishing = try cost {
      for number in 0..<messages { _ = try bare.append(bytes, expecting: number) }
    }
    let samples = Double(Self.commits) / 100  // millions
    let (one, two, three) = (median(alone), median(saved), median(published))
    let lines = [
      format("saved %.2f M/s alone, %.3f s of processor time for a million", one, samples),
      format("saved %.2f M/s while published, %.3f s so far", two, samples),
      format("published %.2f M/s to the end, %.3f s", three, samples),
      format("a bare publisher of the \(messages) messages %.2f M/s, %.3f s", publishing, samples),
    ]
    for line in lines { print("\(servers.addresses.count) servers: bulk: \(line)") }
    print(
      String(
        format: "%d servers: bulk: a saver is %.0f %% slower while it is published",
        servers.addresses.count, (two.time / one.time - 1) * 100))
  }

  private func format(_ text: String, _ cost: Cost, _ samples: Double) -> String {
    String(format: text, samples / cost.time, cost.own / samples)
      + String(format: ", the servers' %.3f s", cost.servers / samples)
  }

  /// Returns the median of each cost.
  private func median(_ costs: [Cost]) -> Cost {
    func median(_ key: KeyPath<Cost, Double>) -> Double {
      costs.map { $0[keyPath: key] }.sorted()[costs.count / 2]
    }
    return Cost(time: median(\.time), own: median(\.own), servers: median(\.servers))
  }

  private func cost(_ body: () throws -> Void) throws -> Cost {
    let (own, others) = (processorTime, servers.processorTime)
    let time = try ContinuousClock().measure(body) / .seconds(1)
    return Cost(
      time: time, own: processorTime - own, servers: servers.processorTime - others)
  }

  /// The processor time of this process, in seconds.
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private func fill(_ database: Database) throws {
    for number in 0..<Self.commits {
      try database.commit(database.batch(10_000, from: Double(number) * 1e4))
    }
  }

  private func place(_ name: String) -> String { folder.appending(path: "figures-" + name).path }

  private func path(_ name: String) -> String {
    try? FileManager.default.removeItem(atPath: place(name))
    return place(name)
  }

  private func makeStore(_ name: String) throws -> Identifier {
    let database = try Database(path: path(name))
    defer { try? database.close() }
    return database.storeID
  }
}
