import Foundation

// Converts Foundation's predicates to conditions.
extension SampleCondition {
  /// Creates the simplified condition of a predicate; nil matches everything.
  ///
  /// Analyses this module's predicates and Foundation's compound predicates. All others, including
  /// subclasses of compound predicates, are opaque.
  ///
  /// - Throws: ``HKPredicateFormatError/tooDeep(allowed:)`` if compound predicates of alternating
  ///   kinds are nested too deeply. Nested predicates of the same kind are flattened, and double
  ///   negations cancel out.
  init(_ predicate: NSPredicate?) throws(HKPredicateFormatError) {
    guard let predicate else {
      self = .always
      return
    }
    self = try Self.read(predicate, depth: 1).simplified
  }

  /// Returns whether two predicates are equivalent.
  ///
  /// A predicate that is nested too deeply equals only itself.
  static func isSame(_ left: NSPredicate?, _ right: NSPredicate?) -> Bool {
    if left === right { return true }
    do {
      return try SampleCondition(left) == SampleCondition(right)
    } catch {
      return false
    }
  }

  private static func read(
    _ predicate: NSPredicate, depth: Int
  ) throws(HKPredicateFormatError) -> SampleCondition {
    guard depth <= FormatParser.deepest else { throw .tooDeep(allowed: FormatParser.deepest) }
    let (inner, isNegated) = strip(predicate)
    if isNegated { return .not(try read(inner, depth: depth + 1)) }
    if let own = inner as? SamplePredicate { return own.condition }
    guard let compound = Self.compound(inner) else {
      return .opaque(OpaquePredicate(predicate: inner))
    }
    var parts: [SampleCondition] = []
    // Iterative, because predicates that are joined one at a time nest as deeply as their number.
    var rest = [NSPredicate](compound.subpredicates.reversed())
    while let next = rest.popLast() {
      if let same = Self.compound(next),
        same.compoundPredicateType == compound.compoundPredicateType
      {
        rest += same.subpredicates.reversed()
      } else {
        parts.append(try read(next, depth: depth + 1))
      }
    }
    return compound.compoundPredicateType == .and ? .all(parts) : .any(parts)
  }

  /// Returns a predicate without its negations, and whether their number is odd.
  private static func strip(_ predicate: NSPredicate) -> (inner: NSPredicate, isNegated: Bool) {
    var inner = predicate
    var isNegated = false
    while type(of: inner) == NSCompoundPredicate.self, let compound = inner as? NSCompoundPredicate,
      compound.compoundPredicateType == .not, let part = compound.subpredicates.first
    {
      inner = part
      isNegated.toggle()
    }
    return (inner, isNegated)
  }

  /// Returns the predicate as a Foundation conjunction or disjunction, or nil if it is neither.
  private static func compound(_ predicate: NSPredicate) -> NSCompoundPredicate? {
    guard type(of: predicate) == NSCompoundPredicate.self,
      let compound = predicate as? NSCompoundPredicate
    else { return nil }
    switch compound.compoundPredicateType {
    case .and, .or: return compound
    default: return nil
    }
  }
}
