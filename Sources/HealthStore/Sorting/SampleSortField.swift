import Foundation

/// What samples can be sorted by.
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

  /// The field that a sort descriptor's key names, in HealthKit's words or plain ones.
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

  /// The field that a key path leads to, whichever class it is rooted at.
  ///
  /// Key paths to one property are unequal when their roots differ, even by inheritance.
  init?(keyPath: AnyKeyPath) {
    guard let field = Self.fieldsByKeyPath[keyPath] else { return nil }
    self = field
  }

  /// The same for a key path that may be rooted at a program's own subclass.
  init?<Sample: HKSample>(keyPath: PartialKeyPath<Sample>, root: Sample.Type) {
    if let field = Self.fieldsByKeyPath[keyPath] {
      self = field
    } else if keyPath == \Sample.startDate {
      self = .startDate
    } else if keyPath == \Sample.endDate {
      self = .endDate
    } else if keyPath == \Sample.uuid {
      self = .uuid
    } else {
      return nil
    }
  }

  // Key paths without captured values are immutable, and the dictionary never changes.
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

  /// How two samples stand by this field; samples without it are all the same and come first.
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

  /// Quantities by amount; those of different dimensions by the unit's name.
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
  /// Nothing comes before something.
  fileprivate func order(to other: Wrapped?) -> ComparisonResult {
    switch (self, other) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let left?, let right?): left.order(to: right)
    }
  }
}
