import HealthStore
import SampleLog

/// Small commits that keep the size of the store constant, with quotas, a feed and observers.
///
/// A later commit must cost no more than an early one. If commits copied or searched a collection
/// that grows with each, the bytes and instructions of thousands of commits would show it.
final class SteadyCommits {
  private let database: Database
  private let feed: ChangeFeed
  private var observations: [CommitObservation]
  private var last = [Identifier?](repeating: nil, count: 8)
  private var number: UInt64 = 0

  init(_ database: Database) throws {
    self.database = database
    feed = try ChangeFeed(database, after: nil)
    observations = [database.observe { _ in }]
    observations.append(try database.observe([series(0)]) { _ in })
  }

  /// The options for these commits.
  static func set(in options: inout Database.Options) {
    options.durability = .buffered
    options.subjectQuota = SubjectQuota(sampleCount: 1000, byteCount: 1 << 40)
    options.onEvent = { _ in }
    options.deletionRetention = .seconds(0)
    options.deliveryRetention = .seconds(0)
  }

  private func series(_ number: Int) -> Series {
    database.series(
      subject: "person \(number / 2)", type: number % 2 == 0 ? "heartRate" : "stepCount")
  }

  /// Replaces a sample of one of eight series `count` times, by its sync identifier or explicitly.
  func run(_ commits: Int) throws {
    for _ in 0..<commits {
      number += 1
      let series = Int(number % 8)
      var batch = database.makeBatch()
      var extras = Extras()
      if series < 4 {
        extras.syncIdentifier = [UInt8(series)]
        extras.syncVersion = Int64(number)
      } else if let last = last[series] {
        batch.delete(last)
      }
      let id = Identifier(high: 1, low: number)
      batch.add(
        to: self.series(series), id: id, start: Double(number), value: 1,
        extras: batch.intern(extras: extras.encoded))
      try database.commit(batch)
      last[series] = id
    }
  }
}
