public import Foundation

// What programs ask of a phone, which here needs nobody.

extension HKHealthStore {
  /// Reports that the request was handled, which needs nobody here.
  ///
  /// Objects that are asked for one by one may all be read; a policy is not asked.
  @preconcurrency
  public func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    WorkerPool.shared.async { WorkerPool.lend { completion(true, nil) } }
  }

  /// Returns once the request was handled, which needs nobody here.
  public func requestPerObjectReadAuthorization(
    for objectType: HKObjectType, predicate: NSPredicate?
  ) async throws {
    try await attempt {
      self.requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
    }
  }

  /// Reports that an extension's requests were handled, which needs nobody here.
  @preconcurrency
  public func handleAuthorizationForExtension(
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    WorkerPool.shared.async { WorkerPool.lend { completion(true, nil) } }
  }

  /// Returns once an extension's requests were handled, which needs nobody here.
  public func handleAuthorizationForExtension() async throws {
    try await attempt { self.handleAuthorizationForExtension(completion: $0) }
  }

  /// Reports that estimates of a type restart at a date; none are made here.
  ///
  /// Devices make estimates, and a store keeps what they saved. Reports `errorInvalidArgument` for
  /// a type that does not allow it, as `allowsRecalibrationForEstimates` tells.
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
    WorkerPool.shared.async { WorkerPool.lend { completion(error == nil, error) } }
  }

  /// Returns when estimates of a type restart at a date, or throws what the other form reports.
  public func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
    try await attempt {
      self.recalibrateEstimates(sampleType: sampleType, date: date, completion: $0)
    }
  }
}
