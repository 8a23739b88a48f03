import Foundation
import SampleLog

/// Conservative bounds of the dates of all matching samples, or of the days of all matching
/// summaries.
struct DateBounds {
  var start = Bounds.all
  var end = Bounds.all
  /// The bounds of the day number.
  var day = Bounds.all

  /// Derives bounds from a condition alone; never narrower than the matching objects.
  init(_ condition: SampleCondition) {
    switch condition {
    case .startDate(let relation, let date):
      start = Bounds(relation, date.timeIntervalSinceReferenceDate) ?? .all
    case .endDate(let relation, let date):
      end = Bounds(relation, date.timeIntervalSinceReferenceDate) ?? .all
    case .day(let relation, let day):
      self.day = Bounds(relation, Double(day.number)) ?? .all
    case .series(let field, let test): self = DateBounds(field, test)
    case .all(let parts):
      for part in parts {
        let bounds = DateBounds(part)
        start = start.intersection(bounds.start)
        end = end.intersection(bounds.end)
        day = day.intersection(bounds.day)
      }
    case .any(let parts):
      guard let first = parts.first else { return }
      self = parts.dropFirst().reduce(DateBounds(first)) { whole, part in
        let bounds = DateBounds(part)
        var wider = whole
        wider.start = whole.start.union(bounds.start)
        wider.end = whole.end.union(bounds.end)
        wider.day = whole.day.union(bounds.day)
        return wider
      }
    default: break
    }
  }
}

extension DateBounds {
  /// Derives bounds from a condition on the dates of the most recent value, which lie within those
  /// of its sample.
  fileprivate init(_ field: SeriesField, _ test: ValueTest) {
    guard field == .mostRecentStartDate || field == .mostRecentEndDate,
      case .relation(let relation) = test.operation, case .date(let date)? = test.operands.first,
      let bounds = Bounds(relation, date.timeIntervalSinceReferenceDate)
    else { return }
    start.upper = bounds.upper
    end.lower = bounds.lower
  }
}

extension Bounds {
  /// Creates the range of numbers that satisfy a relation to a number; returns nil if they are not
  /// a range.
  init?(_ relation: Relation, _ number: Double) {
    guard !number.isNaN else {
      // NaN is unordered, so the range is empty.
      self.init(lower: .infinity, upper: -.infinity)
      return
    }
    switch relation {
    case .less: self = .below(number)
    case .lessOrEqual: self = .through(number)
    case .equal: self.init(lower: number, upper: number)
    case .greaterOrEqual: self = .from(number)
    case .greater: self = .above(number)
    case .notEqual: return nil
    }
  }

  /// Returns the smallest range that contains both.
  func union(_ other: Bounds) -> Bounds {
    Bounds(lower: min(lower, other.lower), upper: max(upper, other.upper))
  }
}
