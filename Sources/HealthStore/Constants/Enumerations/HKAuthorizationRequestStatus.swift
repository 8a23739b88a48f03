/// Whether asking for authorisation would show anything.
public enum HKAuthorizationRequestStatus: Int, Sendable {
  /// It cannot be told.
  case unknown = 0

  /// Some type was not asked for yet.
  case shouldRequest = 1

  /// Every type was asked for already.
  case unnecessary = 2
}
