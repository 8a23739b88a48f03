public import Foundation

/// A program or device that saves health data.
///
/// Immutable. Equal when both the name and the bundle identifier are.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The name to show to people.
  public let name: String

  /// What identifies the source: a program's bundle identifier, by convention.
  public let bundleIdentifier: String

  /// Makes a source of that name and identifier.
  ///
  /// Our addition, for servers and importers, which store data that others recorded.
  public init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    super.init()
  }

  /// The running program.
  ///
  /// Its identifier is the main bundle's, or the process's name where the bundle has none, as in a
  /// plain executable on Linux.
  open class func `default`() -> HKSource { running }

  private static let running: HKSource = {
    let process = ProcessInfo.processInfo.processName
    let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
    return HKSource(
      name: name ?? process, bundleIdentifier: Bundle.main.bundleIdentifier ?? process)
  }()

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived source.
  ///
  /// Returns `nil` when a field is missing.
  public required init?(coder: NSCoder) {
    guard
      let name = coder.decodeString("name"),
      let bundleIdentifier = coder.decodeString("bundleIdentifier")
    else { return nil }
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    super.init()
  }

  /// Archives the name and the identifier.
  open func encode(with coder: NSCoder) {
    coder.encodeString(name, "name")
    coder.encodeString(bundleIdentifier, "bundleIdentifier")
  }

  /// Returns the source itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same name and identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKSource else { return false }
    return self === other
      || (bundleIdentifier == other.bundleIdentifier && name == other.name)
  }

  /// A hash of the identifier and the name.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(bundleIdentifier)
    hasher.combine(name)
    return hasher.finalize()
  }

  /// The name and the identifier.
  open override var description: String { "\(name) (\(bundleIdentifier))" }
}
