import Foundation

/// The order in which a query delivers samples: by the first term, then by the next, and so on.
///
/// Empty means that any order will do.
struct SampleOrder: Sendable {
  /// One sort criterion.
  enum Term: Sendable {
    case field(SampleSortField, ascending: Bool)
    /// Anything that only its own comparison can make sense of; knows its own direction.
    case comparator(@Sendable (HKSample, HKSample) -> ComparisonResult)
  }

  var terms: [Term]

  init(_ terms: [Term] = []) {
    self.terms = terms
  }

  /// The fields and directions when the order is by fields alone, as an engine can sort; else
  /// `nil`.
  var fields: [(field: SampleSortField, ascending: Bool)]? {
    var fields: [(field: SampleSortField, ascending: Bool)] = []
    for term in terms {
      guard case .field(let field, let ascending) = term else { return nil }
      fields.append((field, ascending))
    }
    return fields
  }

  /// How two samples stand in this order; `.orderedSame` when no term tells them apart.
  func compare(_ left: HKSample, _ right: HKSample) -> ComparisonResult {
    for term in terms {
      let result: ComparisonResult
      switch term {
      case .field(let field, ascending: true): result = field.compare(left, right)
      case .field(let field, ascending: false): result = field.compare(right, left)
      case .comparator(let compare): result = compare(left, right)
      }
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}
