/// The type of samples that hold one of a short list of values, such as sleep stages.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
  /// The type of that identifier.
  ///
  /// Where the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a category type.
  public convenience init(_ identifier: HKCategoryTypeIdentifier) {
    guard let known = HKObjectType.categoryType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no category type")
    }
    self.init(info: known.info)
  }

  /// Whether a sample of the type may have that value.
  package func isValid(categoryValue value: Int) -> Bool {
    info.categoryValues.contains(value)
  }
}
