public import Foundation

extension HKError {
  /// What went wrong.
  public enum Code: Int, _ErrorCodeProtocol, Sendable {
    // swift-format-ignore: NoLeadingUnderscores
    /// The error that has these codes.
    public typealias _ErrorType = HKError

    /// Nothing is known of the cause.
    case unknownError = 0

    /// There is no store on this device.
    case errorHealthDataUnavailable = 1

    /// A policy forbids the use of health data.
    case errorHealthDataRestricted = 2

    /// An argument is wrong, or the object is already saved or was never saved.
    case errorInvalidArgument = 3

    /// Sharing of the type was denied.
    case errorAuthorizationDenied = 4

    /// Permission for the type was not asked for yet.
    case errorAuthorizationNotDetermined = 5

    /// The store cannot be read or written now.
    case errorDatabaseInaccessible = 6

    /// The user cancelled.
    case errorUserCanceled = 7

    /// Another workout session began.
    case errorAnotherWorkoutSessionStarted = 8

    /// The user left the workout session.
    case errorUserExitedWorkoutSession = 9

    /// A permission that was required was denied.
    case errorRequiredAuthorizationDenied = 10

    /// There is no data to compute the answer from.
    case errorNoData = 11

    /// The workout activity is not allowed.
    case errorWorkoutActivityNotAllowed = 12

    /// The data is larger than allowed.
    case errorDataSizeExceeded = 13

    /// A workout session may not start in the background.
    case errorBackgroundWorkoutSessionNotAllowed = 14

    /// A guest user may not do this.
    case errorNotPermissibleForGuestUserMode = 15

    /// The old name of ``unknownError``.
    public static var noError: Self { .unknownError }
  }

  /// Nothing is known of the cause.
  public static var unknownError: Code { .unknownError }

  /// There is no store on this device.
  public static var errorHealthDataUnavailable: Code { .errorHealthDataUnavailable }

  /// A policy forbids the use of health data.
  public static var errorHealthDataRestricted: Code { .errorHealthDataRestricted }

  /// An argument is wrong, or the object is already saved or was never saved.
  public static var errorInvalidArgument: Code { .errorInvalidArgument }

  /// Sharing of the type was denied.
  public static var errorAuthorizationDenied: Code { .errorAuthorizationDenied }

  /// Permission for the type was not asked for yet.
  public static var errorAuthorizationNotDetermined: Code { .errorAuthorizationNotDetermined }

  /// The store cannot be read or written now.
  public static var errorDatabaseInaccessible: Code { .errorDatabaseInaccessible }

  /// The user cancelled.
  public static var errorUserCanceled: Code { .errorUserCanceled }

  /// Another workout session began.
  public static var errorAnotherWorkoutSessionStarted: Code { .errorAnotherWorkoutSessionStarted }

  /// The user left the workout session.
  public static var errorUserExitedWorkoutSession: Code { .errorUserExitedWorkoutSession }

  /// A permission that was required was denied.
  public static var errorRequiredAuthorizationDenied: Code { .errorRequiredAuthorizationDenied }

  /// There is no data to compute the answer from.
  public static var errorNoData: Code { .errorNoData }

  /// The workout activity is not allowed.
  public static var errorWorkoutActivityNotAllowed: Code { .errorWorkoutActivityNotAllowed }

  /// The data is larger than allowed.
  public static var errorDataSizeExceeded: Code { .errorDataSizeExceeded }

  /// A workout session may not start in the background.
  public static var errorBackgroundWorkoutSessionNotAllowed: Code {
    .errorBackgroundWorkoutSessionNotAllowed
  }

  /// A guest user may not do this.
  public static var errorNotPermissibleForGuestUserMode: Code {
    .errorNotPermissibleForGuestUserMode
  }

  /// The old name of ``unknownError``.
  public static var noError: Code { .unknownError }
}
