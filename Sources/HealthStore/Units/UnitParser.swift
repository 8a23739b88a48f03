/// Parses a unit string: a quotient of products of powers of symbols.
///
///     unit     = empty | quotient
///     empty    = [ "(" empty ")" ]
///     quotient = product [ "/" product ]
///     product  = power { ( "." | "*" | "·" ) power }
///     power    = ( symbol | "1" | "(" quotient ")" ) [ "^" integer ]
///     integer  = [ "+" | "-" ] digit { digit }
///
/// A group with a "/" at any depth cannot be raised to a power. The maximum nesting depth of groups
/// is 16. The integer, and the power of a symbol after each multiplication, must be from -99 to 99.
struct UnitParser {
  private static let lengthLimit = 1024
  private static let depthLimit = 16

  private let bytes: [UInt8]
  private var position = 0
  /// The number of fractions parsed so far.
  private var fractionCount = 0

  /// Returns the symbols of a string with their powers, in order.
  static func parse(_ string: String) throws(HKUnitError) -> [UnitFactor] {
    guard string.utf8.count <= lengthLimit else { throw .tooLong }
    var parser = UnitParser(string)
    if try parser.isNullUnit() { return [] }
    let factors = try parser.quotient(depth: 0)
    guard parser.position == parser.bytes.count else { throw parser.unexpected() }
    return factors
  }

  private init(_ string: String) {
    bytes = Array(string.utf8)
  }

  /// Returns whether the string is the null unit: empty or only parentheses.
  ///
  /// The null unit cannot be part of a larger string.
  private func isNullUnit() throws(HKUnitError) -> Bool {
    let depth = bytes.prefix { $0 == UInt8(ascii: "(") }.count
    let rest = bytes.dropFirst(depth)
    guard rest.count == depth, rest.allSatisfy({ $0 == UInt8(ascii: ")") }) else { return false }
    if depth > Self.depthLimit { throw .tooDeep }
    return true
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func quotient(depth: Int) throws(HKUnitError) -> [UnitFactor] {
    guard depth <= Self.depthLimit else { throw .tooDeep }
    var factors = try product(depth: depth)
    if next == UInt8(ascii: "/") {
      position += 1
      fractionCount += 1
      factors += try UnitParser.raise(product(depth: depth), to: -1)
    }
    return factors
  }

  private mutating func product(depth: Int) throws(HKUnitError) -> [UnitFactor] {
    var factors = try power(depth: depth)
    while skipMultiplication() { factors += try power(depth: depth) }
    return factors
  }

  private mutating func power(depth: Int) throws(HKUnitError) -> [UnitFactor] {
    let count = fractionCount
    let base =
      next == UInt8(ascii: "(") ? try parentheses(depth: depth) : try symbol()
    guard next == UInt8(ascii: "^"), fractionCount == count else { return base }
    position += 1
    let start = position
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { position += 1 }
    while let digit = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
      position += 1
    }
    let digits = text(start..<position)
    guard let power = Int(digits), power.magnitude <= UnitForm.powerLimit else {
      throw .badPower(digits)
    }
    return try UnitParser.raise(base, to: power)
  }

  /// Parses a unit in parentheses, which must not be empty.
  private mutating func parentheses(depth: Int) throws(HKUnitError) -> [UnitFactor] {
    position += 1
    let inner = try quotient(depth: depth + 1)
    guard next == UInt8(ascii: ")") else { throw unexpected() }
    position += 1
    return inner
  }

  private mutating func symbol() throws(HKUnitError) -> [UnitFactor] {
    let start = position
    while let byte = next, !isDelimiter(byte) { position += 1 }
    if position == start { throw unexpected() }
    let symbol = text(start..<position)
    if next == UInt8(ascii: "<") { return [try mole(symbol)] }
    if symbol == "1" { return [] }
    guard let known = UnitSymbol.bySpelling[symbol] else { throw .unknownSymbol(symbol) }
    return [UnitFactor(symbol: known, power: 1)]
  }

  /// Parses `<180.15>` after `mol`, which may have a prefix.
  private mutating func mole(_ symbol: String) throws(HKUnitError) -> UnitFactor {
    guard symbol.hasSuffix("mol"), let prefix = UnitSymbol.prefixes[String(symbol.dropLast(3))]
    else { throw .unknownSymbol(symbol) }
    position += 1
    let start = position
    while let byte = next, byte != UInt8(ascii: ">") { position += 1 }
    guard next != nil else { throw .unexpectedEnd }
    let digits = text(start..<position)
    position += 1
    guard
      let mass = Double(digits), let mole = UnitSymbol.mole(molarMass: mass, prefix: prefix)
    else { throw .badMolarMass(digits) }
    return UnitFactor(symbol: mole, power: 1)
  }

  private mutating func skipMultiplication() -> Bool {
    switch next {
    case UInt8(ascii: "."), UInt8(ascii: "*"): position += 1
    case 0xC2 where position + 1 < bytes.count && bytes[position + 1] == 0xB7: position += 2
    default: return false
    }
    return true
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "^"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), 0xC2:
      true
    default: false
    }
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func unexpected() -> HKUnitError {
    guard let character = text(position..<bytes.count).first else { return .unexpectedEnd }
    return .unexpected(character, offset: position)
  }

  private static func raise(
    _ factors: [UnitFactor], to power: Int
  ) throws(HKUnitError) -> [UnitFactor] {
    var raised = factors
    for index in factors.indices {
      let product = factors[index].power * power
      guard abs(product) <= UnitForm.powerLimit else { throw .badPower("\(product)") }
      raised[index] = UnitFactor(symbol: factors[index].symbol, power: product)
    }
    return raised
  }
}
