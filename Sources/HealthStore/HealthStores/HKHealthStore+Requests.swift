public import Foundation

// Requests that show a prompt on a phone. A server has no user to ask, so they succeed at once.

extension HKHealthStore {
  /// Reports that the request was handled, without prompting a user.
  ///
  /// Objects that require per-object authorization can all be read; the authorization policy is
  /// not consulted.
  @preconcurrency
  public func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    WorkerPool.shared.async { WorkerPool.blocking { completion(true, nil) } }
  }

  /// Returns once the request has been handled, without prompting a user.
  public func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?
  ) async throws {
    try await attempt {
      self.requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
    }
  }

  /// Reports that an extension's requests were handled, without prompting a user.
  @preconcurrency
  public func handleAuthorizationForExtension(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    WorkerPool.shared.async { WorkerPool.blocking { completion(true, nil) } }
  }

  /// Returns once the requests of an extension have been handled, without prompting a user.
  public func handleAuthorizationForExtension() async throws {
    try await attempt { self.handleAuthorizationForExtension(completion: $0) }
  }

  /// Reports that the estimates of a type were recalibrated starting at a date.
  ///
  /// No estimates are changed.
  ///
  /// Devices compute estimates; a store only holds the samples that they saved. Reports
  /// `errorInvalidArgument` if `allowsRecalibrationForEstimates` of the type is false.
  @preconcurrency
  public func recalibrateEstimates(
    sampleType: HKSampleType, date: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let error =
      sampleType.allowsRecalibrationForEstimates
      ? nil
      : HKError.make(
        .errorInvalidArgument,
        "Estimates of \(sampleType.identifier) cannot be recalibrated; ask the type first.")
    WorkerPool.shared.async { WorkerPool.blocking { completion(error == nil, error) } }
  }

  /// Recalibrates the estimates of a type starting at a date, or throws the error that the
  /// completion-handler version reports.
  public func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
    try await attempt {
      self.recalibrateEstimates(sampleType: sampleType, date: date, completion: $0)
    }
  }
}
