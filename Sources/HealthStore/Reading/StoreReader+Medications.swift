import Foundation

// Queries for the medication list.
extension StoreReader {
  /// Returns the matching entries of the medication list, in the order in which they were added.
  func medications(_ predicate: NSPredicate?, limit: Int) throws -> [HKUserAnnotatedMedication] {
    let entries: [UserAnnotatedMedicationSample] = try samples(
      try plan([(.userAnnotatedMedicationType(), try SampleCondition(predicate))]),
      order: SampleOrder(nil), limit: limit)
    return entries.map(\.medication)
  }
}
