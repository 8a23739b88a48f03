// Default descriptions of error codes.
extension HKError.Code {
  /// The default description, for errors created without one.
  var sentence: String {
    switch self {
    case .unknownError: "Something failed for an unknown reason; try it again."
    case .errorHealthDataUnavailable:
      "There is no health data on this device; use one that has a health store."
    case .errorHealthDataRestricted:
      "A policy forbids the use of health data; ask its administrator."
    case .errorInvalidArgument:
      "An argument is not valid, or the object is saved already or never was; correct the call."
    case .errorAuthorizationDenied: "Sharing this type was denied; ask for permission."
    case .errorAuthorizationNotDetermined:
      "Permission was never requested; request authorization first."
    case .errorDatabaseInaccessible:
      "The store cannot be read or written now; look at the underlying error and try again."
    case .errorUserCanceled: "The user cancelled; nothing is to be done."
    case .errorAnotherWorkoutSessionStarted:
      "Another workout session began and ended this one; start a new one when it is over."
    case .errorUserExitedWorkoutSession:
      "The user left the workout session; start a new one to go on."
    case .errorRequiredAuthorizationDenied:
      "A permission that is required was denied; ask for it again."
    case .errorNoData: "There is no data to compute the answer from; widen the query."
    case .errorWorkoutActivityNotAllowed:
      "This workout activity is not allowed; choose another one."
    case .errorDataSizeExceeded: "The data is larger than allowed; split it."
    case .errorBackgroundWorkoutSessionNotAllowed:
      "A workout session may not start in the background; start it in the foreground."
    case .errorNotPermissibleForGuestUserMode:
      "A guest user may not do this; sign in as the device's owner."
    }
  }
}
