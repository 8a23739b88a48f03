public import Foundation

/// A type of samples and a predicate for them, with the class that the samples have.
///
/// Equal when the types are and the predicates mean the same.
public struct HKSamplePredicate<Sample>: Equatable, Hashable, @unchecked Sendable
where Sample: HKSample {
  /// The type of samples.
  public let sampleType: HKSampleType

  /// What samples must satisfy; `nil` admits all.
  public let nsPredicate: NSPredicate?

  init(sampleType: HKSampleType, nsPredicate: NSPredicate?) {
    self.sampleType = sampleType
    self.nsPredicate = nsPredicate
  }

  /// Admits quantity samples of a type.
  public static func quantitySample(
    type: HKQuantityType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKQuantitySample> {
    HKSamplePredicate<HKQuantitySample>(sampleType: type, nsPredicate: predicate)
  }

  /// Admits category samples of a type.
  public static func categorySample(
    type: HKCategoryType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCategorySample> {
    HKSamplePredicate<HKCategorySample>(sampleType: type, nsPredicate: predicate)
  }

  /// Admits correlations of a type.
  public static func correlation(
    type: HKCorrelationType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCorrelation> {
    HKSamplePredicate<HKCorrelation>(sampleType: type, nsPredicate: predicate)
  }

  /// Admits workouts.
  public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
    HKSamplePredicate<HKWorkout>(sampleType: .workoutType(), nsPredicate: predicate)
  }

  /// Admits states of mind.
  public static func stateOfMind(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKStateOfMind> {
    HKSamplePredicate<HKStateOfMind>(sampleType: .stateOfMindType(), nsPredicate: predicate)
  }

  /// Admits answers to GAD-7.
  public static func gad7Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKGAD7Assessment> {
    HKSamplePredicate<HKGAD7Assessment>(
      sampleType: HKScoredAssessmentType(.GAD7), nsPredicate: predicate)
  }

  /// Admits answers to PHQ-9.
  public static func phq9Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKPHQ9Assessment> {
    HKSamplePredicate<HKPHQ9Assessment>(
      sampleType: HKScoredAssessmentType(.PHQ9), nsPredicate: predicate)
  }

  /// Admits clinical records of a type.
  public static func clinicalRecord(
    type: HKClinicalType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKClinicalRecord> {
    HKSamplePredicate<HKClinicalRecord>(sampleType: type, nsPredicate: predicate)
  }

  /// Admits hearing tests.
  public static func audiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKAudiogramSample> {
    HKSamplePredicate<HKAudiogramSample>(
      sampleType: .audiogramSampleType(), nsPredicate: predicate)
  }

  /// Admits prescriptions of glasses and contact lenses.
  public static func visionPrescription(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKVisionPrescription> {
    HKSamplePredicate<HKVisionPrescription>(
      sampleType: .visionPrescriptionType(), nsPredicate: predicate)
  }

  /// Admits samples of any type.
  public static func sample(
    type: HKSampleType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKSample> {
    HKSamplePredicate<HKSample>(sampleType: type, nsPredicate: predicate)
  }

  /// Whether both admit the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.sampleType == right.sampleType
      && SampleCondition.isSame(left.nsPredicate, right.nsPredicate)
  }

  /// Hashes the type and what the predicate says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sampleType)
    do {
      hasher.combine(try SampleCondition(nsPredicate))
    } catch {
      // Too deep, and equal to itself only.
      hasher.combine(nsPredicate.map { ObjectIdentifier($0) })
    }
  }
}

extension StoreReader {
  func plan<Sample>(_ predicates: [HKSamplePredicate<Sample>]) throws -> QueryPlan {
    try plan(predicates.map { ($0.sampleType, try SampleCondition($0.nsPredicate)) })
  }
}

extension Array where Element: HKSample {
  /// The samples of a class among some; all of them, unless a predicate's type is another's.
  init(narrowing samples: [HKSample]) {
    // Named, the compiler makes code for them; for an element that it does not know every access
    // goes through tables.
    let kept: Any =
      if Element.self == HKSample.self {
        samples
      } else if Element.self == HKQuantitySample.self {
        samples.compactMap { $0 as? HKQuantitySample }
      } else if Element.self == HKCategorySample.self {
        samples.compactMap { $0 as? HKCategorySample }
      } else {
        samples.compactMap { $0 as? Element }
      }
    self = kept as? [Element] ?? []
  }
}
