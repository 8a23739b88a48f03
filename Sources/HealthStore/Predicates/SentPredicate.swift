import Foundation

/// A predicate that a descriptor takes to other threads.
///
/// Foundation does not declare predicates as `Sendable`, although they do not change once they are
/// made.
struct SentPredicate: Hashable, @unchecked Sendable {
  var predicate: NSPredicate?

  init(_ predicate: NSPredicate?) { self.predicate = predicate }
}
