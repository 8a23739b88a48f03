import Foundation

// The subject's preferred units.
extension HKHealthStore {
  /// Reports the subject's preferred units for quantity types.
  ///
  /// If no unit is set, the unit is that documented by HealthKit for the type, with counts per
  /// minute for rates, regardless of the locale. With an authorization policy, the same applies to
  /// types for which neither reading nor sharing is granted, and `errorAuthorizationNotDetermined`
  /// is reported if neither has been requested.
  ///
  /// - Parameters:
  ///   - quantityTypes: The quantity types.
  ///   - completion: Receives a unit for each type, or an empty dictionary and an error.
  @preconcurrency
  public func preferredUnits(
    for quantityTypes: Set<HKQuantityType>,
    completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
  ) {
    let policy = authorization
    work(on: .readers) { store, subject in
      let settings = try SubjectSettings(store, subject: subject)
      var units: [HKQuantityType: HKUnit] = [:]
      for type in quantityTypes {
        guard try policy?.maySeeUnit(of: type) ?? true else {
          units[type] = type.defaultUnit
          continue
        }
        units[type] = try settings.preferredUnit(for: type) ?? type.defaultUnit
      }
      return units
    } completion: {
      completion($0.success ?? [:], $0.failure)
    }
  }

  /// Returns the subject's preferred units for quantity types.
  ///
  /// The units are those that the completion-handler version reports.
  ///
  /// - Parameter quantityTypes: The quantity types.
  /// - Returns: A unit for each type.
  /// - Throws: The ``HKError`` that the completion-handler version reports, or `CancellationError`
  ///   if the task is cancelled before the call.
  public func preferredUnits(
    for quantityTypes: Set<HKQuantityType>
  ) async throws -> [HKQuantityType: HKUnit] {
    try Task.checkCancellation()
    return try await withFencedContinuation { continuation in
      preferredUnits(for: quantityTypes) { units, error in
        continuation.resume(units, error)
      }
    }
  }

  /// Sets the subject's preferred unit for a quantity type.
  ///
  /// `nil` reverts to the default.
  ///
  /// This is an addition: on an iPhone, users set units in the Health app. The change is durable
  /// when this returns. If it changes the unit, `HKUserPreferencesDidChange` is posted for this
  /// object, on a background thread and before this returns. Unlike with HealthKit, other objects
  /// for the store do not post it.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the unit is incompatible with the type,
  ///   or with `errorDatabaseInaccessible` if the store cannot be written to.
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
      try settings.set(SubjectSettings.unitName(quantityType), unit?.unitString)
      if before != unit {
        NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: self)
      }
    }
  }
}

extension HKQuantityType {
  /// The default unit, if the subject has not set one.
  fileprivate var defaultUnit: HKUnit {
    // HealthKit's canonical unit of heart and respiratory rates is per second; people expect per
    // minute.
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    return canonicalUnit == HKUnit.count().unitDivided(by: .second()) ? perMinute : canonicalUnit
  }
}

extension SubjectSettings {
  static func unitName(_ type: HKQuantityType) -> String { "unit/\(type.identifier)" }

  /// Returns the unit that was set for a type.
  fileprivate func preferredUnit(for type: HKQuantityType) throws -> HKUnit? {
    let name = Self.unitName(type)
    guard let text = try text(name) else { return nil }
    guard let unit = HKUnit.named(text), type.is(compatibleWith: unit) else {
      throw Self.unreadable(name)
    }
    return unit
  }
}
