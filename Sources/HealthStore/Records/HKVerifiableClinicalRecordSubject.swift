public import Foundation

/// Whom a verifiable clinical record is about.
open class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The person's name.
  public let fullName: String

  /// The year, month and day of the person's birth, as far as they are known.
  public let dateOfBirthComponents: DateComponents?

  /// Makes a subject, of whose date of birth year, month and day are kept.
  ///
  /// Our addition: HealthKit's come from cards alone.
  public init(fullName: String, dateOfBirthComponents: DateComponents?) {
    self.fullName = fullName
    self.dateOfBirthComponents = dateOfBirthComponents.map {
      DateComponents(year: $0.year, month: $0.month, day: $0.day)
    }
    super.init()
  }

  /// Reads a subject from an archive; nil when it holds no name.
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

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encodeString(fullName, "fullName")
    coder.encode(dateOfBirthComponents != nil, forKey: "hasDateOfBirth")
    if let year = dateOfBirthComponents?.year { coder.encode(year, forKey: "year") }
    if let month = dateOfBirthComponents?.month { coder.encode(month, forKey: "month") }
    if let day = dateOfBirthComponents?.day { coder.encode(day, forKey: "day") }
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same name and date of birth.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKVerifiableClinicalRecordSubject else { return false }
    return fullName == other.fullName && dateOfBirthComponents == other.dateOfBirthComponents
  }

  /// A hash of the name.
  open override var hash: Int { fullName.hashValue }
}
