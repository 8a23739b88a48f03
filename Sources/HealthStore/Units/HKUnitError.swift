public import Foundation

/// An error in a unit string, or a conversion between incompatible units.
public enum HKUnitError: Error, Hashable, Sendable {
  /// The string is longer than 1,024 bytes.
  case tooLong

  /// Parentheses are nested more than 16 deep.
  case tooDeep

  /// The string contains an unknown symbol.
  case unknownSymbol(String)

  /// A character is not valid at its position; the offset is in bytes.
  case unexpected(Character, offset: Int)

  /// The string is incomplete.
  case unexpectedEnd

  /// A molar mass is missing, not a number, or not greater than zero.
  case badMolarMass(String)

  /// A power is missing, or is not an integer from -99 to 99, by itself or after multiplication.
  case badPower(String)

  /// A quantity in the first unit cannot be converted to the second.
  case incompatible(from: String, to: String)
}

extension HKUnitError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .tooLong: "the string is longer than 1,024 bytes."
    case .tooDeep: "the parentheses are nested more than 16 deep."
    case .unknownSymbol(let symbol): "\"\(symbol)\" is not the symbol of a unit."
    case .unexpected(let character, let offset):
      "\"\(character)\" does not fit at offset \(offset)."
    case .unexpectedEnd: "the string ends too early."
    case .badMolarMass(let text): "\"\(text)\" is not a molar mass in grams per mole."
    case .badPower(let text): "\"\(text)\" is not a whole power from -99 to 99."
    case .incompatible(let from, let to):
      "a quantity in \"\(from)\" cannot be expressed in \"\(to)\"."
    }
  }
}

extension HKUnitError: LocalizedError {
  /// The error as a sentence.
  public var errorDescription: String? { description }
}
