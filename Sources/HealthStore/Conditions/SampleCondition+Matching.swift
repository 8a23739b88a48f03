import Foundation
internal import SampleLog

// Evaluates conditions on objects, sources and activity summaries.
extension SampleCondition {
  /// Returns whether the object satisfies the condition.
  ///
  /// Comparisons of fields that the object's class lacks are false, so their negations are true. A
  /// field that is nil differs from every constant.
  ///
  /// - Throws: ``HKPredicateFormatError`` if matching text takes too many steps, and the errors of
  ///   reading a correlation.
  func matches(_ object: HKObject) throws -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .startDate(let relation, let date):
      guard let sample = object as? HKSample else { return false }
      return relation.holds(sample.startDate.seconds, date.seconds)
    case .endDate(let relation, let date):
      guard let sample = object as? HKSample else { return false }
      return relation.holds(sample.endDate.seconds, date.seconds)
    case .quantity(let relation, let quantity):
      guard
        let sample = object as? HKQuantitySample,
        let value = sample.quantity.converted(to: quantity.unit)
      else { return false }
      return relation.holds(value, quantity.value)
    case .categoryValue(let relation, let value):
      guard let sample = object as? HKCategorySample else { return false }
      return relation.holds(sample.value, value)
    case .uuid(let ids): return ids.contains(object.uuid)
    case .source(let sources): return sources.contains(object.sourceRevision.source)
    case .sourceRevision(let revisions):
      let own = object.sourceRevision
      return revisions.contains { $0.admits(own) }
    case .device(let devices): return devices.contains(object.device)
    case .text(let field, let test):
      return try test.matches(field.value(of: object).map(MetadataValue.string))
    case .metadata(let key, let test):
      return try test.matches(object.metadata?[key].flatMap(MetadataValue.init))
    case .correlated: return try (object as? HKSample)?.isCorrelated() ?? false
    case .series(let field, let test): return field.passes(test, object)
    case .record(let field, let test): return try field.passes(test, object)
    case .day, .workout, .effort: return false
    case .workoutProperty(let field, let test):
      return try (object as? HKWorkout).map { try field.matches($0, test) } ?? false
    case .workoutActivity(let condition):
      return try (object as? HKWorkout)?.workoutActivities.contains {
        try condition.matches($0)
      } ?? false
    case .all(let conditions): return try conditions.allSatisfy { try $0.matches(object) }
    case .any(let conditions): return try conditions.contains { try $0.matches(object) }
    case .not(let condition): return try !condition.matches(object)
    case .opaque(let opaque):
      // The duration of the program's own code is not bounded.
      try InlineWork.refuse()
      return try opaque.matches(object)
    }
  }

  /// Returns whether the source satisfies the condition, which may refer to names, identifiers and
  /// sources.
  func matches(_ source: HKSource) throws -> Bool {
    switch self {
    case .always: true
    case .source(let sources): sources.contains(source)
    case .text(let field, let test):
      try test.matches(field.value(of: source).map(MetadataValue.string))
    case .all(let conditions): try conditions.allSatisfy { try $0.matches(source) }
    case .any(let conditions): try conditions.contains { try $0.matches(source) }
    case .not(let condition): try !condition.matches(source)
    case .opaque(let opaque): try opaque.matches(source)
    default: false
    }
  }

  /// Returns whether the summary satisfies the condition, which may refer to its day.
  func matches(_ summary: HKActivitySummary) throws -> Bool {
    switch self {
    case .always: true
    case .day(let relation, let day): summary.day.map { relation.holds($0, day) } ?? false
    case .all(let conditions): try conditions.allSatisfy { try $0.matches(summary) }
    case .any(let conditions): try conditions.contains { try $0.matches(summary) }
    case .not(let condition): try !condition.matches(summary)
    case .opaque(let opaque): try opaque.matches(summary)
    default: false
    }
  }
}

extension Date {
  /// The date as a number.
  ///
  /// Unlike numbers, dates are ordered even if one is NaN.
  fileprivate var seconds: Double { timeIntervalSinceReferenceDate }
}
