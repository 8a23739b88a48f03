/// Whether samples of a type may be saved.
public enum HKAuthorizationStatus: Int, Sendable {
  /// The user has not been asked.
  case notDetermined = 0

  /// Saving was denied.
  case sharingDenied = 1

  /// Saving was allowed.
  case sharingAuthorized = 2
}
