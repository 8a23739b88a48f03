/// Reads a unit string: a quotient of products of powers of symbols.
struct UnitParser {
  private static let lengthLimit = 1024
  private static let depthLimit = 16

  private let bytes: [UInt8]
  private var position = 0

  /// The symbols of the string with their powers, in the order they stand.
  static func parse(_ string: String) throws(HKUnitError) -> [UnitFactor] {
    // Both are the null unit, which nothing can be multiplied with in a string.
    if string.isEmpty || string == "()" { return [] }
    guard string.utf8.count <= lengthLimit else { throw .tooLong }
    var parser = UnitParser(string)
    let factors = try parser.quotient(depth: 0)
    guard parser.position == parser.bytes.count else { throw parser.unexpected() }
    return factors
  }

  private init(_ string: String) {
    bytes = Array(string.utf8)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func quotient(depth: Int) throws(HKUnitError) -> [UnitFactor] {
    guard depth <= Self.depthLimit else { throw .tooDeep }
    var factors = try product(depth: depth)
    if next == UInt8(ascii: "/") {
      position += 1
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
    if next == UInt8(ascii: "(") { return try parentheses(depth: depth) }
    let base = try symbol()
    guard next == UInt8(ascii: "^") else { return base }
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
    return UnitParser.raise(base, to: power)
  }

  /// Reads a unit in parentheses, which cannot be empty nor be raised to a power.
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

  /// Reads `<180.15>` after `mol`, which may have a prefix.
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

  private static func raise(_ factors: [UnitFactor], to power: Int) -> [UnitFactor] {
    factors.map { UnitFactor(symbol: $0.symbol, power: $0.power * power) }
  }
}
