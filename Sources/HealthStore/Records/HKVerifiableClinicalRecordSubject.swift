public import Foundation

/// The subject of a verifiable clinical record.
open class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The subject's name.
  public let fullName: String

  /// The year, month and day of the subject's birth, if known.
  public let dateOfBirthComponents: DateComponents?

  /// Creates a subject.
  ///
  /// Only year, month and day of the date of birth are kept.
  ///
  /// This is an addition: in HealthKit, subjects come only from cards.
  public init(fullName: String, dateOfBirthComponents: DateComponents?) {
    self.fullName = fullName
    self.dateOfBirthComponents = dateOfBirthComponents.map {
      DateComponents(year: $0.year, month: $0.month, day: $0.day)
    }
    super.init()
  }

  /// Decodes an archived subject; returns nil if the archive has no name.
  public required convenience init?(coder: NSCoder) {
    guard let name = coder.decodeString("fullName") else { return nil }
    func number(_ key: String) -> Int? {
      coder.containsValue(forKey: key) ? coder.decodeInteger(forKey: key) : nil
    }
    let isKnown = coder.decodeBool(forKey: "hasDateOfBirth")
    self.init(
      fullName: name,
      dateOfBirthComponents: isKnown
        ? DateComponents(year: number("year"), month: number("month"), day: number("day")) : nil)
  }

  /// Encodes all fields.
  open func encode(with coder: NSCoder) {
    coder.encodeString(fullName, "fullName")
    coder.encode(dateOfBirthComponents != nil, forKey: "hasDateOfBirth")
    if let year = dateOfBirthComponents?.year { coder.encode(year, forKey: "year") }
    if let month = dateOfBirthComponents?.month { coder.encode(month, forKey: "month") }
    if let day = dateOfBirthComponents?.day { coder.encode(day, forKey: "day") }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same name and date of birth.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKVerifiableClinicalRecordSubject else { return false }
    return fullName == other.fullName && dateOfBirthComponents == other.dateOfBirthComponents
  }

  /// A hash of the name.
  open override var hash: Int { fullName.hashValue }
}
