import Foundation

extension HKHealthStore {
  /// Reports the units that the person wants to see quantities in.
  ///
  /// A unit that was not set is the one that HealthKit names for the type, and for rates the count
  /// a minute, whatever the locale. With a policy the same holds for a type of which neither
  /// reading nor sharing was granted, and `errorAuthorizationNotDetermined` is reported when nobody
  /// was asked about either.
  ///
  /// - Parameters:
  ///   - quantityTypes: The types asked for.
  ///   - completion: Gets a unit for each type, or none and an error.
  @preconcurrency
  public func preferredUnits(
    for quantityTypes: Set<HKQuantityType>,
    completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
  ) {
    let policy = authorization
    work(on: .readers) { store, subject in
      let settings = try PersonSettings(store, subject: subject)
      var units: [HKQuantityType: HKUnit] = [:]
      for type in quantityTypes {
        guard try policy?.maySeeUnit(of: type) ?? true else {
          units[type] = type.defaultUnit
          continue
        }
        units[type] = try settings.preferredUnit(for: type) ?? type.defaultUnit
      }
      return units
    } completion: { result in
      switch result {
      case .success(let units): completion(units, nil)
      case .failure(let error): completion([:], error)
      }
    }
  }

  /// Returns the units that the person wants to see quantities in.
  ///
  /// They are those that the form with a handler reports.
  ///
  /// - Parameter quantityTypes: The types asked for.
  /// - Returns: A unit for each type.
  /// - Throws: ``HKError`` that the other form reports, `CancellationError` when the task was
  ///   cancelled before.
  public func preferredUnits(
    for quantityTypes: Set<HKQuantityType>
  ) async throws -> [HKQuantityType: HKUnit] {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      preferredUnits(for: quantityTypes) { units, error in
        continuation.resume(with: error.map(Result.failure) ?? .success(units))
      }
    }
  }

  /// Sets the unit that the person wants to see quantities of a type in; `nil` takes it away.
  ///
  /// Our addition: on an iPhone people do this in the Health app. Durable when it returns. If the
  /// unit was another, `HKUserPreferencesDidChange` is posted for this object, on a background
  /// thread and before this returns; unlike HealthKit's, other objects for the store post nothing.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` for a unit that the type cannot have, with
  ///   `errorDatabaseInaccessible` when the store cannot be written to.
  public func setPreferredUnit(
    _ unit: HKUnit?, for quantityType: HKQuantityType
  ) async throws {
    if let unit, !quantityType.is(compatibleWith: unit) {
      throw HKError.make(
        .errorInvalidArgument,
        "\(unit.unitString) cannot be the unit of \(quantityType.identifier); choose one that is "
          + "compatible with \(quantityType.canonicalUnit.unitString).")
    }
    try await changeSettings { settings in
      let before = try settings.preferredUnit(for: quantityType)
      try settings.set(PersonSettings.unitName(quantityType), unit?.unitString)
      if before != unit {
        NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: self)
      }
    }
  }
}

extension HKQuantityType {
  /// The unit that people see where they have set none.
  fileprivate var defaultUnit: HKUnit {
    // HealthKit counts heartbeats and breaths by the second, and nobody else does.
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    return canonicalUnit == HKUnit.count().unitDivided(by: .second()) ? perMinute : canonicalUnit
  }
}

extension PersonSettings {
  static func unitName(_ type: HKQuantityType) -> String { "unit/\(type.identifier)" }

  /// The unit that was set for a type.
  fileprivate func preferredUnit(for type: HKQuantityType) throws -> HKUnit? {
    let name = Self.unitName(type)
    guard let text = try text(name) else { return nil }
    guard let unit = HKUnit.named(text), type.is(compatibleWith: unit) else {
      throw Self.unreadable(name)
    }
    return unit
  }
}
