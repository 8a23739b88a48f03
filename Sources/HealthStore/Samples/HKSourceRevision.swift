public import Foundation

/// A source in one version, on one kind of product, under one version of its system.
///
/// Immutable. Equal when all properties are.
open class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The program or device.
  public let source: HKSource

  /// The source's version.
  public let version: String?

  /// The kind of product that it ran on, such as `iPhone15,2`.
  public let productType: String?

  /// The version of the system that it ran under.
  public let operatingSystemVersion: OperatingSystemVersion

  /// Makes a revision for use in predicates, of any product and any system.
  public convenience init(source: HKSource, version: String?) {
    self.init(
      source: source, version: version, productType: HKSourceRevisionAnyProductType,
      operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
  }

  /// Makes a revision.
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

  /// The running program's: what the store gives to the objects that the program saves.
  static let current = HKSourceRevision(
    source: .default(),
    version: Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String,
    productType: nil,
    operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived revision.
  ///
  /// Returns `nil` when the source is missing.
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

  /// Archives all properties.
  open func encode(with coder: NSCoder) {
    coder.encodeString(source.name, "name")
    coder.encodeString(source.bundleIdentifier, "bundleIdentifier")
    coder.encodeString(version, "version")
    coder.encodeString(productType, "productType")
    coder.encode(operatingSystemVersion.majorVersion, forKey: "systemMajor")
    coder.encode(operatingSystemVersion.minorVersion, forKey: "systemMinor")
    coder.encode(operatingSystemVersion.patchVersion, forKey: "systemPatch")
  }

  /// Returns the revision itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether all properties are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKSourceRevision else { return false }
    if self === other { return true }
    return source == other.source && version == other.version
      && productType == other.productType
      && operatingSystemVersion.isSame(as: other.operatingSystemVersion)
  }

  /// A hash of all properties but the system's version.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(source)
    hasher.combine(version)
    hasher.combine(productType)
    return hasher.finalize()
  }

  /// The source and its version.
  open override var description: String { "\(source.name) \(version ?? "-")" }

  /// Whether `revision` is this one, where the three "any" constants stand for anything.
  func admits(_ revision: HKSourceRevision) -> Bool {
    source == revision.source
      && (version == HKSourceRevisionAnyVersion || version == revision.version)
      && (productType == HKSourceRevisionAnyProductType || productType == revision.productType)
      && (operatingSystemVersion.isSame(as: HKSourceRevisionAnyOperatingSystem)
        || operatingSystemVersion.isSame(as: revision.operatingSystemVersion))
  }
}

extension OperatingSystemVersion {
  /// Equality, under a name that cannot clash with a program's own conformance to Equatable.
  func isSame(as other: OperatingSystemVersion) -> Bool {
    majorVersion == other.majorVersion && minorVersion == other.minorVersion
      && patchVersion == other.patchVersion
  }
}
