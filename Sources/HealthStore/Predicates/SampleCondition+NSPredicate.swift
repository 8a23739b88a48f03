import Foundation

extension SampleCondition {
  /// What a predicate says, simplified; `nil` says nothing and so admits everything.
  ///
  /// Sees through this module's predicates and Foundation's compound ones. Everything else, a
  /// subclass of a compound predicate included, is opaque.
  init(_ predicate: NSPredicate?) {
    guard let predicate else {
      self = .always
      return
    }
    self = Self.read(predicate).simplified
  }

  private static func read(_ predicate: NSPredicate) -> SampleCondition {
    if let own = predicate as? SamplePredicate { return own.condition }
    guard
      type(of: predicate) == NSCompoundPredicate.self,
      let compound = predicate as? NSCompoundPredicate
    else { return .opaque(OpaquePredicate(predicate: predicate)) }
    let parts = compound.subpredicates
    switch compound.compoundPredicateType {
    case .and: return .all(parts.map(read))
    case .or: return .any(parts.map(read))
    case .not:
      guard let part = parts.first else { break }
      return .not(read(part))
    @unknown default: break
    }
    return .opaque(OpaquePredicate(predicate: predicate))
  }
}
