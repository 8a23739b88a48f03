public import Foundation

/// A sample type and a condition on its samples.
///
/// The generic parameter is the class of the samples.
///
/// Two values are equal if their types are equal and their predicates are equivalent.
public struct HKSamplePredicate<Sample>: Equatable, Hashable, Sendable
where Sample: HKSample {
  /// The sample type.
  public let sampleType: HKSampleType

  /// The condition on the samples, or `nil` to admit all.
  public var nsPredicate: NSPredicate? { sent.predicate }
  private let sent: SentPredicate

  init(sampleType: HKSampleType, nsPredicate: NSPredicate?) {
    self.sampleType = sampleType
    sent = SentPredicate(nsPredicate)
  }

  /// Returns a predicate for quantity samples of a type.
  public static func quantitySample(
    type: HKQuantityType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKQuantitySample> {
    HKSamplePredicate<HKQuantitySample>(sampleType: type, nsPredicate: predicate)
  }

  /// Returns a predicate for category samples of a type.
  public static func categorySample(
    type: HKCategoryType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCategorySample> {
    HKSamplePredicate<HKCategorySample>(sampleType: type, nsPredicate: predicate)
  }

  /// Returns a predicate for correlations of a type.
  public static func correlation(
    type: HKCorrelationType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKCorrelation> {
    HKSamplePredicate<HKCorrelation>(sampleType: type, nsPredicate: predicate)
  }

  /// Returns a predicate for workouts.
  public static func workout(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKWorkout> {
    HKSamplePredicate<HKWorkout>(sampleType: .workoutType(), nsPredicate: predicate)
  }

  /// Returns a predicate for states of mind.
  public static func stateOfMind(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKStateOfMind> {
    HKSamplePredicate<HKStateOfMind>(sampleType: .stateOfMindType(), nsPredicate: predicate)
  }

  /// Returns a predicate for GAD-7 assessments.
  public static func gad7Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKGAD7Assessment> {
    HKSamplePredicate<HKGAD7Assessment>(
      sampleType: HKScoredAssessmentType(.GAD7), nsPredicate: predicate)
  }

  /// Returns a predicate for PHQ-9 assessments.
  public static func phq9Assessment(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKPHQ9Assessment> {
    HKSamplePredicate<HKPHQ9Assessment>(
      sampleType: HKScoredAssessmentType(.PHQ9), nsPredicate: predicate)
  }

  /// Returns a predicate for clinical records of a type.
  public static func clinicalRecord(
    type: HKClinicalType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKClinicalRecord> {
    HKSamplePredicate<HKClinicalRecord>(sampleType: type, nsPredicate: predicate)
  }

  /// Returns a predicate for audiograms.
  public static func audiogram(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKAudiogramSample> {
    HKSamplePredicate<HKAudiogramSample>(
      sampleType: .audiogramSampleType(), nsPredicate: predicate)
  }

  /// Returns a predicate for prescriptions of glasses and contact lenses.
  public static func visionPrescription(
    _ predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKVisionPrescription> {
    HKSamplePredicate<HKVisionPrescription>(
      sampleType: .visionPrescriptionType(), nsPredicate: predicate)
  }

  /// Returns a predicate for samples of any type.
  public static func sample(
    type: HKSampleType, predicate: NSPredicate? = nil
  ) -> HKSamplePredicate<HKSample> {
    HKSamplePredicate<HKSample>(sampleType: type, nsPredicate: predicate)
  }

  /// Returns whether both predicates have equal types and equivalent conditions.
  public static func == (left: Self, right: Self) -> Bool {
    left.sampleType == right.sampleType
      && SampleCondition.isSame(left.nsPredicate, right.nsPredicate)
  }

  /// Hashes the type and the parsed condition.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(sampleType)
    do {
      hasher.combine(try SampleCondition(nsPredicate))
    } catch {
      // The predicate is nested too deeply to parse, and is equal only to itself.
      hasher.combine(nsPredicate.map { ObjectIdentifier($0) })
    }
  }
}

extension StoreReader {
  func plan<Sample>(_ predicates: [HKSamplePredicate<Sample>]) throws -> QueryPlan {
    var wanted: [(type: HKSampleType, condition: SampleCondition)] = []
    for predicate in predicates {
      wanted.append((predicate.sampleType, try SampleCondition(predicate.nsPredicate)))
    }
    return try plan(wanted)
  }
}

extension Array where Element: HKSample {
  /// Creates an array of the samples that belong to a class.
  ///
  /// All do, unless a predicate's sample type does not match its class.
  init(narrowing samples: [HKSample]) {
    // Consecutive samples usually have the same class, which is cast once.
    var known: ObjectIdentifier?
    let areAll = samples.allSatisfy { sample in
      let own = ObjectIdentifier(type(of: sample))
      defer { known = own }
      return own == known || sample is Element
    }
    self = areAll ? samples.ofSameLayout() : samples.compactMap { $0 as? Element }
  }
}
