public import Foundation

/// Metadata values, which an export turns into text.
///
/// The text alone does not say what it was: `1` is a truth value under one key and an enumeration
/// under another. The kind has to come from the key.
public enum MetadataText {
  /// What a key's values are.
  public enum Kind: Sendable {
    /// Text, and the kind of keys nobody has described.
    case string
    /// `0` or `1`.
    case boolean
    /// An enumeration or a version.
    case integer
    /// A number without a unit.
    case number
    /// An instant, printed in UTC.
    case date
    /// A number and a unit, such as `418 cm`.
    case quantity
  }

  /// A value recovered from its text.
  public enum Value: Equatable, Sendable {
    /// Text as it stood there.
    case string(String)
    /// A truth value.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// An instant.
    case date(Date)
    /// A number and its unit, which follows the phone's settings.
    case quantity(Double, unit: String)
  }

  /// The value that `text` stands for.
  ///
  /// - Parameters:
  ///   - text: The `value` attribute.
  ///   - kind: What the key's values are.
  /// - Returns: Nil when the text is no value of that kind.
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
      // Whole numbers that were stored as doubles are printed as such.
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
