internal import Dispatch

extension Database {
  /// Reports something that a layer above noticed.
  package func report(_ kind: StoreEvent.Kind) { events?.report(kind) }

  /// Waits until everything that was noticed by now has been reported; not from a handler.
  package func drainEvents() {
    waitForBackgroundWork()
    events?.drain()
  }

  /// Looks how much space the disk has, away from whoever commits.
  func checkSpace(isFull: Bool = false) {
    guard let events else { return }
    sealing.async { [path, fileSystem, limit = options.lowSpaceByteCount] in
      // A file system that does not say is taken at its word only when it is full.
      let available = fileSystem.availableByteCount(path)
      events.reportSpace(
        available ?? 0, isLow: isFull || available.map { $0 < limit } ?? false)
    }
  }

  /// Reports the durable subscription that keeps deletions beyond their retention.
  func reportStalledSubscription() {
    guard let events, let last = acknowledgements.min(by: { $0.value < $1.value }) else { return }
    let end = end
    events.report(
      .stalled(
        StoreEvent.Stall(
          name: last.key, subject: nil, lag: end - min(last.value, end), isStopped: false)))
  }

  /// The seconds since a moment.
  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
