internal import Dispatch
import SampleLog
import SampleLogReplication

/// The lease renewer of a primary: periodically checks that it is still the primary, and extends
/// its lease.
final class LeaseRenewer: Sendable {
  let primary: Primary
  private let holder: String
  private let queue = DispatchQueue(label: "healthcluster.lease", qos: .utility)
  private let hasFailed = Locked(false)
  private let isClosed = Locked(false)
  private let onChange: @Sendable () -> Void

  /// Creates a renewer.
  ///
  /// `onChange` is called once when the primary stops publishing.
  init(
    _ primary: Primary, holder: String, onChange: @escaping @Sendable () -> Void
  ) {
    self.primary = primary
    self.holder = holder
    self.onChange = onChange
  }

  func start() { queue.async { [weak self] in self?.look() } }

  private func look() {
    if isClosed.withLock({ $0 }) { return }
    primary.check()
    // Wait for the check, so that checks do not pile up if the stream does not respond.
    _ = primary.publishedThrough
    if primary.failure == nil {
      // The lease is only a hint, so a failure is ignored and the next check retries it.
      _ = try? primary.renewLease(holder: holder)
    } else if hasFailed.withLock({ hasFailed in
      defer { hasFailed = true }
      return !hasFailed
    }) {
      onChange()
    }
    queue.asyncAfter(deadline: .now() + Primary.leaseSeconds / 4) { [weak self] in self?.look() }
  }

  /// Publishes all durable commits and closes the store.
  func close() throws {
    isClosed.withLock { $0 = true }
    try primary.close()
  }
}
