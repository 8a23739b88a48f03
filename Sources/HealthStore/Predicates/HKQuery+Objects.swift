public import Foundation

// Predicates on the source, device, identifier and correlation of an object.
extension HKQuery {
  /// Returns a predicate that matches objects saved by a source.
  public class func predicateForObjects(from source: HKSource) -> NSPredicate {
    SamplePredicate(.source([source]))
  }

  /// Returns a predicate that matches objects saved by any of the sources.
  public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    SamplePredicate(.source(sources))
  }

  /// Returns a predicate that matches objects saved by any of the source revisions.
  ///
  /// The three `HKSourceRevisionAny…` constants match every value.
  public class func predicateForObjects(
    from sourceRevisions: Set<HKSourceRevision>
  ) -> NSPredicate {
    SamplePredicate(.sourceRevision(sourceRevisions))
  }

  /// Returns a predicate that matches objects whose device equals one of the devices in all
  /// properties.
  public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
    SamplePredicate(.device(Set(devices.map(Optional.some))))
  }

  /// Returns a predicate that matches objects whose device property has one of the values.
  ///
  /// An empty set matches objects whose property is nil, including those without a device. Traps
  /// unless `key` is one of the `HKDevicePropertyKey…` constants.
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

  /// Returns a predicate that matches the object with an identifier.
  public class func predicateForObject(with UUID: UUID) -> NSPredicate {
    SamplePredicate(.uuid([UUID]))
  }

  /// Returns a predicate that matches objects with any of the identifiers.
  public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
    SamplePredicate(.uuid(UUIDs))
  }

  /// Returns a predicate that matches objects that are not in a correlation.
  public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
    SamplePredicate(.not(.correlated))
  }
}
