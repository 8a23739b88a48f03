public import Foundation
import SampleLog

extension HKHealthStore {
  /// Deletes the samples of a type that are older than an age, and returns how many there were.
  ///
  /// The same as ``deleteExpired(_:asOf:)`` with one type.
  ///
  /// - Parameters:
  ///   - sampleType: The type.
  ///   - age: The age in seconds, 0 or more.
  /// - Returns: How many samples were deleted.
  /// - Throws: What ``deleteExpired(_:asOf:)`` throws.
  @discardableResult
  public func deleteObjects(
    of sampleType: HKSampleType, olderThan age: TimeInterval
  ) async throws -> Int {
    try await deleteExpired(ExpiryPolicy(ages: [sampleType: age]))
  }

  /// Deletes the samples that are older than a policy allows, and returns how many there were.
  ///
  /// Our addition; HealthKit has no such thing. A sample is older when it *ended* longer ago than
  /// the age says; one that ended exactly that long ago stays. The deletions are ordinary ones:
  /// queries and observers report them as any others, and the objects of a deleted correlation
  /// stay. Only this object's subject is concerned. It is not all or nothing: up to 10,000 samples
  /// at a time are deleted together, others save in between, and what is saved meanwhile is left
  /// for the next call. Calling again goes on where an error or a cancelled task ended the work.
  ///
  /// Deleting gives no space back; ``compact()`` does.
  ///
  /// - Parameters:
  ///   - policy: How old samples may become.
  ///   - now: The time from which ages are counted.
  /// - Returns: How many samples were deleted.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for an age below 0 or a time that is none,
  ///   with `errorDatabaseInaccessible` when the store cannot be written to, and
  ///   `CancellationError` when the task was cancelled; what was deleted until then stays deleted.
  /// - Complexity: Time linear in the samples of the blocks that hold old ones; memory for 10,000
  ///   samples.
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
