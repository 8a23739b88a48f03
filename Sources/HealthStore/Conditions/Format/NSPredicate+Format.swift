public import Foundation

/// The format initialisers of `NSPredicate` that Foundation lacks on Linux.
///
/// Only `NSPredicate` conforms. A protocol is necessary because its initialisers may assign `self`,
/// and so return a predicate that queries can analyse; those of a class may not.
public protocol HKPredicateFormatting {}

extension NSPredicate: HKPredicateFormatting {}

extension HKPredicateFormatting where Self: NSPredicate {
  /// Creates a predicate on samples or sources from a format string.
  ///
  /// Key paths: `startDate`, `endDate`, `quantity`, `value`, `UUID`, `source`, `sourceRevision`,
  /// `device`, their text properties such as `source.name` and `device.model`, `correlation`, and
  /// `metadata.` followed by a key; for sources `name` and `bundleIdentifier`; and all others in
  /// the `HKPredicateKeyPath…` constants. As in any `NSPredicate`, an optional property that is
  /// nil, such as `device.name` of a sample without a device, differs from every constant: it
  /// satisfies `!=` and no other comparison. A property that the object's class does not have
  /// satisfies no comparison. Traps if `healthPredicate(format:arguments:)` would throw.
  public init(format predicateFormat: String, _ args: Any?...) {
    self = Self.make(predicateFormat, args)
  }

  /// Creates a predicate on samples or sources from a format string.
  ///
  /// Equivalent to `init(format:_:)`, with the arguments in an array.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = Self.make(predicateFormat, arguments ?? [])
  }

  private static func make(_ format: String, _ arguments: [Any?]) -> Self {
    let predicate = SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      try FormatParser.parse(format, arguments)
    }
    guard let made = predicate as? Self else {
      fatalError("A format makes an NSPredicate, not a \(Self.self).")
    }
    return made
  }
}

extension NSPredicate {
  /// Returns a predicate on samples or sources for a format string.
  ///
  /// This is an addition for formats from untrusted sources: it throws where `init(format:_:)`
  /// traps.
  public static func healthPredicate(
    format: String, arguments: [Any?] = []
  ) throws(HKPredicateFormatError) -> NSPredicate {
    SamplePredicate(try FormatParser.parse(format, arguments))
  }
}
