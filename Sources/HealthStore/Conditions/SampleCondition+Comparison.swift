import Foundation

// Conditions for comparisons of a field with a constant.
extension SampleCondition {
  /// Creates the condition for a comparison of a field with a constant.
  ///
  /// `between` takes a list of two, `oneOf` a list. Comparing a field that every object has with
  /// null yields a constant.
  init(
    _ field: ConditionField,
    _ operator: ConditionOperator,
    _ constant: ConditionConstant,
    options: TextOptions = []
  ) throws(HKPredicateFormatError) {
    switch (`operator`, constant) {
    case (.between, .list(let bounds)) where bounds.count == 2:
      self = .all([
        try SampleCondition(field, .relation(.greaterOrEqual), bounds[0], options: options),
        try SampleCondition(field, .relation(.lessOrEqual), bounds[1], options: options),
      ])
    case (.oneOf, .list(let list)):
      self = try Self.oneOf(field, list, options)
    case (.relation(let relation), _):
      self = try Self.relation(field, relation, constant, options)
    case (.text(let operation), .value(let value)):
      self = try Self.text(field, operation, value, options)
    default:
      throw .unsuitableConstant(keyPath: field.keyPath, constant: constant.text)
    }
  }

  private static func oneOf(
    _ field: ConditionField, _ list: [ConditionConstant], _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    var parts: [SampleCondition] = []
    var plain: [MetadataValue] = []
    for constant in list {
      // Values that fit a single test remain a single test, which a planner can use.
      switch (field, constant) {
      case (.metadata, .value(let value)), (.text, .value(let value)):
        guard let value = MetadataValue(value) else {
          throw .unsuitableConstant(keyPath: field.keyPath, constant: constant.text)
        }
        plain.append(value)
      default: parts.append(try relation(field, .equal, constant, options))
      }
    }
    if !plain.isEmpty {
      let test = try ValueTest(.oneOf, plain, options: options)
      parts.append(try SampleCondition(field, test))
    }
    return .any(parts).mergingSets
  }

  /// Merges `uuid == a OR uuid == b` into one set, and likewise for sources and devices.
  private var mergingSets: SampleCondition {
    guard case .any(let parts) = self, let first = parts.first else { return self }
    return parts.dropFirst().reduce(first) { merged, part in
      switch (merged, part) {
      case (.uuid(let left), .uuid(let right)): .uuid(left.union(right))
      case (.source(let left), .source(let right)): .source(left.union(right))
      case (.device(let left), .device(let right)): .device(left.union(right))
      case (.sourceRevision(let left), .sourceRevision(let right)):
        .sourceRevision(left.union(right))
      case (.any(let left), _): .any(left + [part])
      default: .any([merged, part])
      }
    }
  }

  private init(_ field: ConditionField, _ test: ValueTest) throws(HKPredicateFormatError) {
    switch field {
    case .metadata(let key): self = .metadata(key, test)
    case .text(let text): self = .text(text, test)
    case .record(let property): self = .record(property, test)
    case .workoutProperty(let property): self = .workoutProperty(property, test)
    default: throw .unsuitableOperator(keyPath: field.keyPath, operator: "\(test.operation)")
    }
  }

  private static func text(
    _ field: ConditionField, _ operation: ValueTest.Operation, _ value: Any,
    _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    switch field {
    case .metadata, .text: break
    case .record(let property) where property.isText: break
    case .workoutProperty(let property) where property.kind == .text: break
    default:
      throw .unsuitableOperator(
        keyPath: field.keyPath, operator: ConditionOperator.text(operation).name)
    }
    guard case .string(let text)? = MetadataValue(value) else {
      throw .unsuitableConstant(
        keyPath: field.keyPath, constant: ConditionConstant.value(value).text)
    }
    return try SampleCondition(
      field, try ValueTest(operation, [.string(text)], options: options))
  }

  static func relation(
    _ field: ConditionField, _ relation: Relation, _ constant: ConditionConstant,
    _ options: TextOptions
  ) throws(HKPredicateFormatError) -> SampleCondition {
    if case .series(let property) = field {
      return try series(property, relation, constant, options)
    }
    let value: Any
    switch constant {
    case .null: return try compareWithNull(field, relation)
    case .list:
      throw .unsuitableConstant(keyPath: field.keyPath, constant: constant.text)
    case .value(let given): value = given
    }
    switch (field, value) {
    case (.startDate, let date as Date): return .startDate(relation, date)
    case (.endDate, let date as Date): return .endDate(relation, date)
    case (.quantity, let quantity as HKQuantity): return .quantity(relation, quantity)
    case (.categoryValue, let number as NSNumber):
      return categoryValue(relation, number.doubleValue)
    case (.day, _):
      guard let day = CalendarDay(constant: value) else { break }
      return .day(relation, day)
    case (.workoutProperty(let property), let workout as HKWorkout)
    where property.keyPath == HKPredicateKeyPathWorkout:
      switch relation {
      case .equal: return .workout(workout.uuid)
      case .notEqual: return .not(.workout(workout.uuid))
      default: throw .unsuitableOperator(keyPath: field.keyPath, operator: relation.rawValue)
      }
    case (.workoutProperty(let property), let workout as HKWorkout)
    where property.keyPath == HKPredicateKeyPathWorkoutEffortRelationship:
      return try effort(EffortParent(workout: workout.uuid), field, relation)
    case (.workoutProperty(let property), let activity as HKWorkoutActivity)
    where property.keyPath == HKPredicateKeyPathWorkoutEffortRelationship:
      return try effort(EffortParent(activity: activity.uuid), field, relation)
    case (.record(let property), _):
      guard let value = property.operand(value) else { break }
      return .record(property, try ValueTest(.relation(relation), [value], options: options))
    case (.workoutProperty(let property), _):
      guard let value = property.operand(value) else { break }
      return .workoutProperty(
        property, try ValueTest(.relation(relation), [value], options: options))
    case (.metadata, _), (.text, _):
      guard let value = MetadataValue(value) else { break }
      return try SampleCondition(
        field, try ValueTest(.relation(relation), [value], options: options))
    default:
      guard let equal = identity(field, value) else { break }
      switch relation {
      case .equal: return equal
      case .notEqual: return .not(equal)
      default: throw .unsuitableOperator(keyPath: field.keyPath, operator: relation.rawValue)
      }
    }
    throw .unsuitableConstant(keyPath: field.keyPath, constant: constant.text)
  }

  private static func effort(
    _ parent: EffortParent, _ field: ConditionField, _ relation: Relation
  ) throws(HKPredicateFormatError) -> SampleCondition {
    switch relation {
    case .equal: return .effort(parent)
    case .notEqual: return .not(.effort(parent))
    default: throw .unsuitableOperator(keyPath: field.keyPath, operator: relation.rawValue)
    }
  }

  /// Returns the condition for fields that are compared by identity, without an order.
  private static func identity(_ field: ConditionField, _ value: Any) -> SampleCondition? {
    switch (field, value) {
    case (.uuid, let id as UUID): .uuid([id])
    case (.uuid, let text as String): UUID(uuidString: text).map { .uuid([$0]) }
    case (.source, let source as HKSource): .source([source])
    case (.sourceRevision, let revision as HKSourceRevision): .sourceRevision([revision])
    case (.device, let device as HKDevice): .device([device])
    default: nil
    }
  }

  /// Rounds a fractional bound inwards to the next integer.
  private static func categoryValue(_ relation: Relation, _ value: Double) -> SampleCondition {
    if let whole = Int(exactly: value) { return .categoryValue(relation, whole) }
    guard !value.isNaN else { return .never }
    switch relation {
    case .equal: return .never
    case .notEqual: return .categoryValue(.greaterOrEqual, .min)
    case .less, .lessOrEqual:
      if let bound = Int(exactly: value.rounded(.down)) {
        return .categoryValue(.lessOrEqual, bound)
      }
      return value < 0 ? .never : .categoryValue(.greaterOrEqual, .min)
    case .greater, .greaterOrEqual:
      if let bound = Int(exactly: value.rounded(.up)) {
        return .categoryValue(.greaterOrEqual, bound)
      }
      return value > 0 ? .never : .categoryValue(.greaterOrEqual, .min)
    }
  }

  private static func compareWithNull(
    _ field: ConditionField, _ relation: Relation
  ) throws(HKPredicateFormatError) -> SampleCondition {
    guard relation == .equal || relation == .notEqual else {
      throw .unsuitableConstant(keyPath: field.keyPath, constant: "nil")
    }
    let isEqual = relation == .equal
    switch field {
    case .metadata, .text:
      return try SampleCondition(field, try ValueTest(isEqual ? .isNull : .isNotNull))
    case .device: return isEqual ? .device([nil]) : .not(.device([nil]))
    case .correlation: return isEqual ? .not(.correlated) : .correlated
    case .record(let property):
      return .record(property, try ValueTest(isEqual ? .isNull : .isNotNull))
    case .workoutProperty(let property): return try Self.null(property, isEqual)
    default: return isEqual ? .never : .always
    }
  }
}
