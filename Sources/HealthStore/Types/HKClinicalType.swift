/// The type of samples that hold a clinical record.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a clinical type.
  public convenience init(_ identifier: HKClinicalTypeIdentifier) {
    guard let known = HKObjectType.clinicalType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no clinical type")
    }
    self.init(info: known.info)
  }
}
