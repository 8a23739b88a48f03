public import Foundation

/// What is wrong with a request for authorisation.
///
/// Our addition: HealthKit raises an exception instead. As an `NSError` it is HealthKit's
/// `errorInvalidArgument` (domain `com.apple.healthkit`, code 3).
public enum HKAuthorizationRequestError: Error, Hashable, Sendable {
  /// It asks to share correlation types, by identifier.
  case sharingNotAllowed(types: [String])
  /// It asks to read correlation types, by identifier.
  case readingNotAllowed(types: [String])
}

extension HKAuthorizationRequestError: CustomStringConvertible {
  /// A sentence that names the mistake.
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

  /// The sentence, as the localised description and as the reason.
  public var errorUserInfo: [String: Any] { HKError.userInfo(saying: description) }
}
