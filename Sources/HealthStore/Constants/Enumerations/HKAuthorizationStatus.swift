/// The permission to save samples of a type.
public enum HKAuthorizationStatus: Int, Sendable {
  /// The permission has not been requested.
  case notDetermined = 0

  /// Saving is denied.
  case sharingDenied = 1

  /// Saving is allowed.
  case sharingAuthorized = 2
}
