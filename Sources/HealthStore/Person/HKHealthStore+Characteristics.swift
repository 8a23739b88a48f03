public import Foundation

extension HKHealthStore {
  /// The date of birth in the Gregorian calendar: year, month and day.
  ///
  /// Opens the store if need be, which blocks the calling thread; else memory is read, as by all
  /// the characteristics. One whose reading was denied looks as if it was not set, and one that
  /// nobody was asked about throws `errorAuthorizationNotDetermined`.
  ///
  /// - Throws: ``HKError`` with `errorNoData` when it was not set, with `errorDatabaseInaccessible`
  ///   when the store cannot be read.
  public func dateOfBirthComponents() throws -> DateComponents {
    guard let day = try number(.dateOfBirth) else {
      throw HKError.make(
        .errorNoData, "The date of birth was not set; set it with setDateOfBirth(_:).")
    }
    var components = CalendarDay(number: day).components(in: Calendar(identifier: .gregorian))
    components.era = nil
    return components
  }

  /// The midnight at which the day of birth began, in the current time zone.
  ///
  /// - Throws: What ``dateOfBirthComponents()`` throws.
  @available(*, deprecated, message: "Use dateOfBirthComponents(), which has no time zone.")
  public func dateOfBirth() throws -> Date {
    let components = try dateOfBirthComponents()
    guard let date = Calendar(identifier: .gregorian).date(from: components) else {
      throw PersonSettings.unreadable(HKCharacteristicTypeIdentifier.dateOfBirth.rawValue)
    }
    return date
  }

  /// The biological sex, `notSet` until it is set.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read.
  public func biologicalSex() throws -> HKBiologicalSexObject {
    HKBiologicalSexObject(biologicalSex: try characteristic(.biologicalSex) ?? .notSet)
  }

  /// The blood type, `notSet` until it is set.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read.
  public func bloodType() throws -> HKBloodTypeObject {
    HKBloodTypeObject(bloodType: try characteristic(.bloodType) ?? .notSet)
  }

  /// The skin type, `notSet` until it is set.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read.
  public func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
    HKFitzpatrickSkinTypeObject(skinType: try characteristic(.fitzpatrickSkinType) ?? .notSet)
  }

  /// The use of a wheelchair, `notSet` until it is set.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read.
  public func wheelchairUse() throws -> HKWheelchairUseObject {
    HKWheelchairUseObject(wheelchairUse: try characteristic(.wheelchairUse) ?? .notSet)
  }

  /// What the ring for movement counts, `activeEnergy` until it is set.
  ///
  /// - Throws: ``HKError`` with `errorDatabaseInaccessible` when the store cannot be read.
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
      throw PersonSettings.unreadable(characteristic.rawValue)
    }
    return value
  }
}
