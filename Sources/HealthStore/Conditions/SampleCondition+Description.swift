import Foundation

// Conditions as format strings.
extension SampleCondition: CustomStringConvertible {
  /// The condition in format string syntax.
  var description: String {
    switch self {
    case .always: "TRUEPREDICATE"
    case .never: "FALSEPREDICATE"
    case .startDate(let relation, let date): "startDate \(relation.rawValue) \(date.quoted)"
    case .endDate(let relation, let date): "endDate \(relation.rawValue) \(date.quoted)"
    case .quantity(let relation, let quantity): "quantity \(relation.rawValue) \(quantity)"
    case .categoryValue(let relation, let value): "value \(relation.rawValue) \(value)"
    case .uuid(let values): "UUID IN \(Self.list(values.map(\.uuidString)))"
    case .source(let values): "source IN \(Self.list(values.map(\.description)))"
    case .sourceRevision(let values):
      "sourceRevision IN \(Self.list(values.map(\.description)))"
    case .device(let values):
      "device IN \(Self.list(values.map { $0?.description ?? "NULL" }))"
    case .text(let field, let test): "\(field.name) \(test)"
    case .metadata(let key, let test): "metadata.\(key) \(test)"
    case .correlated: "correlation != NULL"
    case .series(let field, let test): "\(field.rawValue) \(test)"
    case .day(let relation, let day): "dateComponents \(relation.rawValue) \(day)"
    case .effort(let parent):
      "ratingOfExertionAssociation "
        + ((parent?.activity ?? parent?.workout).map { "== \($0)" } ?? "!= NULL")
    case .workout(let id): "workout \(id.map { "== \($0)" } ?? "!= NULL")"
    case .record(let field, let test): "\(field.rawValue) \(test)"
    case .workoutProperty(let field, let test): "\(field.keyPath) \(test)"
    case .workoutActivity(let part): "ANY workoutActivity (\(part))"
    case .all(let parts): "(\(parts.map(\.description).joined(separator: " AND ")))"
    case .any(let parts): "(\(parts.map(\.description).joined(separator: " OR ")))"
    case .not(let part): "NOT (\(part))"
    case .opaque: "OPAQUEPREDICATE"
    }
  }

  /// Returns a list in braces, sorted so that equal conditions have equal descriptions.
  private static func list(_ items: [String]) -> String {
    "{\(items.sorted().joined(separator: ", "))}"
  }
}

extension ValueTest: CustomStringConvertible {
  /// The operator and the operands in format string syntax.
  var description: String {
    let texts = operands.map(\.quoted)
    let first = texts.first ?? "NULL"
    return switch operation {
    case .isNull: "== NULL"
    case .isNotNull: "!= NULL"
    case .relation(let relation): "\(relation.rawValue)\(options.suffix) \(first)"
    case .oneOf: "IN\(options.suffix) {\(texts.joined(separator: ", "))}"
    case .beginsWith: "BEGINSWITH\(options.suffix) \(first)"
    case .endsWith: "ENDSWITH\(options.suffix) \(first)"
    case .contains: "CONTAINS\(options.suffix) \(first)"
    case .like: "LIKE\(options.suffix) \(first)"
    case .matches: "MATCHES\(options.suffix) \(first)"
    }
  }
}

extension MetadataValue {
  fileprivate var quoted: String {
    switch self {
    case .string(let text): "\"\(text)\""
    case .bool(let value): value ? "YES" : "NO"
    case .date(let date): date.quoted
    default: "\(object)"
    }
  }
}

extension Date {
  /// The exact date, as printed by Foundation's predicates.
  fileprivate var quoted: String { "CAST(\(timeIntervalSinceReferenceDate), \"NSDate\")" }
}
