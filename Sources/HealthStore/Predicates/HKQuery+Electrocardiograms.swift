public import Foundation

// Predicates on electrocardiograms and their symptoms.
extension HKQuery {
  /// Returns a predicate that matches electrocardiograms with a classification.
  public class func predicateForElectrocardiograms(
    classification: HKElectrocardiogram.Classification
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGClassification, .equalTo, classification.rawValue)
  }

  /// Returns a predicate that matches electrocardiograms with a symptoms status.
  public class func predicateForElectrocardiograms(
    symptomsStatus: HKElectrocardiogram.SymptomsStatus
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGSymptomsStatus, .equalTo, symptomsStatus.rawValue)
  }

  /// Returns a predicate that matches the symptoms of an electrocardiogram.
  ///
  /// These are the samples that the electrocardiogram was created with. A newer version of a
  /// symptom has another identifier and does not match.
  public class func predicateForObjectsAssociated(
    electrocardiogram: HKElectrocardiogram
  ) -> NSPredicate {
    predicateForObjects(with: electrocardiogram.symptoms)
  }
}
