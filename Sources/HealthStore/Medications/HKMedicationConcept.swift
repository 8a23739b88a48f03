public import Foundation

/// A medication, independent of the subject who takes it.
open class HKMedicationConcept: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identifier of the medication.
  public let identifier: HKHealthConceptIdentifier

  /// The name of the medication for display.
  public let displayText: String

  /// The medication's form.
  public let generalForm: HKMedicationGeneralForm

  /// The codes of the medication in clinical code systems.
  public let relatedCodings: Set<HKClinicalCoding>

  /// Creates a medication.
  ///
  /// This is an addition: HealthKit provides medications from its own catalogue.
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

  /// Decodes a medication, or returns nil if the archive has none.
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

  /// Encodes every field.
  open func encode(with coder: NSCoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encodeString(displayText, "displayText")
    coder.encodeString(generalForm.rawValue, "generalForm")
    coder.encode(sortedCodings as NSArray, forKey: "relatedCodings")
  }

  /// The codes in a deterministic order.
  ///
  /// Those without a version sort first.
  var sortedCodings: [HKClinicalCoding] {
    func fields(_ coding: HKClinicalCoding) -> (String, String, Int, String) {
      (coding.system, coding.code, coding.version == nil ? 0 : 1, coding.version ?? "")
    }
    return relatedCodings.sorted { fields($0) < fields($1) }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether all fields are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKMedicationConcept else { return false }
    return identifier == other.identifier && displayText == other.displayText
      && generalForm == other.generalForm && relatedCodings == other.relatedCodings
  }

  /// A hash of the identifier.
  open override var hash: Int { identifier.hash }
}
