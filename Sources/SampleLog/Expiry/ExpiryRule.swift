/// A rule that expires samples of some subjects and types that ended before a cutoff.
///
/// If several rules name a sample's subject and type, the first applies, so an exception must
/// precede the general rule. Samples that no rule names do not expire.
public struct ExpiryRule: Hashable, Sendable {
  /// The subject to which the rule applies, or nil for every subject.
  public var subject: String?
  /// The type to which the rule applies, or nil for every type.
  public var type: String?
  /// The time, in seconds since 2001-01-01 00:00 UTC, before which a sample must end to expire.
  ///
  /// A sample that ends exactly at the cutoff is kept. Minus infinity keeps all samples.
  public var cutoff: Double

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - subject: The subject to which the rule applies, or nil for every subject.
  ///   - type: The type to which the rule applies, or nil for every type.
  ///   - cutoff: The time, in seconds since 2001-01-01 00:00 UTC, before which samples must end to
  ///     expire.
  public init(subject: String? = nil, type: String? = nil, endingBefore cutoff: Double) {
    self.subject = subject
    self.type = type
    self.cutoff = cutoff
  }

  /// Returns whether the rule names a series.
  ///
  /// Names are compared byte by byte, as they are stored, because strings that are canonically
  /// equivalent may name different subjects.
  func names(subject: [UInt8], type: [UInt8]) -> Bool {
    self.subject?.utf8.elementsEqual(subject) ?? true
      && self.type?.utf8.elementsEqual(type) ?? true
  }

  /// Throws if the cutoff is not a time, so that a mistake cannot delete all samples.
  func check() throws {
    guard cutoff < .infinity else {
      throw StoreError.invalid("The cut-off of an expiry rule must be a time, not \(cutoff).")
    }
  }
}
