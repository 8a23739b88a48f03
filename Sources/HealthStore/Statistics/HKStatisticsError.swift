public import Foundation

/// An error in the options, the interval or the anchor date of statistics.
///
/// This is an addition: HealthKit raises an exception instead. As an `NSError` it is HealthKit's
/// `errorInvalidArgument` (domain `com.apple.healthkit`, code 3).
public enum HKStatisticsError: Error, Hashable, Sendable {
  /// The type's aggregation style does not allow the option.
  case optionNotAllowed(type: String, option: String)
  /// The interval has no components, or all of them are zero.
  case emptyInterval
  /// A component of the interval is negative.
  case negativeComponent(name: String, value: Int)
  /// The interval has a component that is not a duration, such as an era.
  case unsupportedComponent(name: String)
  /// The interval is shorter than a millisecond, the smallest supported length.
  case intervalTooShort(seconds: Double)
  /// The interval is longer than ten thousand years.
  case intervalTooLong
  /// The anchor date is not a number or lies outside the years from 1 to 4001.
  case anchorOutOfRange
}

extension HKStatisticsError: CustomStringConvertible {
  /// A sentence that describes the error.
  public var description: String {
    switch self {
    case .optionNotAllowed(let type, let option):
      "Statistics of \(type) cannot have the option \(option): its values combine another way."
    case .emptyInterval:
      "The interval of statistics must be longer than nothing: set one of its components."
    case .negativeComponent(let name, let value):
      "The interval of statistics must go forward in time: \(name) is \(value)."
    case .unsupportedComponent(let name):
      "The interval of statistics cannot be counted in the component \(name)."
    case .intervalTooShort(let seconds):
      "The interval of statistics must be a millisecond long at least, not \(seconds) s."
    case .intervalTooLong:
      "The interval of statistics must not be longer than ten thousand years."
    case .anchorOutOfRange:
      "The anchor date of statistics must lie from Date.distantPast to Date.distantFuture."
    }
  }
}

extension HKStatisticsError: CustomNSError {
  /// HealthKit's error domain.
  public static var errorDomain: String { HKErrorDomain }

  /// The code of `HKError.errorInvalidArgument`.
  public var errorCode: Int { HKError.Code.errorInvalidArgument.rawValue }

  /// The description, as the localised description and as the failure reason.
  public var errorUserInfo: [String: Any] { HKError.userInfo(saying: description) }
}
