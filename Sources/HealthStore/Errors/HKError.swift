public import Foundation

/// The domain of the errors that HealthKit makes.
public let HKErrorDomain = "com.apple.healthkit"

/// An error of the store, in the shape that Swift gives to Apple's error enumerations.
///
/// Catch it by code, as in `catch HKError.errorNoData`, or cast it and look at its code. On Linux
/// `catch let error as NSError` does not match a Swift error: write `error as NSError` instead.
public struct HKError: _BridgedStoredNSError, Sendable {
  // swift-format-ignore: NoLeadingUnderscores
  /// The error as an object.
  public let _nsError: NSError

  /// Wraps an error of HealthKit's domain, and gives it a sentence if it has none.
  ///
  /// - Precondition: The error's domain is ``HKErrorDomain``.
  public init(_nsError error: NSError) {
    trapUnless(error.domain == HKErrorDomain, "\(error.domain) is not HealthKit's error domain")
    _nsError = error.userInfo[NSLocalizedDescriptionKey] == nil ? Self.explained(error) : error
  }

  /// The domain of HealthKit's errors.
  public static var errorDomain: String { HKErrorDomain }

  // swift-format-ignore: NoLeadingUnderscores
  /// The domain of HealthKit's errors.
  public static var _nsErrorDomain: String { HKErrorDomain }
}

extension HKError: CustomStringConvertible {
  /// A sentence that says what went wrong and what to do.
  public var description: String { _nsError.localizedDescription }

  /// A sentence where people find it: a printed `NSError` has its reason, and on Linux `(null)`
  /// where there is none.
  static func userInfo(saying sentence: String) -> [String: Any] {
    [NSLocalizedDescriptionKey: sentence, NSLocalizedFailureReasonErrorKey: sentence]
  }

  private static func explained(_ error: NSError) -> NSError {
    var userInfo = error.userInfo
    userInfo.merge(
      Self.userInfo(saying: (Code(rawValue: error.code) ?? .unknownError).sentence)
    ) { first, _ in first }
    return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
  }
}

extension HKError {
  /// Makes an error that explains itself in a sentence.
  package static func make(
    _ code: Code, _ sentence: String, underlying: (any Error)? = nil
  ) -> HKError {
    var userInfo = Self.userInfo(saying: sentence)
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
    return HKError(code, userInfo: userInfo)
  }
}
