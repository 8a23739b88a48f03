public import Foundation

extension HKQuery {
  /// Admits electrocardiograms that were found to show something.
  public class func predicateForElectrocardiograms(
    classification: HKElectrocardiogram.Classification
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGClassification, .equalTo, classification.rawValue)
  }

  /// Admits electrocardiograms with symptoms, without, or of which nothing was said.
  public class func predicateForElectrocardiograms(
    symptomsStatus: HKElectrocardiogram.SymptomsStatus
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGSymptomsStatus, .equalTo, symptomsStatus.rawValue)
  }

  /// Admits the symptoms of an electrocardiogram.
  ///
  /// They are those that it was made with: a newer version of one, which has an identifier of its
  /// own, is not admitted.
  public class func predicateForObjectsAssociated(
    electrocardiogram: HKElectrocardiogram
  ) -> NSPredicate {
    predicateForObjects(with: electrocardiogram.symptoms)
  }
}
