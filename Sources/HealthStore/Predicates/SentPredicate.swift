import Foundation

/// A predicate that a descriptor shares with other threads.
///
/// Foundation does not declare predicates as `Sendable`, although they are immutable.
struct SentPredicate: Hashable, @unchecked Sendable {
  var predicate: NSPredicate?

  init(_ predicate: NSPredicate?) { self.predicate = predicate }
}
