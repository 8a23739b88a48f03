public import Foundation

/// An entry of a subject's medication list: a medication with the subject's annotations.
open class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The medication.
  public let medication: HKMedicationConcept

  /// The subject's name for the medication.
  public let nickname: String?

  /// Whether the subject no longer takes the medication.
  public let isArchived: Bool

  /// Whether the subject takes the medication on a schedule.
  public let hasSchedule: Bool

  /// Creates an entry of the list.
  ///
  /// This is an addition: in HealthKit only the Health app creates entries.
  public init(
    medication: HKMedicationConcept, nickname: String? = nil, isArchived: Bool = false,
    hasSchedule: Bool = false
  ) {
    self.medication = medication
    self.nickname = nickname
    self.isArchived = isArchived
    self.hasSchedule = hasSchedule
    super.init()
  }

  /// Decodes an entry, or returns nil if the archive has no medication.
  public required convenience init?(coder: NSCoder) {
    guard let medication = coder.decodeObject(HKMedicationConcept.self, "medication") else {
      return nil
    }
    self.init(
      medication: medication, nickname: coder.decodeString("nickname"),
      isArchived: coder.decodeBool(forKey: "isArchived"),
      hasSchedule: coder.decodeBool(forKey: "hasSchedule"))
  }

  /// Encodes every field.
  open func encode(with coder: NSCoder) {
    coder.encode(medication, forKey: "medication")
    coder.encodeString(nickname, "nickname")
    coder.encode(isArchived, forKey: "isArchived")
    coder.encode(hasSchedule, forKey: "hasSchedule")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether all fields are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUserAnnotatedMedication else { return false }
    return medication == other.medication && nickname == other.nickname
      && isArchived == other.isArchived && hasSchedule == other.hasSchedule
  }

  /// A hash of the medication.
  open override var hash: Int { medication.hash }
}
