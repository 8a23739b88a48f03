public import Foundation

// The codes of HealthKit's errors.
extension HKError {
  /// The code of an error.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    // swift-format-ignore: NoLeadingUnderscores
    /// The error type to which these codes belong.
    public typealias _ErrorType = HKError

    /// The cause is unknown.
    case unknownError = 0

    /// Health data is not available on this device.
    case errorHealthDataUnavailable = 1

    /// A policy forbids the use of health data.
    case errorHealthDataRestricted = 2

    /// An argument is invalid, or the object is already saved or was never saved.
    case errorInvalidArgument = 3

    /// Sharing of the type is denied.
    case errorAuthorizationDenied = 4

    /// Permission for the type has not been requested yet.
    case errorAuthorizationNotDetermined = 5

    /// The store cannot be read or written.
    case errorDatabaseInaccessible = 6

    /// The user cancelled the operation.
    case errorUserCanceled = 7

    /// Another workout session began.
    case errorAnotherWorkoutSessionStarted = 8

    /// The user left the workout session.
    case errorUserExitedWorkoutSession = 9

    /// A required permission is denied.
    case errorRequiredAuthorizationDenied = 10

    /// There is no data from which to compute the result.
    case errorNoData = 11

    /// The workout activity is not permitted.
    case errorWorkoutActivityNotAllowed = 12

    /// The data exceeds the permitted size.
    case errorDataSizeExceeded = 13

    /// A workout session must not start in the background.
    case errorBackgroundWorkoutSessionNotAllowed = 14

    /// The operation is not permitted for a guest user.
    case errorNotPermissibleForGuestUserMode = 15

    /// The former name of ``unknownError``.
    public static var noError: Self { .unknownError }
  }

  /// The cause is unknown.
  public static var unknownError: Code { .unknownError }

  /// Health data is not available on this device.
  public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }

  /// A policy forbids the use of health data.
  public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }

  /// An argument is invalid, or the object is already saved or was never saved.
  public static var errorInvalidArgument: Code { .errorInvalidArgument }

  /// Sharing of the type is denied.
  public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }

  /// Permission for the type has not been requested yet.
  public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }

  /// The store cannot be read or written.
  public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }

  /// The user cancelled the operation.
  public static var errorUserCanceled: Code { .errorUserCanceled }

  /// Another workout session began.
  public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }

  /// The user left the workout session.
  public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }

  /// A required permission is denied.
  public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }

  /// There is no data from which to compute the result.
  public static var errorNoData: Code { .errorNoData }

  /// The workout activity is not permitted.
  public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }

  /// The data exceeds the permitted size.
  public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }

  /// A workout session must not start in the background.
  public static var errorBackgroundWorkoutSessionNotAllowed: Code {
    .errorBackgroundWorkoutSessionNotAllowed
  }

  /// The operation is not permitted for a guest user.
  public static var errorNotPermissibleForGuestUserMode: Code {
    .errorNotPermissibleForGuestUserMode
  }

  /// The former name of ``unknownError``.
  public static var noError: Code { .unknownError }
}
