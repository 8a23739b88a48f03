public import Foundation

/// A version of FHIR, such as 4.0.1.
open class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The major version.
  public let majorVersion: Int

  /// The minor version.
  public let minorVersion: Int

  /// The patch version.
  public let patchVersion: Int

  init(_ major: Int, _ minor: Int, _ patch: Int) {
    majorVersion = major
    minorVersion = minor
    patchVersion = patch
    super.init()
  }

  /// Creates a version from three integers separated by dots.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` if the string is invalid.
  public convenience init(fromVersionString versionString: String) throws {
    guard let numbers = Self.numbers(versionString) else {
      throw HKError.make(
        .errorInvalidArgument, "\"\(versionString)\" is not a version such as 4.0.1.")
    }
    self.init(numbers[0], numbers[1], numbers[2])
  }

  private static func numbers(_ text: String) -> [Int]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int(part) : nil
    }
    return parts.count == 3 && numbers.count == 3 ? numbers : nil
  }

  /// Returns the primary version of DSTU2 records: 1.0.2.
  open class func primaryDSTU2() -> HKFHIRVersion { HKFHIRVersion(1, 0, 2) }

  /// Returns the primary version of R4 records: 4.0.1.
  open class func primaryR4() -> HKFHIRVersion { HKFHIRVersion(4, 0, 1) }

  /// The release of the version.
  open var fhirRelease: HKFHIRRelease {
    switch (majorVersion, minorVersion) {
    case (1, 0): .dstu2
    case (4, 0): .r4
    default: .unknown
    }
  }

  /// The three numbers, separated by dots.
  open var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

  /// Decodes an archived version; returns nil if the archive holds none.
  public required convenience init?(coder: NSCoder) {
    guard let numbers = coder.decodeString("version").flatMap(Self.numbers) else { return nil }
    self.init(numbers[0], numbers[1], numbers[2])
  }

  /// Encodes the string representation.
  open func encode(with coder: NSCoder) {
    coder.encodeString(stringRepresentation, "version")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same numbers.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
  }

  /// A hash of the numbers.
  open override var hash: Int { stringRepresentation.hashValue }

  /// The three numbers, separated by dots.
  open override var description: String { stringRepresentation }
}
