/// The type of samples with a quantity, such as steps or heart rate.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
  /// Creates the type with the given identifier.
  ///
  /// If the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a quantity type.
  public convenience init(_ identifier: HKQuantityTypeIdentifier) {
    guard let known = HKObjectType.quantityType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no quantity type")
    }
    self.init(info: known.info)
  }

  /// The way in which the type's quantities combine over time.
  public var aggregationStyle: HKQuantityAggregationStyle { info.aggregationStyle }

  /// Returns whether quantities of the type can be converted to a unit.
  public func `is`(compatibleWith unit: HKUnit) -> Bool {
    canonicalUnit.form.isCompatible(with: unit.form)
  }

  /// The unit of the type in HealthKit's headers.
  package var canonicalUnit: HKUnit { info.canonicalUnit ?? .null }
}
