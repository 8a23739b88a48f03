public import Foundation

// The characteristics of the subject.
extension HKHealthStore {
  /// Returns the date of birth in the Gregorian calendar: year, month and day.
  ///
  /// Opens the store if necessary, which blocks the calling thread. Otherwise this method, like
  /// those of the other characteristics, only reads memory. A characteristic for which reading is
  /// denied appears as not set. If reading has not been requested,
  /// `errorAuthorizationNotDetermined` is thrown.
  ///
  /// - Throws: ``HKError`` with `errorNoData` if the date is not set, or with
  ///   `errorDatabaseInaccessible` if the store cannot be read.
  public func dateOfBirthComponents() throws -> DateComponents {
    guard let day = try number(.dateOfBirth) else {
      throw HKError.make(
        .errorNoData, "The date of birth was not set; set it with setDateOfBirth(_:).")
    }
    var components = CalendarDay(number: day).components(in: Calendar(identifier: .gregorian))
    components.era = nil
    return components
  }

  /// Returns the start of the day of birth in the current time zone.
  ///
  /// - Throws: The same errors as ``dateOfBirthComponents()``.
  @available(*, deprecated, message: "Use dateOfBirthComponents(), which has no time zone.")
  public func dateOfBirth() throws -> Date {
    let components = try dateOfBirthComponents()
    guard let date = Calendar(identifier: .gregorian).date(from: components) else {
      throw SubjectSettings.unreadable(HKCharacteristicTypeIdentifier.dateOfBirth.rawValue)
    }
    return date
  }

  /// Returns the biological sex.
  ///
  /// Default: `notSet`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read.
  public func biologicalSex() throws -> HKBiologicalSexObject {
    HKBiologicalSexObject(biologicalSex: try characteristic(.biologicalSex) ?? .notSet)
  }

  /// Returns the blood type.
  ///
  /// Default: `notSet`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read.
  public func bloodType() throws -> HKBloodTypeObject {
    HKBloodTypeObject(bloodType: try characteristic(.bloodType) ?? .notSet)
  }

  /// Returns the Fitzpatrick skin type.
  ///
  /// Default: `notSet`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read.
  public func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
    HKFitzpatrickSkinTypeObject(skinType: try characteristic(.fitzpatrickSkinType) ?? .notSet)
  }

  /// Returns the use of a wheelchair.
  ///
  /// Default: `notSet`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read.
  public func wheelchairUse() throws -> HKWheelchairUseObject {
    HKWheelchairUseObject(wheelchairUse: try characteristic(.wheelchairUse) ?? .notSet)
  }

  /// Returns the quantity that the Move ring measures.
  ///
  /// Default: `activeEnergy`.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` if the store cannot be read.
  public func activityMoveMode() throws -> HKActivityMoveModeObject {
    HKActivityMoveModeObject(
      activityMoveMode: try characteristic(.activityMoveMode) ?? .activeEnergy)
  }

  private func number(_ characteristic: HKCharacteristicTypeIdentifier) throws -> Int? {
    try withSettings { try $0.number(characteristic, authorization) }
  }

  private func characteristic<Value: RawRepresentable>(
    _ characteristic: HKCharacteristicTypeIdentifier
  ) throws -> Value? where Value.RawValue == Int {
    guard let number = try number(characteristic) else { return nil }
    guard let value = Value(rawValue: number) else {
      throw SubjectSettings.unreadable(characteristic.rawValue)
    }
    return value
  }
}
