/// Whether requesting authorization would prompt the user.
public enum HKAuthorizationRequestStatus: Int, Sendable {
  /// The status could not be determined.
  case unknown = 0

  /// At least one type has not been requested yet.
  case shouldRequest = 1

  /// All types have already been requested.
  case unnecessary = 2
}
