import Foundation

/// The order in which a query returns samples: by the first term, then by the next, and so on.
///
/// An empty order is unspecified.
struct SampleOrder: Sendable {
  /// One sort criterion.
  enum Term: Sendable {
    case field(SampleSortField, ascending: Bool)
    /// A custom comparison, which includes its direction.
    case comparator(@Sendable (HKSample, HKSample) -> ComparisonResult)
  }

  var terms: [Term]

  init(_ terms: [Term] = []) {
    self.terms = terms
  }

  /// The fields and directions if the order uses only fields, which the storage engine can sort by;
  /// otherwise nil.
  var fields: [(field: SampleSortField, ascending: Bool)]? {
    var fields: [(field: SampleSortField, ascending: Bool)] = []
    for term in terms {
      guard case .field(let field, let ascending) = term else { return nil }
      fields.append((field, ascending))
    }
    return fields
  }

  /// Returns the order of two samples; `.orderedSame` if all terms are equal.
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
