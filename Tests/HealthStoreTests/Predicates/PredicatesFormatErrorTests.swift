import Foundation
import HealthStore
import Testing

@Suite struct PredicatesFormatErrorTests {
  @Test(
    arguments: [
      ("", .unexpectedEnd), ("startDate", .unexpectedEnd), ("startDate <", .unexpectedEnd),
      ("startDate < %@ AND", .missingArgument(index: 0)), ("(1 == 1", .unexpectedEnd),
      ("1 == 1)", .unexpected(")", offset: 6)), ("1 == 1 1", .unexpected("1", offset: 7)),
      ("startDate ~ 1", .unexpected("~", offset: 10)),
      ("startDate LIKES 'x'", .unexpected("LIKES", offset: 10)),
      ("metadata.k == 'x", .unterminatedText(offset: 14)),
      ("colour == 1", .unknownKeyPath("colour")),
      ("device.colour == 1", .unknownKeyPath("device.colour")),
      ("metadata == 1", .unknownKeyPath("metadata")),
      ("startDate == endDate", .twoKeyPaths("startDate", "endDate")),
      ("startDate == 'x'", .unsuitableConstant(keyPath: "startDate", constant: "x")),
      ("quantity > 5", .unsuitableConstant(keyPath: "quantity", constant: "5")),
      ("value == 'x'", .unsuitableConstant(keyPath: "value", constant: "x")),
      ("UUID == 'x'", .unsuitableConstant(keyPath: "UUID", constant: "x")),
      ("startDate < nil", .unsuitableConstant(keyPath: "startDate", constant: "nil")),
      ("value CONTAINS 'x'", .unsuitableOperator(keyPath: "value", operator: "CONTAINS")),
      ("value BETWEEN {1}", .unsuitableConstant(keyPath: "value", constant: "{1}")),
      ("value IN 1", .unsuitableConstant(keyPath: "value", constant: "1")),
      ("metadata.k MATCHES '('", .invalidPattern("(")),
      ("metadata.k CONTAINS 5", .unsuitableConstant(keyPath: "metadata.k", constant: "5")),
      ("metadata.k CONTAINS[x] 'a'", .unexpected("x", offset: 20)),
      ("metadata. == 1", .unexpected("==", offset: 10)),
      ("ANY metadata.k == 1", .unexpected("ANY", offset: 0)),
      ("%y == 1", .unexpected("%y", offset: 0)), ("%", .unexpectedEnd),
      ("value == 1e999", .unexpected("1e999", offset: 9)),
      ("value == {1", .unexpectedEnd), ("value IN {1 2}", .unexpected("2", offset: 12)),
    ] as [(String, HKPredicateFormatError)])
  func `Each mistake throws an error that names it`(
    format: String, expected: HKPredicateFormatError
  ) {
    #expect(throws: expected) { try NSPredicate.healthPredicate(format: format) }
  }

  @Test func `Arguments that do not fit their placeholder are refused by number`() {
    #expect(throws: HKPredicateFormatError.unsuitableArgument(index: 0, placeholder: "%K")) {
      try NSPredicate.healthPredicate(format: "%K == 1", arguments: [5])
    }
    #expect(throws: HKPredicateFormatError.unsuitableArgument(index: 1, placeholder: "%d")) {
      try NSPredicate.healthPredicate(format: "%K == %d", arguments: ["value", "x"])
    }
    #expect(throws: HKPredicateFormatError.missingArgument(index: 1)) {
      try NSPredicate.healthPredicate(format: "%K == %@", arguments: ["value"])
    }
    #expect(throws: HKPredicateFormatError.self) {
      try NSPredicate.healthPredicate(format: "metadata.k == %@", arguments: [Data()])
    }
  }

  @Test func `Deep nesting is refused before it can exhaust the stack`() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "1 == 1" + String(repeating: close, count: depth)
    }
    _ = try NSPredicate.healthPredicate(format: nested(60, "(", ")"))
    for (open, close) in [("(", ")"), ("NOT ", ""), ("!", "")] {
      #expect(throws: HKPredicateFormatError.tooDeep(allowed: 64)) {
        try NSPredicate.healthPredicate(format: nested(100_000, open, close))
      }
    }
    let lists = String(repeating: "{", count: 100_000)
    #expect(throws: HKPredicateFormatError.tooDeep(allowed: 64)) {
      try NSPredicate.healthPredicate(format: "value IN " + lists)
    }
  }

  @Test func `A long flat format is read without deep recursion`() throws {
    let format = Array(repeating: "value == 1", count: 5000).joined(separator: " OR ")
    _ = try NSPredicate.healthPredicate(format: format)
  }

  @Test func `Random formats parse or throw, and never trap`() {
    var state: UInt64 = 11
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % bound
    }
    let pieces = [
      "startDate", "value", "metadata.", "metadata.k", "UUID", "%@", "%K", "%d", "(", ")", "{", "}",
      ",", "AND", "OR", "NOT", "==", "<", "IN", "BETWEEN", "LIKE", "MATCHES", "[cd]", "'a*'",
      "\"", "1", "-2.5", "YES", "NULL", "!", "&&", "device", "device.name", ".", "%", "é", "\\",
    ]
    var parsed = 0
    for _ in 0..<20_000 {
      let format = (0..<random(9)).map { _ in pieces[random(pieces.count)] }
        .joined(separator: random(4) == 0 ? "" : " ")
      let arguments: [Any?] = ["value", 3, nil, Date(), [1, 2]]
      if (try? NSPredicate.healthPredicate(format: format, arguments: arguments)) != nil {
        parsed += 1
      }
    }
    #expect(parsed > 10)
  }

  @Test func `The plain initialiser traps if the other one throws`() async {
    await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "colour == 1") }
  }
}
