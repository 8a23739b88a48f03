internal import Dispatch
import SampleLog
import SampleLogReplication

/// Looks now and then whether a primary still is the one, and extends its lease.
final class PrimaryKeeper: Sendable {
  let primary: Primary
  private let transport: any StreamTransport
  private let holder: String
  private let queue = DispatchQueue(label: "healthcluster.keep", qos: .utility)
  private let hasFailed = Locked(false)
  private let isClosed = Locked(false)
  private let onChange: @Sendable () -> Void

  /// Takes a primary, and a function that is called once when it publishes no more.
  init(
    _ primary: Primary, _ transport: any StreamTransport, holder: String,
    onChange: @escaping @Sendable () -> Void
  ) {
    self.primary = primary
    self.transport = transport
    self.holder = holder
    self.onChange = onChange
  }

  func keep() { queue.async { [weak self] in self?.look() } }

  private func look() {
    if isClosed.withLock({ $0 }) { return }
    primary.check()
    // Waits for the check, so that no second one queues behind a stream that does not answer.
    _ = primary.publishedThrough
    if primary.failure == nil {
      // A lease is a hint: where the stream cannot be reached it is asked for again.
      _ = try? transport.lease(holder: holder, seconds: Primary.leaseSeconds)
    } else if hasFailed.withLock({ hasFailed in
      defer { hasFailed = true }
      return !hasFailed
    }) {
      onChange()
    }
    queue.asyncAfter(deadline: .now() + Primary.leaseSeconds / 4) { [weak self] in self?.look() }
  }

  /// Publishes everything durable and closes the store.
  func close() throws {
    isClosed.withLock { $0 = true }
    try primary.close()
  }
}
