import SampleLog

/// Takes the error that evaluating a predicate met, for Foundation's way of asking has no room for
/// one.
final class PredicateFailure: Sendable {
  /// Where errors go while a predicate is evaluated on behalf of somebody who can be told.
  @TaskLocal static var current: PredicateFailure?

  private let first = Locked<(any Error)?>(nil)

  func note(_ error: any Error) {
    first.withLock { $0 = $0 ?? error }
  }

  /// Throws the first error that was noted.
  func check() throws {
    if let error = first.withLock({ $0 }) { throw error }
  }
}
