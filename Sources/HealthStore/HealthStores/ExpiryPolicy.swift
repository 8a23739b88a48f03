public import Foundation
import SampleLog

/// The maximum age of samples by type, after which they are deleted.
///
/// This is an addition; HealthKit keeps samples until they are deleted explicitly.
///
/// ```swift
/// let year = 365.0 * 86_400
/// let policy = ExpiryPolicy(ages: [HKQuantityType(.heartRate): year], otherTypes: 10 * year)
/// try await store.deleteExpired(policy)
/// ```
public struct ExpiryPolicy: Hashable, Sendable {
  /// The maximum age per sample type, in seconds, 0 or more.
  ///
  /// Infinity keeps all samples of a type.
  public var ages: [HKSampleType: TimeInterval]
  /// The maximum age for every other type, in seconds.
  ///
  /// If nil, these samples are kept.
  public var otherTypes: TimeInterval?

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - ages: The maximum age by type, in seconds, 0 or more. Infinity keeps all samples of a
  ///     type.
  ///   - otherTypes: The maximum age for every other type, in seconds, including types that this
  ///     version does not know. If nil, these samples are kept.
  public init(ages: [HKSampleType: TimeInterval] = [:], otherTypes: TimeInterval? = nil) {
    self.ages = ages
    self.otherTypes = otherTypes
  }

  /// Returns the engine's expiry rules for a subject at the given time.
  func rules(subject: String, asOf now: Date) throws -> [ExpiryRule] {
    func rule(_ type: String?, _ age: TimeInterval) throws -> ExpiryRule {
      // Written so that NaN fails the check.
      guard age >= 0 else {
        throw HKError.make(
          .errorInvalidArgument, "An age is a number of seconds from 0 on, not \(age).")
      }
      let cutoff = now.timeIntervalSinceReferenceDate - age
      return ExpiryRule(subject: subject, type: type, endingBefore: cutoff)
    }
    var rules = try ages.map { try rule($0.key.identifier, $0.value) }
    // This rule goes last, because the first rule that matches a type decides.
    if let otherTypes { rules.append(try rule(nil, otherTypes)) }
    return rules
  }
}
