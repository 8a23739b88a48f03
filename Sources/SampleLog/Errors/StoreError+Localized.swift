public import FoundationEssentials

extension StoreError: LocalizedError {
  /// The error's description, for programs that display `LocalizedError`.
  public var errorDescription: String? { description }

  /// The error's description again: on Linux, `NSError` prints the failure reason and nothing if it
  /// is nil.
  public var failureReason: String? { description }
}
