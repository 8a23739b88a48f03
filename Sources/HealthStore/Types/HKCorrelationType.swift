/// The type of samples that group other samples, such as a blood pressure or a food.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a correlation type.
  public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
    guard let known = HKObjectType.correlationType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no correlation type")
    }
    self.init(info: known.info)
  }
}
