public import Foundation

extension HKQuery {
  /// Admits clinical records whose FHIR resource is of a type.
  public class func predicateForClinicalRecords(
    withFHIRResourceType resourceType: HKFHIRResourceType
  ) -> NSPredicate {
    comparing(.fhirResourceType, .equalTo, resourceType.rawValue)
  }

  /// Admits the clinical records of a source whose FHIR resource has a type and an identifier,
  /// which name a resource where identifiers of objects do not.
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
