public import Foundation

/// A medication in a person's list, with what the person says of it.
open class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The medication.
  public let medication: HKMedicationConcept

  /// What the person calls it.
  public let nickname: String?

  /// Whether the person takes it no more.
  public let isArchived: Bool

  /// Whether the person takes it by a schedule.
  public let hasSchedule: Bool

  /// Makes an entry of the list.
  ///
  /// Our addition: HealthKit's are made by the Health app alone.
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

  /// Reads an entry from an archive; nil when it holds no medication.
  public required convenience init?(coder: NSCoder) {
    guard let medication = coder.decodeObject(HKMedicationConcept.self, "medication") else {
      return nil
    }
    self.init(
      medication: medication, nickname: coder.decodeString("nickname"),
      isArchived: coder.decodeBool(forKey: "isArchived"),
      hasSchedule: coder.decodeBool(forKey: "hasSchedule"))
  }

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encode(medication, forKey: "medication")
    coder.encodeString(nickname, "nickname")
    coder.encode(isArchived, forKey: "isArchived")
    coder.encode(hasSchedule, forKey: "hasSchedule")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both say the same of the same medication.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUserAnnotatedMedication else { return false }
    return medication == other.medication && nickname == other.nickname
      && isArchived == other.isArchived && hasSchedule == other.hasSchedule
  }

  /// A hash of the medication.
  open override var hash: Int { medication.hash }
}
