public import HealthKit

/// The sheet that asks a person for permission, with what they answer.
///
/// It may be used from any thread.
public final class AuthorizationSheet: @unchecked Sendable {
  private let lock = NSLock()
  private let shareDenied: Set<HKSampleType>
  private let readDenied: Set<HKObjectType>
  private let isDismissed: Bool
  private var shown: [AuthorizationRequest] = []

  /// Makes a sheet on which the person allows everything but some types.
  ///
  /// - Parameters:
  ///   - typesToShare: The types that they do not let the app share.
  ///   - typesToRead: The types that they do not let the app read.
  public init(
    denyingToShare typesToShare: Set<HKSampleType> = [],
    denyingToRead typesToRead: Set<HKObjectType> = []
  ) {
    shareDenied = typesToShare
    readDenied = typesToRead
    isDismissed = false
  }

  private init(isDismissed: Bool) {
    shareDenied = []
    readDenied = []
    self.isDismissed = isDismissed
  }

  /// Returns a sheet that the person closes without an answer: requests report
  /// `errorUserCanceled`, and the next one asks again.
  public static func dismissed() -> AuthorizationSheet { AuthorizationSheet(isDismissed: true) }

  /// What the sheet asked, in order: each time the types that had no answer yet.
  public var requests: [AuthorizationRequest] { lock.withLock { shown } }

  /// Shows the sheet: what an `AuthorizationPolicy` has as its request handler.
  ///
  /// - Returns: What the person allows of it.
  /// - Throws: `HKError` with `errorUserCanceled` if the person closes the sheet.
  public func answer(_ request: AuthorizationRequest) throws -> AuthorizationRequest {
    lock.withLock { shown.append(request) }
    if isDismissed { throw HKError(.errorUserCanceled) }
    return AuthorizationRequest(
      toShare: request.typesToShare.subtracting(shareDenied),
      read: request.typesToRead.subtracting(readDenied))
  }
}
