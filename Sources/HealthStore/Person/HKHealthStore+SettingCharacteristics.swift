public import Foundation

// Our additions: on an iPhone people set these in the Health app, and programs read them only. All
// are durable when they return, belong to the object's subject and throw
// `errorDatabaseInaccessible` when the store cannot be written to.

extension HKHealthStore {
  /// Sets the date of birth; `nil` takes it away.
  ///
  /// Our addition.
  ///
  /// - Parameter components: Year, month and day, by their calendar or else by the Gregorian.
  /// - Throws: ``HKError`` with `errorInvalidArgument` for components that name no day.
  public func setDateOfBirth(_ components: DateComponents?) async throws {
    let day = try components.map { try Self.day($0) }
    try await changeSettings {
      try $0.set([(HKCharacteristicTypeIdentifier.dateOfBirth.rawValue, day?.number)])
    }
  }

  /// Sets the biological sex; `notSet` takes it away.
  ///
  /// Our addition.
  public func setBiologicalSex(_ biologicalSex: HKBiologicalSex) async throws {
    try await set(.biologicalSex, biologicalSex == .notSet ? nil : biologicalSex.rawValue)
  }

  /// Sets the blood type; `notSet` takes it away.
  ///
  /// Our addition.
  public func setBloodType(_ bloodType: HKBloodType) async throws {
    try await set(.bloodType, bloodType == .notSet ? nil : bloodType.rawValue)
  }

  /// Sets the skin type; `notSet` takes it away.
  ///
  /// Our addition.
  public func setFitzpatrickSkinType(_ skinType: HKFitzpatrickSkinType) async throws {
    try await set(.fitzpatrickSkinType, skinType == .notSet ? nil : skinType.rawValue)
  }

  /// Sets the use of a wheelchair; `notSet` takes it away.
  ///
  /// Our addition.
  public func setWheelchairUse(_ wheelchairUse: HKWheelchairUse) async throws {
    try await set(.wheelchairUse, wheelchairUse == .notSet ? nil : wheelchairUse.rawValue)
  }

  /// Sets what the ring for movement counts; `nil` takes it away.
  ///
  /// Our addition.
  public func setActivityMoveMode(_ mode: HKActivityMoveMode?) async throws {
    try await set(.activityMoveMode, mode?.rawValue)
  }

  private func set(_ characteristic: HKCharacteristicTypeIdentifier, _ number: Int?) async throws {
    try await changeSettings { try $0.set([(characteristic.rawValue, number)]) }
  }

  private static func day(_ components: DateComponents) throws -> CalendarDay {
    guard let day = CalendarDay(components, in: Calendar(identifier: .gregorian)) else {
      throw HKError.make(
        .errorInvalidArgument, "A date of birth needs a year, month and day that there are.")
    }
    return day
  }

  /// Sets characteristics of another store, on the calling thread and all of them or none.
  ///
  /// - Parameters:
  ///   - dateOfBirth: The date of birth; `nil` leaves what is there.
  ///   - numbers: Raw values of the enumerations, of those that are to change.
  /// - Throws: ``HKError``, as the functions that set one.
  package func importCharacteristics(
    dateOfBirth: DateComponents?, _ numbers: [HKCharacteristicTypeIdentifier: Int]
  ) throws {
    var settings: [(name: String, number: Int?)] = numbers.map { ($0.key.rawValue, $0.value) }
    if let dateOfBirth {
      let day = try Self.day(dateOfBirth)
      settings.append((HKCharacteristicTypeIdentifier.dateOfBirth.rawValue, day.number))
    }
    do {
      let store = try location.open()
      try store.confirming { try PersonSettings(store, subject: subject).set(settings) }
    } catch {
      throw HKError.from(error)
    }
  }
}
