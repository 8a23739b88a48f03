public import Foundation

/// An error of opening a directory that this process uses with other options.
///
/// This is an addition: HealthKit has one store, and no options. As an ``HKError`` it is
/// `errorInvalidArgument`.
public struct HKStoreOptionsError: ArgumentError, CustomStringConvertible, Hashable, Sendable {
  /// The store's directory.
  public let path: String

  /// The names of the options that differ, such as `durability`.
  public let options: [String]

  /// A sentence that describes the error.
  public var description: String {
    "The store at \(path) is in use in this process with another value of "
      + options.joined(separator: ", ") + "; open it with the same options, or close it first."
  }
}

extension HKStoreOptionsError: CustomNSError {
  /// HealthKit's error domain.
  public static var errorDomain: String { HKErrorDomain }

  /// The code of `HKError.errorInvalidArgument`.
  public var errorCode: Int { HKError.Code.errorInvalidArgument.rawValue }

  /// The description, as the localised description and as the failure reason.
  public var errorUserInfo: [String: Any] { HKError.userInfo(saying: description) }
}
