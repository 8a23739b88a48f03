public import Foundation

/// A version of a source, with its product type and operating system version.
///
/// Immutable. Two revisions are equal if all properties are equal.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The program or device.
  public let source: HKSource

  /// The version of the source.
  public let version: String?

  /// The product type of its device, such as `iPhone15,2`.
  public let productType: String?

  /// The version of the operating system that the source ran on.
  public let operatingSystemVersion: OperatingSystemVersion

  /// Creates a revision for predicates that matches any product type and operating system.
  public convenience init(source: HKSource, version: String?) {
    self.init(
      source: source, version: version, productType: HKSourceRevisionAnyProductType,
      operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
  }

  /// Creates a revision.
  public init(
    source: HKSource,
    version: String?,
    productType: String?,
    operatingSystemVersion: OperatingSystemVersion
  ) {
    self.source = source
    self.version = version
    self.productType = productType
    self.operatingSystemVersion = operatingSystemVersion
    super.init()
  }

  /// The revision of the running program, which the store assigns to objects that the program
  /// saves.
  static let current = HKSourceRevision(
    source: .default(),
    version: Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String,
    productType: nil,
    operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived revision.
  ///
  /// Returns nil if the source is missing.
  public required init?(coder: NSCoder) {
    guard
      let name = coder.decodeString("name"),
      let bundleIdentifier = coder.decodeString("bundleIdentifier")
    else { return nil }
    source = HKSource(name: name, bundleIdentifier: bundleIdentifier)
    version = coder.decodeString("version")
    productType = coder.decodeString("productType")
    operatingSystemVersion = OperatingSystemVersion(
      majorVersion: coder.decodeInteger(forKey: "systemMajor"),
      minorVersion: coder.decodeInteger(forKey: "systemMinor"),
      patchVersion: coder.decodeInteger(forKey: "systemPatch"))
    super.init()
  }

  /// Encodes all properties.
  open func encode(with coder: NSCoder) {
    coder.encodeString(source.name, "name")
    coder.encodeString(source.bundleIdentifier, "bundleIdentifier")
    coder.encodeString(version, "version")
    coder.encodeString(productType, "productType")
    coder.encode(operatingSystemVersion.majorVersion, forKey: "systemMajor")
    coder.encode(operatingSystemVersion.minorVersion, forKey: "systemMinor")
    coder.encode(operatingSystemVersion.patchVersion, forKey: "systemPatch")
  }

  /// Returns the same object, because revisions are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether all properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKSourceRevision else { return false }
    if self === other { return true }
    return source == other.source && version == other.version
      && productType == other.productType
      && operatingSystemVersion.isSame(as: other.operatingSystemVersion)
  }

  /// A hash of all properties except the operating system version.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(version)
    hasher.combine(productType)
    return hasher.finalize()
  }

  /// The source and its version.
  open override var description: String { "\(source.name) \(version ?? "-")" }

  /// Returns whether a revision matches this one.
  ///
  /// The three "any" constants match every value.
  func admits(_ revision: HKSourceRevision) -> Bool {
    source == revision.source
      && (version == HKSourceRevisionAnyVersion || version == revision.version)
      && (productType == HKSourceRevisionAnyProductType || productType == revision.productType)
      && (operatingSystemVersion.isSame(as: HKSourceRevisionAnyOperatingSystem)
        || operatingSystemVersion.isSame(as: revision.operatingSystemVersion))
  }
}

extension OperatingSystemVersion {
  /// Returns whether both versions are equal.
  ///
  /// Not `==`, which could conflict with a conformance in the program.
  func isSame(as other: OperatingSystemVersion) -> Bool {
    majorVersion == other.majorVersion && minorVersion == other.minorVersion
      && patchVersion == other.patchVersion
  }
}
