public import Foundation

/// An error in an authorization request.
///
/// This is an addition: HealthKit raises an exception instead. Bridged to `NSError`, it is
/// HealthKit's `errorInvalidArgument` (domain `com.apple.healthkit`, code 3).
public enum HKAuthorizationRequestError: Error, Hashable, Sendable {
  /// The request asks to share correlation types; holds their identifiers.
  case sharingNotAllowed(types: [String])
  /// The request asks to read correlation types; holds their identifiers.
  case readingNotAllowed(types: [String])
}

extension HKAuthorizationRequestError: CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .sharingNotAllowed(let types): Self.sentence("share", types)
    case .readingNotAllowed(let types): Self.sentence("read", types)
    }
  }

  private static func sentence(_ use: String, _ types: [String]) -> String {
    "Authorization to \(use) \(types.joined(separator: ", ")) cannot be requested; request it for "
      + "the types of the contained samples."
  }
}

extension HKAuthorizationRequestError: CustomNSError {
  /// HealthKit's error domain.
  public static var errorDomain: String { HKErrorDomain }

  /// The code of `HKError.errorInvalidArgument`.
  public var errorCode: Int { HKError.Code.errorInvalidArgument.rawValue }

  /// The description, as both the localised description and the failure reason.
  public var errorUserInfo: [String: Any] { HKError.userInfo(saying: description) }
}
