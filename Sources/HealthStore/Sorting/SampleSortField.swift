import Foundation
import SampleLog

/// A field that samples can be sorted by.
enum SampleSortField: Hashable, Sendable, CaseIterable {
  case startDate
  case endDate
  case uuid
  /// The value of category samples.
  case categoryValue
  /// The quantity of quantity samples.
  case quantity
  /// The duration of workouts.
  case duration
  /// The totals of workouts.
  case totalDistance
  case totalEnergyBurned
  case totalSwimmingStrokeCount
  case totalFlightsClimbed

  /// Creates the field for a sort descriptor's key, in HealthKit's or plain spelling.
  init?(key: String) {
    switch key {
    case "startDate", HKSampleSortIdentifierStartDate: self = .startDate
    case "endDate", HKSampleSortIdentifierEndDate: self = .endDate
    case "uuid", "UUID": self = .uuid
    case "value": self = .categoryValue
    case "quantity": self = .quantity
    case "duration", HKWorkoutSortIdentifierDuration: self = .duration
    case "totalDistance", HKWorkoutSortIdentifierTotalDistance: self = .totalDistance
    case "totalEnergyBurned", HKWorkoutSortIdentifierTotalEnergyBurned: self = .totalEnergyBurned
    case HKWorkoutSortIdentifierTotalSwimmingStrokeCount: self = .totalSwimmingStrokeCount
    case HKWorkoutSortIdentifierTotalFlightsClimbed: self = .totalFlightsClimbed
    default: return nil
    }
  }

  /// Creates the field for a key path with any root class.
  ///
  /// Key paths to the same property are unequal if their roots differ, even by inheritance.
  init?(keyPath: AnyKeyPath) {
    guard let field = Self.field(of: keyPath, { Self.fieldsByKeyPath[keyPath] }) else {
      return nil
    }
    self = field
  }

  /// Creates the field for a key path whose root may be a subclass defined by the program.
  init?<Sample: HKSample>(keyPath: PartialKeyPath<Sample>, root: Sample.Type) {
    let field = Self.field(of: keyPath) {
      if let field = Self.fieldsByKeyPath[keyPath] { return field }
      if keyPath == \Sample.startDate { return .startDate }
      if keyPath == \Sample.endDate { return .endDate }
      return keyPath == \Sample.uuid ? .uuid : nil
    }
    guard let field else { return nil }
    self = field
  }

  /// The fields of key paths that were looked up before, to be found by identity.
  ///
  /// Hashing a key path takes longer than reading a sample. A literal is one object, and programs
  /// have few of them.
  private static let literals = Locked<[(keyPath: AnyKeyPath, field: SampleSortField)]>([])

  /// Returns the field of a key path; calls a function if the key path is new.
  private static func field(
    of keyPath: AnyKeyPath, _ find: () -> SampleSortField?
  ) -> SampleSortField? {
    let known = literals.withLock { literals -> SampleSortField? in
      for one in literals where one.keyPath === keyPath { return one.field }
      return nil
    }
    if let known { return known }
    guard let field = find() else { return nil }
    // The list is searched linearly.
    literals.withLock { if $0.count < 16 { $0.append((keyPath, field)) } }
    return field
  }

  // Key paths without captured values are immutable, and so is the dictionary.
  private nonisolated(unsafe) static let fieldsByKeyPath: [AnyKeyPath: SampleSortField] = {
    var fields: [AnyKeyPath: SampleSortField] = [
      \HKObject.uuid: .uuid,
      \HKCategorySample.value: .categoryValue,
      \HKWorkout.duration: .duration,
      \HKWorkout.totalDistance: .totalDistance,
      \HKWorkout.totalEnergyBurned: .totalEnergyBurned,
      \HKWorkout.totalSwimmingStrokeCount: .totalSwimmingStrokeCount,
      \HKWorkout.totalFlightsClimbed: .totalFlightsClimbed,
    ]
    func add<Sample: HKSample>(_: Sample.Type) {
      fields[\Sample.startDate] = .startDate
      fields[\Sample.endDate] = .endDate
      fields[\Sample.uuid] = .uuid
    }
    add(HKSample.self)
    add(HKQuantitySample.self)
    add(HKCumulativeQuantitySample.self)
    add(HKDiscreteQuantitySample.self)
    add(HKCategorySample.self)
    add(HKCorrelation.self)
    add(HKWorkout.self)
    return fields
  }()

  /// Returns the order of two samples by this field.
  ///
  /// Samples without the field are equal and come first.
  func compare(_ left: HKSample, _ right: HKSample) -> ComparisonResult {
    switch self {
    case .startDate: left.startDate.order(to: right.startDate)
    case .endDate: left.endDate.order(to: right.endDate)
    case .uuid: Self.compare(left.uuid, right.uuid)
    case .categoryValue:
      ((left as? HKCategorySample)?.value).order(to: (right as? HKCategorySample)?.value)
    case .quantity:
      Self.compare((left as? HKQuantitySample)?.quantity, (right as? HKQuantitySample)?.quantity)
    case .duration: ((left as? HKWorkout)?.duration).order(to: (right as? HKWorkout)?.duration)
    case .totalDistance: Self.compare(left, right, \.totalDistance)
    case .totalEnergyBurned: Self.compare(left, right, \.totalEnergyBurned)
    case .totalSwimmingStrokeCount: Self.compare(left, right, \.totalSwimmingStrokeCount)
    case .totalFlightsClimbed: Self.compare(left, right, \.totalFlightsClimbed)
    }
  }

  private static func compare(
    _ left: HKSample, _ right: HKSample, _ total: KeyPath<HKWorkout, HKQuantity?>
  ) -> ComparisonResult {
    compare((left as? HKWorkout)?[keyPath: total], (right as? HKWorkout)?[keyPath: total])
  }

  private static func compare(_ left: UUID, _ right: UUID) -> ComparisonResult {
    withUnsafeBytes(of: left.uuid) { left in
      withUnsafeBytes(of: right.uuid) { right in
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
      }
    }
  }

  /// Compares quantities by amount, or by unit string if they are incompatible.
  private static func compare(_ left: HKQuantity?, _ right: HKQuantity?) -> ComparisonResult {
    guard let left, let right else { return (left?.value).order(to: right?.value) }
    guard let other = right.converted(to: left.unit) else {
      return left.unit.unitString.order(to: right.unit.unitString)
    }
    return left.value.order(to: other)
  }
}

extension Comparable {
  fileprivate func order(to other: Self) -> ComparisonResult {
    if self < other { return .orderedAscending }
    return other < self ? .orderedDescending : .orderedSame
  }
}

extension Optional where Wrapped: Comparable {
  /// Orders nil before any value.
  fileprivate func order(to other: Wrapped?) -> ComparisonResult {
    switch (self, other) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let left?, let right?): left.order(to: right)
    }
  }
}
