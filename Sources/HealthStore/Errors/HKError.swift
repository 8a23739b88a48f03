public import Foundation

/// The error domain of HealthKit.
public let HKErrorDomain = "com.apple.healthkit"

/// An error of the store, bridged like Apple's Swift error enumerations.
///
/// Catch it by code, as in `catch HKError.errorNoData`, or cast it and compare its code. On Linux
/// `catch let error as NSError` does not match a Swift error; write `error as NSError` instead.
public struct HKError: _BridgedStoredNSError, Sendable {
  // swift-format-ignore: NoLeadingUnderscores
  /// The underlying `NSError`.
  public let _nsError: NSError

  /// Wraps an error of HealthKit's domain, and adds a description if it has none.
  ///
  /// - Precondition: The error's domain is ``HKErrorDomain``.
  public init(_nsError error: NSError) {
    trapUnless(error.domain == HKErrorDomain, "\(error.domain) is not HealthKit's error domain")
    _nsError = error.userInfo[NSLocalizedDescriptionKey] == nil ? Self.explained(error) : error
  }

  /// The error domain of HealthKit.
  public static var errorDomain: String { HKErrorDomain }

  // swift-format-ignore: NoLeadingUnderscores
  /// The error domain of HealthKit.
  public static var _nsErrorDomain: String { HKErrorDomain }
}

extension HKError: CustomStringConvertible {
  /// A sentence that describes the error and its remedy.
  public var description: String { _nsError.localizedDescription }

  /// Returns a user info dictionary with a sentence as both description and failure reason.
  ///
  /// A printed `NSError` shows the failure reason, and on Linux `(null)` if there is none.
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
  /// Creates an error with a description.
  package static func make(
    _ code: Code, _ sentence: String, underlying: (any Error)? = nil
  ) -> HKError {
    var userInfo = Self.userInfo(saying: sentence)
    if let underlying { userInfo[NSUnderlyingErrorKey] = underlying }
    return HKError(code, userInfo: userInfo)
  }
}
