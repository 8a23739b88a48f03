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

  /// Wraps an error of HealthKit's domain.
  ///
  /// - Precondition: The error's domain is ``HKErrorDomain``.
  public init(_nsError error: NSError) {
    trapUnless(error.domain == HKErrorDomain, "\(error.domain) is not HealthKit's error domain")
    _nsError = error
  }

  /// The domain of HealthKit's errors.
  public static var errorDomain: String { HKErrorDomain }

  // swift-format-ignore: NoLeadingUnderscores
  /// The domain of HealthKit's errors.
  public static var _nsErrorDomain: String { HKErrorDomain }
}

extension HKError {
  /// Makes an error that explains itself in a sentence.
  package static func make(
    _ code: Code, _ sentence: String, underlying: (any Error)? = nil
  ) -> HKError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: sentence]
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
    return HKError(code, userInfo: userInfo)
  }
}
