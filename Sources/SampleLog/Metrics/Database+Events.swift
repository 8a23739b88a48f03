internal import Dispatch

/// Reports events to the store's handler.
extension Database {
  /// Reports an event of a layer above.
  package func report(_ kind: StoreEvent.Kind) { events?.report(kind) }

  /// Waits until all events so far have been delivered; must not be called from a handler.
  package func drainEvents() {
    waitForBackgroundWork()
    events?.drain()
  }

  /// Checks the free space of the disk, asynchronously so that commits do not wait.
  func checkSpace(isFull: Bool = false) {
    guard let events else { return }
    sealing.async { [path, fileSystem, limit = options.lowSpaceByteCount] in
      // If the file system reports no free space figure, only a failed write indicates a full disk.
      let available = fileSystem.availableByteCount(path)
      events.reportSpace(
        available ?? 0, isLow: isFull || available.map { $0 < limit } ?? false)
    }
  }

  /// Reports the durable subscription that holds deletions beyond their retention.
  func reportStalledSubscription() {
    guard let events, let last = acknowledgements.min(by: { $0.value < $1.value }) else { return }
    let end = end
    events.report(
      .stalled(
        StoreEvent.Stall(
          name: last.key, subject: nil, lag: end - min(last.value, end), isStopped: false)))
  }

  /// Returns the seconds since an instant.
  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let parts = (ContinuousClock.now - start).components
    return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
  }
}
