public import Foundation

/// A version of FHIR, such as 4.0.1.
open class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The first number.
  public let majorVersion: Int

  /// The second number.
  public let minorVersion: Int

  /// The third number.
  public let patchVersion: Int

  init(_ major: Int, _ minor: Int, _ patch: Int) {
    majorVersion = major
    minorVersion = minor
    patchVersion = patch
    super.init()
  }

  /// Makes the version that three whole numbers with dots between them stand for.
  ///
  /// - Throws: ``HKError`` with `errorInvalidArgument` for any other text.
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

  /// The version of the second draft that records come in: 1.0.2.
  open class func primaryDSTU2() -> HKFHIRVersion { HKFHIRVersion(1, 0, 2) }

  /// The version of the fourth release that records come in: 4.0.1.
  open class func primaryR4() -> HKFHIRVersion { HKFHIRVersion(4, 0, 1) }

  /// The release that the version is of.
  open var fhirRelease: HKFHIRRelease {
    switch (majorVersion, minorVersion) {
    case (1, 0): .dstu2
    case (4, 0): .r4
    default: .unknown
    }
  }

  /// The numbers with dots between them.
  open var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

  /// Reads a version from an archive; nil when it holds none.
  public required convenience init?(coder: NSCoder) {
    guard let numbers = coder.decodeString("version").flatMap(Self.numbers) else { return nil }
    self.init(numbers[0], numbers[1], numbers[2])
  }

  /// Archives the version's text.
  open func encode(with coder: NSCoder) {
    coder.encodeString(stringRepresentation, "version")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same numbers.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
  }

  /// A hash of the numbers.
  open override var hash: Int { stringRepresentation.hashValue }

  /// The numbers with dots between them.
  open override var description: String { stringRepresentation }
}
