/// The fields of a device description in an export.
///
/// Apple writes `<<HKDevice: 0x282e3a260>, name:iPhone, …, hardware:iPhone10,4, software:12.3>`:
/// a memory address that differs from record to record, then fields whose values may contain
/// commas. Recent systems append the date on which the phone first saw the device.
public struct DeviceDescription: Equatable, Hashable, Sendable {
  /// The name, such as `Apple Watch`.
  public var name: String?
  /// The maker.
  public var manufacturer: String?
  /// The model, such as `Watch`.
  public var model: String?
  /// The hardware revision, such as `Watch6,2`.
  public var hardwareVersion: String?
  /// The firmware revision.
  public var firmwareVersion: String?
  /// The version of the software.
  public var softwareVersion: String?
  /// The phone's identifier of the device, often a Bluetooth identifier.
  public var localIdentifier: String?
  /// The FDA's unique device identifier (UDI).
  public var udiDeviceIdentifier: String?

  private typealias Path = any WritableKeyPath<Self, String?> & Sendable

  private static let fields: [(label: String, path: Path)] = [
    ("name", \.name), ("manufacturer", \.manufacturer), ("model", \.model),
    ("hardware", \.hardwareVersion), ("firmware", \.firmwareVersion),
    ("software", \.softwareVersion), ("localIdentifier", \.localIdentifier),
    ("UDI", \.udiDeviceIdentifier),
  ]

  /// Parses a device description; any other text becomes the name.
  ///
  /// - Parameter text: The `device` attribute, with or without its memory address.
  public init(_ text: String) {
    let body = Self.canonicalText(text)
    guard var label = Self.fields.firstIndex(where: { body.hasPrefix($0.label + ":") }) else {
      name = body.isEmpty ? nil : body
      return
    }
    var rest = body.dropFirst(Self.fields[label].label.count + 1)
    while true {
      // A value extends to the next label of a later field, so it can contain commas.
      var next: (index: Int, range: Range<String.Index>)?
      for later in (label + 1)..<max(label + 1, Self.fields.count) {
        guard let range = rest.firstRange(of: ", \(Self.fields[later].label):") else { continue }
        if next.map({ range.lowerBound < $0.range.lowerBound }) ?? true { next = (later, range) }
      }
      let value = rest[..<(next?.range.lowerBound ?? rest.endIndex)]
      self[keyPath: Self.fields[label].path] = value.isEmpty ? nil : String(value)
      guard let next else { return }
      rest = rest[next.range.upperBound...]
      label = next.index
    }
  }

  /// Returns `text` without the parts that differ between records of one device: the memory
  /// address, the enclosing brackets and the date at the end.
  ///
  /// - Parameter text: The `device` attribute.
  /// - Returns: The fields alone, or `text` itself if it is not a device description.
  public static func canonicalText(_ text: String) -> String {
    var body = Substring(text)
    if body.hasPrefix("<<HKDevice: "), let end = body.firstRange(of: ">, ") {
      body = body[end.upperBound...]
    } else if !body.hasPrefix("name:") {
      return text
    }
    if body.hasSuffix(">") { body.removeLast() }
    if let date = body.ranges(of: ", creation date:").last { body = body[..<date.lowerBound] }
    return String(body)
  }
}
