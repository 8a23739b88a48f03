public import HealthKit
private import Synchronization

/// A simulated authorization sheet with predefined answers.
///
/// Safe to use from any thread.
public final class AuthorizationSheet: Sendable {
  private let shareDenied: Set<HKSampleType>
  private let readDenied: Set<HKObjectType>
  private let isDismissed: Bool
  private let shown = Mutex<[AuthorizationRequest]>([])

  /// Creates a sheet that authorizes all types except the given ones.
  ///
  /// - Parameters:
  ///   - typesToShare: The types that the app is not authorized to share.
  ///   - typesToRead: The types that the app is not authorized to read.
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

  /// Returns a sheet that the user dismisses without an answer: requests report
  /// `errorUserCanceled`, and the next request asks again.
  public static func dismissed() -> AuthorizationSheet { AuthorizationSheet(isDismissed: true) }

  /// The requests shown so far, in order.
  ///
  /// Each contains the types that had no answer yet.
  public var requests: [AuthorizationRequest] { shown.withLock { $0 } }

  /// Shows the sheet; use it as the request handler of an `AuthorizationPolicy`.
  ///
  /// - Returns: The authorized part of the request.
  /// - Throws: `HKError` with `errorUserCanceled` if the sheet is dismissed.
  public func answer(_ request: AuthorizationRequest) throws -> AuthorizationRequest {
    shown.withLock { $0.append(request) }
    if isDismissed { throw HKError(.errorUserCanceled) }
    return AuthorizationRequest(
      toShare: request.typesToShare.subtracting(shareDenied),
      read: request.typesToRead.subtracting(readDenied))
  }
}
