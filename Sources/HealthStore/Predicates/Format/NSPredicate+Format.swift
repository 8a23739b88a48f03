public import Foundation

/// Gives `NSPredicate` the initialisers with a format that Foundation lacks on Linux.
///
/// Only `NSPredicate` conforms. A protocol's initialiser may assign `self`, so that the result is a
/// predicate that a query can take apart; a class's may not.
public protocol HKPredicateFormatting {}

extension NSPredicate: HKPredicateFormatting {}

extension HKPredicateFormatting where Self: NSPredicate {
  /// Makes a predicate on samples, or on sources, from a format string.
  ///
  /// Key paths: `startDate`, `endDate`, `quantity`, `value`, `UUID`, `source`, `sourceRevision`,
  /// `device`, their text properties such as `source.name` and `device.model`, `correlation`, and
  /// `metadata.` followed by a key; for sources `name` and `bundleIdentifier`; and all others that
  /// the `HKPredicateKeyPath…` constants name. As in any `NSPredicate`, an optional property that
  /// is nil, such as `device.name` of a sample without a device, differs from every constant: `!=`
  /// admits it and no other comparison does. A property that the object's class does not have
  /// satisfies no comparison at all. Traps where `healthPredicate(format:arguments:)` throws.
  public init(format predicateFormat: String, _ args: Any?...) {
    self = Self.make(predicateFormat, args)
  }

  /// Makes a predicate on samples, or on sources, from a format string.
  ///
  /// The same as `init(format:_:)`, with the arguments in an array.
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
  /// Makes a predicate on samples, or on sources, from a format string.
  ///
  /// Our addition beside `init(format:_:)`, for formats from outside: throws instead of trapping.
  public static func healthPredicate(
    format: String, arguments: [Any?] = []
  ) throws(HKPredicateFormatError) -> NSPredicate {
    SamplePredicate(try FormatParser.parse(format, arguments))
  }
}
