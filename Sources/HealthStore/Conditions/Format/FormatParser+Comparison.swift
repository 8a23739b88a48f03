import Foundation

// Parses comparisons in a predicate format string.
extension FormatParser {
  private enum Operand {
    case keyPath(String)
    case constant(ConditionConstant)
  }

  mutating func comparison() throws(HKPredicateFormatError) -> SampleCondition {
    let left = try operand()
    let comparing = try comparisonOperator()
    let options = try textOptions()
    let right = try operand()
    switch (left, right) {
    case (.keyPath(let keyPath), .constant(let constant)):
      let field = try ConditionField(keyPath: keyPath)
      return try SampleCondition(
        field, comparing, constant.reading(field, literals), options: options)
    case (.constant(let constant), .keyPath(let keyPath)):
      let field = try ConditionField(keyPath: keyPath)
      guard case .relation(let relation) = comparing else {
        throw .unsuitableOperator(keyPath: keyPath, operator: comparing.name)
      }
      return try SampleCondition(
        field, .relation(relation.mirrored), constant.reading(field, literals),
        options: options)
    case (.keyPath(let left), .keyPath(let right)):
      throw .twoKeyPaths(left, right)
    case (.constant(let left), .constant(let right)):
      return try compare(left, comparing, right, options)
    }
  }

  /// Evaluates a comparison of two constants, such as `1 == 1`, which programs use to match
  /// everything.
  private func compare(
    _ left: ConditionConstant, _ comparing: ConditionOperator, _ right: ConditionConstant,
    _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    // Compares like metadata, with a placeholder key.
    let condition = try SampleCondition(
      .metadata("constant"), comparing, right, options: options)
    switch left {
    case .null: return try condition.holdsForMetadata(nil) ? .always : .never
    case .value(let value):
      guard let value = MetadataValue(value) else { break }
      return try condition.holdsForMetadata(value) ? .always : .never
    case .list: break
    }
    throw .unsuitableConstant(keyPath: nil, constant: left.text)
  }

  private mutating func comparisonOperator() throws(HKPredicateFormatError) -> ConditionOperator {
    let comparing: ConditionOperator
    switch current {
    case .sign("="), .sign("=="): comparing = .relation(.equal)
    case .sign("!="), .sign("<>"): comparing = .relation(.notEqual)
    case .sign("<"): comparing = .relation(.less)
    case .sign("<="), .sign("=<"): comparing = .relation(.lessOrEqual)
    case .sign(">"): comparing = .relation(.greater)
    case .sign(">="), .sign("=>"): comparing = .relation(.greaterOrEqual)
    case .word(let word):
      switch word.uppercased() {
      case "BETWEEN": comparing = .between
      case "IN": comparing = .oneOf
      case "BEGINSWITH": comparing = .text(.beginsWith)
      case "ENDSWITH": comparing = .text(.endsWith)
      case "CONTAINS": comparing = .text(.contains)
      case "LIKE": comparing = .text(.like)
      case "MATCHES": comparing = .text(.matches)
      default: throw unexpected
      }
    default: throw unexpected
    }
    advance()
    return comparing
  }

  /// Parses the letters in brackets after an operator: `c` and `d`; `n` has no effect.
  private mutating func textOptions() throws(HKPredicateFormatError) -> TextOptions {
    guard takeSign("[") else { return [] }
    guard case .word(let letters)? = current else { throw unexpected }
    var options: TextOptions = []
    for letter in letters {
      switch letter {
      case "c", "C": options.insert(.caseInsensitive)
      case "d", "D": options.insert(.diacriticInsensitive)
      case "n", "N": break
      default: throw unexpected
      }
    }
    advance()
    try expectSign("]")
    return options
  }

  private mutating func operand() throws(HKPredicateFormatError) -> Operand {
    guard let token = current else { throw .unexpectedEnd }
    switch token {
    case .keyPath: return .keyPath(try keyPath())
    case .word(let word):
      switch word.uppercased() {
      case "YES", "TRUE": return constant(true)
      case "NO", "FALSE": return constant(false)
      case "NULL", "NIL":
        advance()
        return .constant(.null)
      case "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "SELF": throw unexpected
      default: return .keyPath(try keyPath())
      }
    case .text(let text): return constant(text)
    case .integer(let value): return constant(Int(value))
    case .double(let value): return constant(value)
    case .object:
      let (value, _) = try argument()
      advance()
      return .constant(ConditionConstant(value))
    case .wholeNumber: return try numberArgument("%d")
    case .number: return try numberArgument("%f")
    case .sign("{"): return .constant(try list())
    case .sign: throw unexpected
    }
  }

  private mutating func constant(_ value: Any) -> Operand {
    advance()
    return .constant(.value(value))
  }

  private mutating func numberArgument(
    _ placeholder: String
  ) throws(HKPredicateFormatError) -> Operand {
    let (value, index) = try argument()
    guard let number = value as? NSNumber else {
      throw .unsuitableArgument(index: index, placeholder: placeholder)
    }
    return constant(number)
  }

  private mutating func list() throws(HKPredicateFormatError) -> ConditionConstant {
    advance()
    return try nested { (parser) throws(HKPredicateFormatError) in
      var items: [ConditionConstant] = []
      if parser.takeSign("}") { return .list(items) }
      while true {
        guard case .constant(let item) = try parser.operand() else { throw parser.unexpected }
        items.append(item)
        if parser.takeSign("}") { return .list(items) }
        try parser.expectSign(",")
      }
    }
  }

  /// Parses names and placeholders joined by dots.
  ///
  /// The name after `metadata.` may contain dots.
  private mutating func keyPath() throws(HKPredicateFormatError) -> String {
    var path = ""
    while true {
      switch current {
      case .word(let word): path += word
      case .keyPath:
        let (value, index) = try argument()
        guard let name = value as? String else {
          throw .unsuitableArgument(index: index, placeholder: "%K")
        }
        path += name
      default: throw unexpected
      }
      advance()
      guard takeSign(".") else { return path }
      path += "."
    }
  }
}

extension SampleCondition {
  /// Returns whether a condition on a single metadata value holds.
  fileprivate func holdsForMetadata(
    _ value: MetadataValue?
  ) throws(HKPredicateFormatError) -> Bool {
    switch self {
    case .metadata(_, let test): return try test.matches(value)
    case .all(let parts):
      for part in parts where try !part.holdsForMetadata(value) { return false }
      return true
    case .any(let parts):
      for part in parts where try part.holdsForMetadata(value) { return true }
      return false
    default: return false
    }
  }
}
