public import Foundation

/// A parser of metadata values, which exports contain as text.
///
/// The text alone does not determine the type: `1` is a Boolean under one key and an enumeration
/// value under another. The kind depends on the key.
public enum MetadataText {
  /// The kind of a key's values.
  public enum Kind: Sendable {
    /// Text; also the kind of undocumented keys.
    case string
    /// `0` or `1`.
    case boolean
    /// An enumeration or a version.
    case integer
    /// A number without a unit.
    case number
    /// An instant, written in UTC.
    case date
    /// A number and a unit, such as `418 cm`.
    case quantity
  }

  /// A value parsed from its text.
  public enum Value: Equatable, Sendable {
    /// The unchanged text.
    case string(String)
    /// A Boolean.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// An instant.
    case date(Date)
    /// A number and its unit, which depends on the phone's settings.
    case quantity(Double, unit: String)
  }

  /// Parses a metadata value.
  ///
  /// - Parameters:
  ///   - text: The `value` attribute.
  ///   - kind: The kind of the key's values.
  /// - Returns: The value, or nil if the text is not a value of that kind.
  public static func value(_ text: String, as kind: Kind) -> Value? {
    switch kind {
    case .string:
      return .string(text)
    case .boolean:
      switch text {
      case "0", "false", "NO": return .boolean(false)
      case "1", "true", "YES": return .boolean(true)
      default: return nil
      }
    case .integer:
      if let value = Int(text) { return .integer(value) }
      // A whole number that was stored as a double is written with a fraction.
      return NumberText.finite(text).flatMap { Int(exactly: $0) }.map { .integer($0) }
    case .number:
      return NumberText.finite(text).map { .number($0) }
    case .date:
      return ExportDateFormat.instant(text).map { .date($0) }
    case .quantity:
      guard let space = text.firstIndex(where: { $0.isWhitespace }) else { return nil }
      let unit = text[space...].drop { $0.isWhitespace }
      guard !unit.isEmpty, let value = NumberText.finite(text[..<space]) else { return nil }
      return .quantity(value, unit: String(unit))
    }
  }
}
