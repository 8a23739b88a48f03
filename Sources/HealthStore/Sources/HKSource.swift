public import Foundation

/// A program or device that saves health data.
///
/// Immutable. Two sources are equal if both name and bundle identifier are equal.
open class HKSource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The display name.
  public let name: String

  /// The identifier of the source; by convention a program's bundle identifier.
  public let bundleIdentifier: String

  /// Creates a source.
  ///
  /// This is an addition for servers and importers, which store data recorded by other programs.
  public init(name: String, bundleIdentifier: String) {
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    super.init()
  }

  /// Returns the running program as a source.
  ///
  /// The identifier is that of the main bundle, or the process name if the bundle has none, as in a
  /// plain executable on Linux.
  open class func `default`() -> HKSource { running }

  private static let running: HKSource = {
    let process = ProcessInfo.processInfo.processName
    let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
    return HKSource(
      name: name ?? process, bundleIdentifier: Bundle.main.bundleIdentifier ?? process)
  }()

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived source.
  ///
  /// Returns nil if a field is missing.
  public required init?(coder: NSCoder) {
    guard
      let name = coder.decodeString("name"),
      let bundleIdentifier = coder.decodeString("bundleIdentifier")
    else { return nil }
    self.name = name
    self.bundleIdentifier = bundleIdentifier
    super.init()
  }

  /// Encodes the name and the identifier.
  open func encode(with coder: NSCoder) {
    coder.encodeString(name, "name")
    coder.encodeString(bundleIdentifier, "bundleIdentifier")
  }

  /// Returns the same object, because sources are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both sources have the same name and identifier.
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
