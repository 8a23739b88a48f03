/// The type of user characteristics that rarely change, such as the date of birth.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a characteristic type.
  public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
    guard let known = HKObjectType.characteristicType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no characteristic type")
    }
    self.init(info: known.info)
  }
}
