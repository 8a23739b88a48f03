import Foundation

/// The operator of a comparison.
enum ConditionOperator: Hashable {
  case relation(Relation)
  case between
  case oneOf
  case text(ValueTest.Operation)

  /// The spelling of the operator in a format string.
  var name: String {
    switch self {
    case .relation(let relation): relation.rawValue
    case .between: "BETWEEN"
    case .oneOf: "IN"
    case .text(.beginsWith): "BEGINSWITH"
    case .text(.endsWith): "ENDSWITH"
    case .text(.contains): "CONTAINS"
    case .text(.like): "LIKE"
    case .text: "MATCHES"
    }
  }

  init(_ operator: HKComparisonOperator) {
    switch `operator` {
    case .lessThan: self = .relation(.less)
    case .lessThanOrEqualTo: self = .relation(.lessOrEqual)
    case .greaterThan: self = .relation(.greater)
    case .greaterThanOrEqualTo: self = .relation(.greaterOrEqual)
    case .equalTo: self = .relation(.equal)
    case .notEqualTo: self = .relation(.notEqual)
    case .matches: self = .text(.matches)
    case .like: self = .text(.like)
    case .beginsWith: self = .text(.beginsWith)
    case .endsWith: self = .text(.endsWith)
    case .in: self = .oneOf
    case .contains: self = .text(.contains)
    case .between: self = .between
    @unknown default:
      fatalError("A predicate cannot compare with this operator: \(`operator`).")
    }
  }
}

/// The constant side of a comparison.
enum ConditionConstant {
  case null
  case value(Any)
  case list([ConditionConstant])

  /// Classifies a value passed by a program: null, a collection, or a single value.
  init(_ value: Any?) {
    switch value {
    case nil, is NSNull: self = .null
    case let nested as any OptionalValue where nested.isNil: self = .null
    case let list as [Any]: self = .list(list.map { ConditionConstant($0) })
    case let set as Set<AnyHashable>: self = .list(set.map { ConditionConstant($0.base) })
    case let value?: self = .value(value)
    }
  }

  var text: String {
    switch self {
    case .null: "nil"
    case .value(let date as Date): date.printed
    case .value(let value): "\(value)"
    case .list(let list): "{\(list.map(\.text).joined(separator: ", "))}"
    }
  }
}

/// Detects nil inside an `Any`.
protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  var isNil: Bool { self == nil }
}
