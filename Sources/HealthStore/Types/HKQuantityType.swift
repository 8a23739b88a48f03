/// The type of samples that hold a number with a unit, such as steps or the heart rate.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
  /// The type of that identifier.
  ///
  /// Where the identifier may be unknown, use the factory function, which returns nil.
  ///
  /// - Precondition: The identifier names a quantity type.
  public convenience init(_ identifier: HKQuantityTypeIdentifier) {
    guard let known = HKObjectType.quantityType(forIdentifier: identifier) else {
      fatalError("\(identifier.rawValue) is the identifier of no quantity type")
    }
    self.init(info: known.info)
  }

  /// How the type's quantities combine over time.
  public var aggregationStyle: HKQuantityAggregationStyle { info.aggregationStyle }

  /// Whether quantities of the type can be expressed in that unit.
  public func `is`(compatibleWith unit: HKUnit) -> Bool {
    canonicalUnit.form.isCompatible(with: unit.form)
  }

  /// The unit that HealthKit's headers name for the type.
  package var canonicalUnit: HKUnit { info.canonicalUnit ?? .null }
}
