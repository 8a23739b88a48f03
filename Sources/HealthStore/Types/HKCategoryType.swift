/// The type of samples with a value of an enumeration, such as sleep stages.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a category type.
  public convenience init(_ identifier: HKCategoryTypeIdentifier) {
    guard let known = HKObjectType.categoryType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no category type")
    }
    self.init(info: known.info)
  }

  /// Returns whether samples of the type support a value.
  package func isValid(categoryValue value: Int) -> Bool {
    info.categoryValues.contains(value)
  }
}
