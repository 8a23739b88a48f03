public import Foundation

extension HKQuery {
  /// Admits objects that the source saved.
  public class func predicateForObjects(from source: HKSource) -> NSPredicate {
    SamplePredicate(.source([source]))
  }

  /// Admits objects that one of the sources saved.
  public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    SamplePredicate(.source(sources))
  }

  /// Admits objects that one of the source revisions saved.
  ///
  /// The three `HKSourceRevisionAny…` constants stand for anything.
  public class func predicateForObjects(
    from sourceRevisions: Set<HKSourceRevision>
  ) -> NSPredicate {
    SamplePredicate(.sourceRevision(sourceRevisions))
  }

  /// Admits objects whose device equals one of the devices in every property.
  public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
    SamplePredicate(.device(Set(devices.map(Optional.some))))
  }

  /// Admits objects whose device property has one of the values.
  ///
  /// An empty set admits objects whose property is `nil`, those without a device included. Traps
  /// when `key` is not one of the `HKDevicePropertyKey…` constants.
  public class func predicateForObjects(
    withDeviceProperty key: String, allowedValues: Set<String>
  ) -> NSPredicate {
    guard let property = DeviceProperty(key: key) else {
      fatalError("'\(key)' is not a device property key.")
    }
    let values = allowedValues.sorted().map(MetadataValue.string)
    return SamplePredicate.orTrap { () throws(HKPredicateFormatError) in
      .text(.device(property), try ValueTest(values.isEmpty ? .isNull : .oneOf, values))
    }
  }

  /// Admits the object of that identifier.
  public class func predicateForObject(with UUID: UUID) -> NSPredicate {
    SamplePredicate(.uuid([UUID]))
  }

  /// Admits objects of one of the identifiers.
  public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
    SamplePredicate(.uuid(UUIDs))
  }

  /// Admits objects that no correlation contains.
  public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
    SamplePredicate(.not(.correlated))
  }
}

extension SamplePredicate {
  /// A predicate from `make`; traps with the error's sentence where HealthKit raises an exception.
  static func orTrap(
    _ make: () throws(HKPredicateFormatError) -> SampleCondition
  ) -> SamplePredicate {
    do {
      return SamplePredicate(try make())
    } catch {
      fatalError(error.description)
    }
  }
}
