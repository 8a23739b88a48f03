import Foundation

extension PeerSession {
  private static let saverCount = 8

  /// One thread that saves one sample per commit, then eight of them.
  func savers() throws -> [Measurement] {
    let alone = try firstSamples(1_000)
    let together = try firstSamples(8_000)
    var rates: [Double] = []
    var ratios: [Double] = []
    for _ in 0..<plan.repetitions {
      var peer = try freshPeer()
      let single = try save(alone, threads: 1, into: peer)
      peer = try freshPeer()
      let rate = try save(together, threads: Self.saverCount, into: peer)
      rates.append(rate)
      ratios.append(rate / single)
      try checkSet(peer, together)
    }
    try finish()
    return [
      Measurement("8 savers, 1 a commit", "samples/s", .more, rates),
      Measurement("… times one saver", "×", .more, ratios),
    ]
  }

  private func save(
    _ samples: [StreamSample], threads: Int, into peer: any BenchmarkPeer
  ) throws -> Double {
    let shared = Shared(peer)
    let failure = Failure()
    let watch = Stopwatch()
    let workers = (0..<threads).map { number in
      Worker {
        for index in stride(from: number, to: samples.count, by: threads) {
          do {
            try shared.value.ingest(samples[index..<index + 1])
          } catch {
            failure.note(error)
            return
          }
        }
      }
    }
    for worker in workers { worker.join() }
    let rate = Double(samples.count) / watch.seconds
    try failure.rethrow()
    return rate
  }

  /// Whether every sample is present once, in any commit order.
  private func checkSet(_ peer: any BenchmarkPeer, _ samples: [StreamSample]) throws {
    var all = Digest()
    let last = try readChanges(of: peer, after: 0, into: &all)
    var found = 0
    for sample in samples {
      var digest = Digest()
      try peer.row(sample.identifier, into: &digest)
      found += digest.count
    }
    guard all.count == samples.count, found == samples.count, last == UInt64(samples.count) else {
      let problem = "\(all.count) changes and \(found) rows of \(samples.count)."
      throw BenchmarkError.wrongAnswer(peer: kind.name, scenario: "savers", problem: problem)
    }
  }

  /// The time from the call of a save until a thread that follows the changes has its rows.
  func subscriber() throws -> [Measurement] {
    let batch = 100
    let samples = try firstSamples(200_000)
    let expected = Digest(samples)
    var medians: [Double] = []
    var memTables: [Double] = []
    for _ in 0..<plan.repetitions {
      let peer = try freshPeer()
      let tailingReader = Shared(try peer.tailingReader())
      let count = samples.count / batch
      let seen = Shared(ReceivedRows(count))
      let failure = Failure()
      let total = UInt64(samples.count)
      let reader = Worker {
        var last: UInt64 = 0
        do {
          while last < total, !failure.isNoted {
            let next = try tailingReader.value.changes(
              after: last, of: nil, limit: 1000, into: &seen.value.digest)
            if next == last {
              tailingReader.value.wait()
            } else {
              seen.value.note(upTo: Int(next) / batch)
              last = next
            }
          }
        } catch {
          failure.note(error)
        }
      }
      var calls: [Stopwatch.Instant] = []
      do {
        for number in 0..<count where !failure.isNoted {
          calls.append(Stopwatch.now)
          try peer.ingest(samples[number * batch..<(number + 1) * batch])
        }
      } catch {
        failure.note(error)
      }
      if failure.isNoted { tailingReader.value.wake() }
      reader.join()
      try failure.rethrow()
      guard seen.value.digest == expected else {
        throw BenchmarkError.wrongAnswer(
          peer: kind.name, scenario: "subscriber",
          problem: "the tailing reader read \(seen.value.digest.count) of \(expected.count) rows.")
      }
      let latencies = zip(calls, seen.value.times).map { Stopwatch.seconds($0, $1) * 1e6 }
      medians.append(latencies.percentile(0.5))
      memTables.append(latencies.percentile(0.99))
    }
    try finish()
    return [
      Measurement("save to subscriber, 100 a commit, p50", "µs", .less, medians, expected),
      Measurement("… p99", "µs", .less, memTables),
    ]
  }
}

/// The time at which each batch was read.
///
/// Filled by one thread and read after it has ended.
private final class ReceivedRows {
  var digest = Digest()
  private(set) var times: [Stopwatch.Instant] = []

  init(_ count: Int) { times.reserveCapacity(count) }

  func note(upTo batch: Int) {
    let now = Stopwatch.now
    while times.count < batch { times.append(now) }
  }
}
