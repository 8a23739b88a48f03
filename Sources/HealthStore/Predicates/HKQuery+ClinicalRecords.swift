public import Foundation

// Predicates on clinical records.
extension HKQuery {
  /// Returns a predicate that matches clinical records whose FHIR resource is of a type.
  public class func predicateForClinicalRecords(
    withFHIRResourceType resourceType: HKFHIRResourceType
  ) -> NSPredicate {
    comparing(.fhirResourceType, .equalTo, resourceType.rawValue)
  }

  /// Returns a predicate that matches the clinical records of a source whose FHIR resource has a
  /// type and an identifier.
  ///
  /// Together these identify a resource; object identifiers do not.
  public class func predicateForClinicalRecords(
    from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType, identifier: String
  ) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: [
      predicateForObjects(from: source),
      predicateForClinicalRecords(withFHIRResourceType: resourceType),
      comparing(.fhirResourceIdentifier, .equalTo, identifier),
    ])
  }
}
