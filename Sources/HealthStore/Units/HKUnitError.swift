public import Foundation

/// Why a string is not a unit, or why two units do not go together.
public enum HKUnitError: Error, Hashable, Sendable {
  /// The string is longer than any unit needs to be: more than 1,024 bytes.
  case tooLong

  /// Parentheses are nested more than 16 deep.
  case tooDeep

  /// The string has a symbol that names no unit.
  case unknownSymbol(String)

  /// A character does not fit where it stands; the offset counts bytes from the start.
  case unexpected(Character, offset: Int)

  /// The string ends where more was expected.
  case unexpectedEnd

  /// A molar mass is missing, not a number, or not greater than zero.
  case badMolarMass(String)

  /// A power is missing, or not a whole number from -99 to 99, alone or multiplied out.
  case badPower(String)

  /// A quantity in the first unit cannot be expressed in the second.
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
