public import FoundationEssentials

extension StoreError: LocalizedError {
  /// The same sentence as the description, for programs that show any error's.
  public var errorDescription: String? { description }

  /// The same again: on Linux an `NSError` prints this, and nothing where there is none.
  public var failureReason: String? { description }
}
