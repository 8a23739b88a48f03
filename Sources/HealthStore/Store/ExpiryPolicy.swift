public import Foundation
import SampleLog

/// How old samples may become before they are deleted, by type.
///
/// Our addition; HealthKit keeps samples until somebody deletes them.
///
/// ```swift
/// let year = 365.0 * 86_400
/// let policy = ExpiryPolicy(ages: [HKQuantityType(.heartRate): year], otherTypes: 10 * year)
/// try await store.deleteExpired(policy)
/// ```
public struct ExpiryPolicy: Hashable, Sendable {
  /// The ages after which samples of some types are deleted, in seconds, 0 or more; infinity keeps
  /// all samples of a type.
  public var ages: [HKSampleType: TimeInterval]
  /// The age for every other type, in seconds; nil keeps them.
  public var otherTypes: TimeInterval?

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - ages: Ages by type, in seconds, 0 or more; infinity keeps all samples of a type.
  ///   - otherTypes: The age for every other type, also for types that this version does not know;
  ///     nil keeps them.
  public init(ages: [HKSampleType: TimeInterval] = [:], otherTypes: TimeInterval? = nil) {
    self.ages = ages
    self.otherTypes = otherTypes
  }

  /// What the policy means for somebody's samples at some time.
  func rules(subject: String, asOf now: Date) throws -> [ExpiryRule] {
    func rule(_ type: String?, _ age: TimeInterval) throws -> ExpiryRule {
      // Written so that NaN fails it.
      guard age >= 0 else {
        throw HKError.make(
          .errorInvalidArgument, "An age is a number of seconds from 0 on, not \(age).")
      }
      let cutoff = now.timeIntervalSinceReferenceDate - age
      return ExpiryRule(subject: subject, type: type, endingBefore: cutoff)
    }
    var rules = try ages.map { try rule($0.key.identifier, $0.value) }
    // Last, for the first rule that names a type decides.
    if let otherTypes { rules.append(try rule(nil, otherTypes)) }
    return rules
  }
}
