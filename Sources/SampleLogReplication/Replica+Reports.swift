import SampleLog

extension Replica {
  /// The state of a replica's reports.
  struct Reporting {
    let name: String
    /// The latest report, or nil if it was not sent.
    var reported: (epoch: UInt32, last: UInt64, erasedThrough: UInt64)?
    /// The number of steps until an unchanged report is sent again.
    var stepsLeft = 0
  }

  /// The number of steps after which an unchanged report is repeated, as it may have been lost.
  private static let interval = 256
  /// The number of steps after which a report that could not be sent is retried.
  private static let pause = 32

  /// Reports the replica's progress if it has changed or the latest report is old.
  func report() {
    guard var reporting else { return }
    defer { self.reporting = reporting }
    let (epoch, last) = (database.epoch, database.durableEnd)
    let erasedThrough = erasedThrough(last)
    reporting.stepsLeft -= 1
    let isKnown = reporting.reported.map { $0 == (epoch, last, erasedThrough) } ?? false
    guard reporting.stepsLeft <= 0 || reporting.reported != nil && !isKnown else { return }
    // A report is advisory, so an error is reported as an event and does not stop replication.
    do {
      let end = try database.historyEnd
      guard end.last == last else { return }
      let report = ReplicaReport(
        storeID: database.storeID, epoch: epoch, term: database.term, last: last, chain: end.chain,
        erasedThrough: erasedThrough)
      try services.request(.reports, isStreamReachable: isStreamReachable) {
        try transport.report(report.encoded, from: reporting.name)
      }
      reporting.reported = (epoch, last, erasedThrough)
      reporting.stepsLeft = Self.interval
    } catch {
      reporting.reported = nil
      reporting.stepsLeft = Self.pause
    }
  }
}
