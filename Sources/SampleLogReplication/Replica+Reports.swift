import SampleLog

extension Replica {
  /// What the replica has reported, and when it does so again.
  struct Reporting {
    let name: String
    /// The epoch and the last sequence number that were reported last; nil before the first.
    var reported: (epoch: UInt32, last: UInt64)?
    /// How many steps may go by before the same is reported again.
    var stepsLeft = 0
  }

  /// After how many steps without news the report is sent again, which may have been lost.
  private static let interval = 256
  /// After how many steps a report that could not be sent is tried again.
  private static let pause = 32

  /// Reports how far the replica is if that is new, or was reported long ago.
  func report() {
    guard var reporting else { return }
    defer { self.reporting = reporting }
    let (epoch, last) = (database.epoch, database.durableEnd)
    reporting.stepsLeft -= 1
    let isKnown = reporting.reported.map { $0 == (epoch, last) } ?? false
    guard reporting.stepsLeft <= 0 || reporting.reported != nil && !isKnown else { return }
    // A report is a hint, so not being able to send one is no reason to stop following.
    do {
      let end = try database.historyEnd
      guard end.last == last else { return }
      let report = ReplicaReport(
        storeID: database.storeID, epoch: epoch, term: database.term, last: last, chain: end.chain)
      try transport.report(report.encoded, from: reporting.name)
      reporting.reported = (epoch, last)
      reporting.stepsLeft = Self.interval
    } catch {
      reporting.reported = nil
      reporting.stepsLeft = Self.pause
    }
  }
}
