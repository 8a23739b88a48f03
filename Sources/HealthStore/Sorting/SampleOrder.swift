import Foundation
import SampleLog

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

  /// The equivalent order of the storage engine, or nil if it has none.
  ///
  /// By start date if the order is empty.
  var rowOrder: RowOrder? {
    guard let first = terms.first else { return .start(ascending: true) }
    guard terms.count == 1 else { return nil }
    return switch first {
    case .field(.startDate, let isAscending): .start(ascending: isAscending)
    case .field(.endDate, let isAscending): .end(ascending: isAscending)
    default: nil
    }
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
