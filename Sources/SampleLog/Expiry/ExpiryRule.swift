/// Up to when samples of some subjects and types go.
///
/// Of several rules the first that names a sample's subject and type decides, so an exception
/// stands before what it is an exception from. Samples that no rule names stay.
public struct ExpiryRule: Hashable, Sendable {
  /// Whose samples; nil for everybody's.
  public var subject: String?
  /// Samples of what type; nil for every type.
  public var type: String?
  /// Samples whose end date is before this go, in seconds since 2001-01-01 00:00 UTC.
  ///
  /// A sample that ends exactly then stays. Minus infinity keeps all.
  public var cutoff: Double

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - subject: Whose samples; nil for everybody's.
  ///   - type: Samples of what type; nil for every type.
  ///   - cutoff: Samples that end before this go, in seconds since 2001-01-01 00:00 UTC.
  public init(subject: String? = nil, type: String? = nil, endingBefore cutoff: Double) {
    self.subject = subject
    self.type = type
    self.cutoff = cutoff
  }

  /// Whether it names a series; names are compared as they are stored, byte by byte, because
  /// strings that are equal as text may be names of different people.
  func names(subject: [UInt8], type: [UInt8]) -> Bool {
    self.subject?.utf8.elementsEqual(subject) ?? true
      && self.type?.utf8.elementsEqual(type) ?? true
  }

  /// Throws when the cut-off is no time; a slip must not delete everything.
  func check() throws {
    guard cutoff < .infinity else {
      throw StoreError.invalid("The cut-off of an expiry rule must be a time, not \(cutoff).")
    }
  }
}
