import Foundation
import SampleLog

/// Translates a condition on samples of one type into a row filter for the storage engine.
struct ConditionPlanner {
  private let type: HKSampleType
  private let kind: SampleKind
  private let reader: RowReader
  private let access: ReadAccess?
  private let snapshot: @Sendable () -> Snapshot
  private var filter = RowFilter()
  private var tests: [@Sendable (Block, Int) throws -> Bool] = []
  /// The columns that the tests read.
  private var tested: ColumnSet = []
  /// The conditions that can only be evaluated on objects.
  private var rest: [SampleCondition] = []
  private var isEmpty = false

  /// Returns the filter, or nil if no sample of the type can match.
  ///
  /// `snapshot` is used to look up the correlation of a row, if necessary. Members of a correlation
  /// are visible to the condition only if `access` allows it. The filter admits rows that cannot be
  /// decoded, so that the reader of the row reports the error.
  static func filter(
    _ condition: SampleCondition, _ type: HKSampleType, _ reader: RowReader,
    _ access: ReadAccess?, snapshot: @escaping @Sendable () -> Snapshot
  ) -> RowFilter? {
    var planner = ConditionPlanner(type, reader, access, snapshot)
    let condition = condition.simplified
    if case .all(let parts) = condition {
      for part in parts { planner.take(part) }
    } else {
      planner.take(condition)
    }
    return planner.finish()
  }

  private init(
    _ type: HKSampleType, _ reader: RowReader, _ access: ReadAccess?,
    _ snapshot: @escaping @Sendable () -> Snapshot
  ) {
    self.type = type
    self.reader = reader
    self.access = access
    self.snapshot = snapshot
    kind = SampleKind(of: type)
  }

  private mutating func take(_ condition: SampleCondition) {
    let bounds = DateBounds(condition)
    filter.start = filter.start.intersection(bounds.start)
    filter.end = filter.end.intersection(bounds.end)
    switch condition {
    case .always: break
    case .never, .day, .workout, .effort: isEmpty = true
    case .workoutProperty(let field, let test): take(field, test, condition)
    case .workoutActivity: if kind == .workout { rest.append(condition) } else { isEmpty = true }
    case .series(let field, let test):
      if !field.isOf(kind) {
        isEmpty = true
      } else if test.operation != .isNotNull {
        // The value column holds only the sum or the average.
        rest.append(condition)
      }
    case .startDate(let relation, _), .endDate(let relation, _):
      // The bounds are exact for every relation except this one.
      if relation == .notEqual { rest.append(condition) }
    case .quantity(let relation, let quantity): take(relation, quantity, condition)
    case .categoryValue(let relation, let value): take(relation, value, condition)
    case .uuid(let ids):
      let wanted = Set(ids.map { Identifier($0) })
      filter.ids = filter.ids?.intersection(wanted) ?? wanted
    case .source(let sources):
      takeSource { sources.contains($0.source) }
    case .sourceRevision(let revisions):
      takeSource { revision in revisions.contains { $0.admits(revision) } }
    case .text(let field, let test): take(field, test)
    case .record(let field, let test): take(field, test, condition)
    case .device(let devices):
      takeDevice { devices.contains($0) }
    default: rest.append(condition)
    }
  }

  private mutating func take(
    _ relation: Relation, _ quantity: HKQuantity, _ condition: SampleCondition
  ) {
    guard kind.isQuantity else {
      isEmpty = true
      return
    }
    guard relation != .notEqual else {
      rest.append(condition)
      return
    }
    let reader = reader
    let (unit, value) = (quantity.unit, quantity.value)
    // Caches by unit, because the rows of a block usually share one.
    let cache = BoundsCache()
    takeValue { symbol in
      cache.bounds(symbol) {
        guard reader.hasUnit(symbol) else { return .all }
        guard let conversion = reader.unit(symbol).conversion(to: unit) else { return nil }
        return Bounds(relation, value, after: conversion)
      }
    }
  }

  private mutating func take(
    _ relation: Relation, _ value: Int, _ condition: SampleCondition
  ) {
    guard kind == .category else {
      isEmpty = true
      return
    }
    guard let bounds = Bounds(relation, Double(value)) else {
      rest.append(condition)
      return
    }
    takeValue { _ in bounds }
  }

  private mutating func take(
    _ field: RecordField, _ test: ValueTest, _ condition: SampleCondition
  ) {
    guard field.sampleKind == kind else {
      isEmpty = true
      return
    }
    if field.isRowValue, case .relation(let relation) = test.operation,
      let bounds = test.operands.first?.number.flatMap({ Bounds(relation, $0) })
    {
      takeValue { _ in bounds }
    } else {
      rest.append(condition)
    }
  }

  private mutating func take(
    _ field: WorkoutProperty, _ test: ValueTest, _ condition: SampleCondition
  ) {
    guard kind == .workout, field.isOfWorkouts else {
      isEmpty = true
      return
    }
    // The value column of a workout's row is its activity type.
    if field.keyPath == HKPredicateKeyPathWorkoutType,
      case .relation(let relation) = test.operation,
      let number = test.operands.first?.number, let bounds = Bounds(relation, number)
    {
      takeValue { _ in bounds }
    } else {
      rest.append(condition)
    }
  }

  private mutating func takeValue(_ bounds: @escaping @Sendable (Symbol) -> Bounds?) {
    guard let other = filter.value else {
      filter.value = bounds
      return
    }
    filter.value = { symbol in
      guard let left = other(symbol), let right = bounds(symbol) else { return nil }
      return left.intersection(right)
    }
  }

  private mutating func takeSource(_ isWanted: @escaping @Sendable (HKSourceRevision) -> Bool) {
    let reader = reader
    let other = filter.source
    let memo = SymbolCache<Bool, Never> { symbol in
      guard reader.hasSourceRevision(symbol) else { return true }
      return isWanted(reader.sourceRevision(symbol)) && (other?(symbol) ?? true)
    }
    filter.source = { memo($0) }
  }

  /// Adds a revision condition that may throw.
  ///
  /// It does not skip complete blocks.
  private mutating func takeRevision(
    _ isWanted: @escaping @Sendable (HKSourceRevision) throws -> Bool
  ) {
    let reader = reader
    let memo = SymbolCache<Bool, any Error> { symbol in
      guard reader.hasSourceRevision(symbol) else { return true }
      return try isWanted(reader.sourceRevision(symbol))
    }
    tested.insert(.source)
    tests.append { block, row in try memo(block.source[row]) }
  }

  private mutating func takeDevice(
    _ isWanted: @escaping @Sendable (HKDevice?) throws -> Bool
  ) {
    let reader = reader
    let memo = SymbolCache<Bool, any Error> { symbol in
      guard reader.hasDevice(symbol) else { return true }
      return try isWanted(reader.device(symbol))
    }
    tested.insert(.device)
    tests.append { block, row in try memo(block.device[row]) }
  }

  private mutating func take(_ field: TextField, _ test: ValueTest) {
    if case .device(let property) = field {
      takeDevice { try test.matches($0?[keyPath: property.keyPath].map(MetadataValue.string)) }
    } else if test.mayFail {
      takeRevision { try test.matches(field.value(of: $0).map(MetadataValue.string)) }
    } else {
      takeSource { test.admits(field.value(of: $0).map(MetadataValue.string)) }
    }
  }

  private consuming func finish() -> RowFilter? {
    if isEmpty || filter.start.isEmpty || filter.end.isEmpty { return nil }
    if filter.ids?.isEmpty == true { return nil }
    var filter = filter
    if !rest.isEmpty {
      let condition = rest.count == 1 ? rest[0] : SampleCondition.all(rest)
      let view = RowView(type, reader, access, for: condition, snapshot: snapshot)
      tests.append { block, row in try condition.matches(view.sample(block, row)) }
      tested = .all
    }
    if !tests.isEmpty { filter.conditionColumns = tested }
    let tests = tests
    if tests.count == 1 {
      filter.condition = tests[0]
    } else if !tests.isEmpty {
      filter.condition = { block, row in try tests.allSatisfy { try $0(block, row) } }
    }
    return filter
  }
}

extension Bounds {
  var isEmpty: Bool { !(lower <= upper) }
}
