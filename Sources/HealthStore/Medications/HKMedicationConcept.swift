public import Foundation

/// A medication, as anybody may take it.
open class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// What names the medication.
  public let identifier: HKHealthConceptIdentifier

  /// The medication's name for people.
  public let displayText: String

  /// The medication's form.
  public let generalForm: HKMedicationGeneralForm

  /// The medication in systems of codes.
  public let relatedCodings: Set<HKClinicalCoding>

  /// Makes a medication.
  ///
  /// Our addition: HealthKit's come from its own list.
  public init(
    identifier: HKHealthConceptIdentifier, displayText: String,
    generalForm: HKMedicationGeneralForm = .unknown, relatedCodings: Set<HKClinicalCoding> = []
  ) {
    self.identifier = identifier
    self.displayText = displayText
    self.generalForm = generalForm
    self.relatedCodings = relatedCodings
    super.init()
  }

  /// Reads a medication from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(HKHealthConceptIdentifier.self, "identifier"),
      let text = coder.decodeString("displayText"), let form = coder.decodeString("generalForm"),
      coder.containsValue(forKey: "relatedCodings"),
      let codings = coder.decodeObject(
        of: [NSArray.self, HKClinicalCoding.self], forKey: "relatedCodings") as? [HKClinicalCoding]
    else { return nil }
    self.init(
      identifier: identifier, displayText: text,
      generalForm: HKMedicationGeneralForm(rawValue: form), relatedCodings: Set(codings))
  }

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encodeString(displayText, "displayText")
    coder.encodeString(generalForm.rawValue, "generalForm")
    coder.encode(sortedCodings as NSArray, forKey: "relatedCodings")
  }

  /// The codes in an order that is always the same; those without a version come first.
  var sortedCodings: [HKClinicalCoding] {
    func fields(_ coding: HKClinicalCoding) -> (String, String, Int, String) {
      (coding.system, coding.code, coding.version == nil ? 0 : 1, coding.version ?? "")
    }
    return relatedCodings.sorted { fields($0) < fields($1) }
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both say the same of the same medication.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKMedicationConcept else { return false }
    return identifier == other.identifier && displayText == other.displayText
      && generalForm == other.generalForm && relatedCodings == other.relatedCodings
  }

  /// A hash of the identifier.
  open override var hash: Int { identifier.hash }
}
