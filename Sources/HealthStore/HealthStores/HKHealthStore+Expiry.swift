public import Foundation
import SampleLog

// Deletes samples that exceed a maximum age.
extension HKHealthStore {
  /// Deletes the samples of a type that are older than a given age, and returns their number.
  ///
  /// Equivalent to ``deleteExpired(_:asOf:)`` with a policy for one type.
  ///
  /// - Parameters:
  ///   - sampleType: The type.
  ///   - age: The maximum age in seconds, 0 or more.
  /// - Returns: The number of deleted samples.
  /// - Throws: The same errors as ``deleteExpired(_:asOf:)``.
  @discardableResult
  public func deleteObjects(
    of sampleType: HKSampleType, olderThan age: TimeInterval
  ) async throws -> Int {
    try await deleteExpired(ExpiryPolicy(ages: [sampleType: age]))
  }

  /// Deletes the samples that are older than a policy allows, and returns their number.
  ///
  /// This is an addition; HealthKit has no equivalent. The age of a sample is the time since its
  /// *end*; a sample whose age equals the maximum is kept. Queries and observers report these
  /// deletions like any others, and the members of a deleted correlation are kept. Only this
  /// object's subject is affected. The operation is not atomic: it deletes up to 10,000 samples per
  /// commit, and other writers can commit in between. Samples saved after the call began are left
  /// to the next call. If an error or cancellation ended the work, another call continues it.
  ///
  /// Deleting does not reclaim disk space; ``compact()`` does.
  ///
  /// - Parameters:
  ///   - policy: The maximum ages.
  ///   - now: The time from which ages are computed.
  /// - Returns: The number of deleted samples.
  /// - Throws: ``HKError`` with `errorInvalidArgument` if an age is negative or the time is NaN
  ///   or positive infinity, or with `errorDatabaseInaccessible` if the store cannot be written to;
  ///   `CancellationError` if the task is cancelled. Samples deleted before the error stay
  ///   deleted.
  /// - Complexity: Time linear in the number of samples in the blocks that hold expired ones;
  ///   memory for 10,000 samples.
  @discardableResult
  public func deleteExpired(_ policy: ExpiryPolicy, asOf now: Date = Date()) async throws -> Int {
    let rules = try policy.rules(subject: subject, asOf: now)
    let isCancelled = Locked(false)
    return try await withTaskCancellationHandler {
      try await changing { store, _ in
        do {
          return try store.database.expire(rules, isCancelled: { isCancelled.withLock { $0 } })
            .sampleCount
        } catch StoreError.cancelled {
          throw CancellationError()
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
  }
}
