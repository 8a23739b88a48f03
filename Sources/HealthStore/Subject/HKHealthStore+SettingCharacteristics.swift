public import Foundation

// Additions to HealthKit: on an iPhone, users set these in the Health app, and programs can only
// read them. All methods apply to the object's subject, are durable when they return, and throw
// `errorDatabaseInaccessible` if the store cannot be written to.

extension HKHealthStore {
  /// Sets the date of birth.
  ///
  /// `nil` removes it.
  ///
  /// This is an addition to HealthKit.
  ///
  /// - Parameter components: The year, month and day, in the calendar of the components or else
  ///   the Gregorian calendar.
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the components are not a valid day.
  public func setDateOfBirth(_ components: DateComponents?) async throws {
    let day = try components.map { try Self.day($0) }
    try await changeSettings {
      try $0.set([(HKCharacteristicTypeIdentifier.dateOfBirth.rawValue, day?.number)])
    }
  }

  /// Sets the biological sex.
  ///
  /// `notSet` removes it.
  ///
  /// This is an addition to HealthKit.
  public func setBiologicalSex(_ biologicalSex: HKBiologicalSex) async throws {
    try await set(.biologicalSex, biologicalSex == .notSet ? nil : biologicalSex.rawValue)
  }

  /// Sets the blood type.
  ///
  /// `notSet` removes it.
  ///
  /// This is an addition to HealthKit.
  public func setBloodType(_ bloodType: HKBloodType) async throws {
    try await set(.bloodType, bloodType == .notSet ? nil : bloodType.rawValue)
  }

  /// Sets the Fitzpatrick skin type.
  ///
  /// `notSet` removes it.
  ///
  /// This is an addition to HealthKit.
  public func setFitzpatrickSkinType(_ skinType: HKFitzpatrickSkinType) async throws {
    try await set(.fitzpatrickSkinType, skinType == .notSet ? nil : skinType.rawValue)
  }

  /// Sets the use of a wheelchair.
  ///
  /// `notSet` removes it.
  ///
  /// This is an addition to HealthKit.
  public func setWheelchairUse(_ wheelchairUse: HKWheelchairUse) async throws {
    try await set(.wheelchairUse, wheelchairUse == .notSet ? nil : wheelchairUse.rawValue)
  }

  /// Sets the quantity that the Move ring measures.
  ///
  /// `nil` removes the setting.
  ///
  /// This is an addition to HealthKit.
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

  /// Imports characteristics from another store, atomically and on the calling thread.
  ///
  /// - Parameters:
  ///   - dateOfBirth: The date of birth, or `nil` to leave it unchanged.
  ///   - numbers: The raw values of the characteristics to change.
  /// - Throws: ``HKError``, as the methods that set a single characteristic do.
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
      try store.checkSaving()
      try SubjectSettings(store, subject: subject).set(settings)
      try store.confirm()
    } catch {
      throw HKError.from(error)
    }
  }
}
