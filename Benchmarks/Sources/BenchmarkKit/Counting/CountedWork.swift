import Foundation
import HealthStore
import SampleLog

/// The counted tasks, on a store of fifty thousand samples.
enum CountedWork: String, CaseIterable {
  case saveObjects = "save-objects"
  case saveColumns = "save-columns"
  case steadyCommits = "steady-commits"
  case day
  case scan
  case uuid
  case catchUp = "catch-up"
  case poll
  case newest
  case daily
  case open

  static let sealed = 48_000
  static let unsealed = 2_000

  /// Writes the initial store, whose bytes are always the same.
  static func prepare(_ directory: String) throws {
    let peer = try HealthStorePeer(directory: directory, options: options)
    var stream = SampleStream()
    for _ in 0..<sealed / 4_000 { try peer.ingestBulk(stream.next(4_000)[...]) }
    try peer.endBulk()
    try peer.ingest(stream.next(unsealed)[...])
    try peer.close()
  }

  /// Options without any variation between runs.
  static var options: Database.Options {
    var options = Database.Options()
    options.sealsInBackground = false
    options.clock = { 700_000_000 }
    let random = SeededRandom()
    options.random = { random.next() }
    return options
  }

  /// Repeats the task `count` times, calling `between` before every round and after the last.
  func run(
    _ directory: String, rounds: Int, disk: CountingFileSystem, between: () -> Void
  ) throws {
    // Samples' identifiers are random, and so is the number of unsuccessful look-ups in a segment.
    // Saves are therefore counted on a store without segments.
    let isNew = self == .saveObjects || self == .steadyCommits
    var options = Self.options
    if self == .steadyCommits { SteadyCommits.set(in: &options) }
    let peer = try HealthStorePeer(
      directory: isNew ? directory + "-new" : directory, fileSystem: disk, options: options)
    defer { try? FileManager.default.removeItem(atPath: directory + "-new") }
    if self == .open {
      try peer.close()
      for _ in 0..<rounds {
        between()
        try HealthStorePeer(directory: directory, fileSystem: disk, options: Self.options).close()
      }
      between()
      return
    }
    let round = try work(peer)
    for number in 0..<rounds {
      between()
      try round(number)
    }
    between()
    try peer.close()
  }

  private func work(_ peer: HealthStorePeer) throws -> (Int) throws -> Void {
    let first = UInt64(Self.sealed + Self.unsealed)
    switch self {
    case .saveObjects:
      let store = HKHealthStore(database: peer.database, subject: "person 0")
      let unit = HKUnit.count().unitDivided(by: .minute())
      return { number in
        for value in 0..<20 {
          let date = Date(timeIntervalSinceReferenceDate: Double(number * 20 + value))
          let sample = HKQuantitySample(
            type: HKQuantityType(.heartRate),
            quantity: HKQuantity(unit: unit, doubleValue: Double(60 + value)), start: date,
            end: date)
          let done = DispatchSemaphore(value: 0)
          store.save(sample) { _, _ in done.signal() }
          done.wait()
        }
      }
    case .steadyCommits:
      let commits = try SteadyCommits(peer.database)
      return { _ in try commits.run(1000) }
    case .saveColumns:
      return { number in
        let start = first + UInt64(number * 10_000)
        let samples = PeerSession.laterSamples(10_000, first: start + 1, plan: PeerSession.Plan())
        for start in stride(from: 0, to: samples.count, by: 1000) {
          try peer.ingest(samples[start..<start + 1000])
        }
      }
    case .day:
      let range = SampleStream.epoch..<SampleStream.epoch + SampleStream.millisecondsPerDay
      return { _ in
        var digest = Digest()
        try peer.rows(of: StreamSeries(subject: 0, type: .heartRate), in: range, into: &digest)
      }
    case .scan:
      let series = peer.series(StreamSeries(subject: 0, type: .heartRate))
      return { _ in
        var total = 0.0
        for _ in 0..<10 {
          try peer.database.snapshot().scan([series], reading: .start, .value) { starts, values in
            for (start, value) in zip(starts, values) { total += start * value }
            return true
          }
        }
        if total == 0 { throw BenchmarkError.failed("A scan found nothing.") }
      }
    case .uuid:
      return { number in
        var random = SplitMix(seed: UInt64(number))
        var digest = Digest()
        for _ in 0..<500 {
          try peer.row(StreamIdentifier(sequence: 1 + random.next() % first), into: &digest)
        }
      }
    case .catchUp:
      return { _ in
        var digest = Digest()
        var last: UInt64 = 0
        while last < first {
          last = try peer.changes(after: last, of: nil, limit: 1000, into: &digest)
        }
      }
    case .poll:
      return { _ in
        var digest = Digest()
        for _ in 0..<1000 {
          _ = try peer.changes(after: first, of: nil, limit: 1000, into: &digest)
        }
      }
    case .newest:
      return { _ in
        var digest = Digest()
        for _ in 0..<100 {
          for type in StreamType.allCases {
            try peer.newest(of: StreamSeries(subject: 0, type: type), into: &digest)
          }
        }
      }
    case .daily:
      return { _ in
        let series = StreamSeries(subject: 0, type: .heartRate)
        for _ in 0..<10 { _ = try peer.days(of: series, in: SampleStream.allDays) }
      }
    case .open: return { _ in }
    }
  }
}

/// A random number generator with the same numbers in every process.
private final class SeededRandom: @unchecked Sendable {
  private let lock = NSLock()
  private var random = SplitMix(seed: 7)

  func next() -> UInt64 { lock.withLock { random.next() } }
}
