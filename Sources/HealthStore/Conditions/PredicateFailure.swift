import SampleLog

/// Collects errors during predicate evaluation, because Foundation's evaluation method cannot
/// throw.
final class PredicateFailure: Sendable {
  /// The collector for evaluations whose caller can receive errors.
  @TaskLocal static var current: PredicateFailure?

  private let first = Locked<(any Error)?>(nil)

  func note(_ error: any Error) {
    first.withLock { $0 = $0 ?? error }
  }

  /// Throws the first recorded error.
  func check() throws {
    if let error = first.withLock({ $0 }) { throw error }
  }
}
