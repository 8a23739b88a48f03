import SampleLogSimulation
import Testing

@testable import HealthStore

/// Parses unit strings by rewriting them, unlike the recursive parser.
///
/// Strings consist of seconds, powers, groups, products and fractions. Each step replaces the
/// innermost group by one piece, until the string is a quotient without groups or nothing can be
/// replaced.
private struct UnitOracle {
  private enum Piece: Equatable {
    case mark(Character)
    case power(Int)
    /// A power of seconds; `isFraction` if it contains a fraction.
    case unit(Int, isFraction: Bool)
  }

  /// Returns the power of seconds of a unit string, or nil if the string is invalid.
  static func meaning(of tokens: [String]) -> Int? {
    let opening = tokens.prefix { $0 == "(" }.count
    if tokens.count == 2 * opening, tokens.dropFirst(opening).allSatisfy({ $0 == ")" }) { return 0 }
    var pieces = tokens.map { token -> Piece in
      switch token {
      case "s": .unit(1, isFraction: false)
      case "1": .unit(0, isFraction: false)
      case _ where token.first == "^": .power(Int(token.dropFirst()) ?? 0)
      default: .mark(token == "*" || token == "·" ? "." : Character(token))
      }
    }
    while let close = pieces.firstIndex(of: .mark(")")) {
      guard let open = pieces[..<close].lastIndex(of: .mark("(")),
        let inner = quotient(pieces[(open + 1)..<close])
      else { return nil }
      pieces.replaceSubrange(open...close, with: [inner])
    }
    guard case .unit(let power, _)? = quotient(pieces[...]) else { return nil }
    return power
  }

  private static func quotient(_ pieces: ArraySlice<Piece>) -> Piece? {
    let sides = pieces.split(separator: .mark("/"), omittingEmptySubsequences: false)
    guard sides.count <= 2 else { return nil }
    var (sum, isFraction) = (0, sides.count == 2)
    for (index, side) in sides.enumerated() {
      for factor in side.split(separator: .mark("."), omittingEmptySubsequences: false) {
        guard case .unit(let power, let hasFraction)? = factor.first, factor.count <= 2 else {
          return nil
        }
        isFraction = isFraction || hasFraction
        var raised = power
        if factor.count == 2 {
          guard case .power(let exponent)? = factor.last, !hasFraction else { return nil }
          raised *= exponent
        }
        sum += index == 0 ? raised : -raised
      }
    }
    return .unit(sum, isFraction: isFraction)
  }
}

/// Compares unit strings with an oracle of their grammar.
@Suite struct UnitsOracleTests {
  private func check(_ tokens: [String]) {
    // A digit after a power would become part of it.
    let isAmbiguous = zip(tokens, tokens.dropFirst()).contains { $0.first == "^" && $1 == "1" }
    if isAmbiguous { return }
    let string = tokens.joined()
    let expected = UnitOracle.meaning(of: tokens)
    let unit = try? HKUnit.parse(string)
    #expect((unit != nil) == (expected != nil), "\(string)")
    if let expected, let unit {
      #expect(unit == HKUnit.second().unitRaised(toPower: expected), "\(string)")
    }
  }

  @Test func `every string of up to six pieces is accepted or refused by the grammar`() {
    let alphabet = ["s", "^2", "(", ")", ".", "/"]
    for count in 0...6 {
      var digits = [Int](repeating: 0, count: count)
      repeat {
        check(digits.map { alphabet[$0] })
        var place = 0
        while place < count, digits[place] == alphabet.count - 1 {
          digits[place] = 0
          place += 1
        }
        if place == count { break }
        digits[place] += 1
      } while true
    }
  }

  @Test(arguments: 0..<8)
  func `strings of the grammar and their neighbours agree with the oracle`(
    seed: UInt64
  ) {
    var random = Seeded(mixing: seed)
    var accepted = 0
    for _ in 0..<1500 {
      var tokens = Self.quotient(&random, depth: 0)
      // Within the limit of powers, whatever is replaced below.
      let (units, squares) = (tokens.count { $0 == "s" }, tokens.count { $0 == "^2" })
      if units > 11 || squares > 2 { continue }
      check(tokens)
      accepted += UnitOracle.meaning(of: tokens) == nil ? 0 : 1
      let pieces = ["s", "^2", "^-1", "(", ")", ".", "/", "1", "·", "*"]
      let piece = pieces[random.drawn(below: pieces.count)]
      switch random.drawn(below: 3) {
      case 0: tokens.insert(piece, at: random.drawn(below: tokens.count + 1))
      case 1: tokens[random.drawn(below: tokens.count)] = piece
      default: tokens.remove(at: random.drawn(below: tokens.count))
      }
      check(tokens)
    }
    #expect(accepted > 300)
  }

  private static func quotient(_ random: inout Seeded, depth: Int) -> [String] {
    var tokens = product(&random, depth: depth)
    if random.once(in: 3) { tokens += ["/"] + product(&random, depth: depth) }
    return tokens
  }

  private static func product(_ random: inout Seeded, depth: Int) -> [String] {
    var tokens = power(&random, depth: depth)
    while random.once(in: 3) {
      tokens.append([".", "*", "·"][random.drawn(below: 3)])
      tokens += power(&random, depth: depth)
    }
    return tokens
  }

  private static func power(_ random: inout Seeded, depth: Int) -> [String] {
    var tokens = [random.once(in: 6) ? "1" : "s"]
    if depth < 3, random.once(in: 3) {
      tokens = ["("] + quotient(&random, depth: depth + 1) + [")"]
    }
    if random.once(in: 3) { tokens.append(["^2", "^-1", "^1", "^0"][random.drawn(below: 4)]) }
    return tokens
  }
}
