public import Foundation

/// The device that measured data.
///
/// Immutable. Two devices are equal if all eight properties are equal.
open class HKDevice: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The user-assigned name of the device.
  public let name: String?

  /// The manufacturer of the device.
  public let manufacturer: String?

  /// The model of the device.
  public let model: String?

  /// The version of the hardware.
  public let hardwareVersion: String?

  /// The version of the firmware.
  public let firmwareVersion: String?

  /// The version of the software.
  public let softwareVersion: String?

  /// The identifier of the device on the local system, such as a Bluetooth identifier.
  public let localIdentifier: String?

  /// The device identifier part of the FDA's unique device identifier.
  public let udiDeviceIdentifier: String?

  /// Creates a device.
  public init(
    name: String?,
    manufacturer: String?,
    model: String?,
    hardwareVersion: String?,
    firmwareVersion: String?,
    softwareVersion: String?,
    localIdentifier: String?,
    udiDeviceIdentifier: String?
  ) {
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.hardwareVersion = hardwareVersion
    self.firmwareVersion = firmwareVersion
    self.softwareVersion = softwareVersion
    self.localIdentifier = localIdentifier
    self.udiDeviceIdentifier = udiDeviceIdentifier
    super.init()
  }

  /// Returns the machine that the program runs on.
  ///
  /// The name is the network node name, the model is the processor architecture, and the software
  /// version is the kernel's name and release, all as reported by `uname`.
  open class func local() -> HKDevice { machine }

  private static let machine: HKDevice = {
    // Uses `uname`, because `ProcessInfo.hostName` may query a name server.
    var facts = utsname()
    guard uname(&facts) == 0 else {
      return HKDevice(
        name: nil, manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
        softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
    }
    return HKDevice(
      name: text(&facts.nodename), manufacturer: nil, model: text(&facts.machine),
      hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: "\(text(&facts.sysname)) \(text(&facts.release))", localIdentifier: nil,
      udiDeviceIdentifier: nil)
  }()

  /// Returns the text of a C character array up to the terminating NUL.
  private static func text<Characters>(_ characters: inout Characters) -> String {
    withUnsafeBytes(of: &characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived device.
  ///
  /// Properties that the archive lacks are nil.
  public required init?(coder: NSCoder) {
    name = coder.decodeString("name")
    manufacturer = coder.decodeString("manufacturer")
    model = coder.decodeString("model")
    hardwareVersion = coder.decodeString("hardwareVersion")
    firmwareVersion = coder.decodeString("firmwareVersion")
    softwareVersion = coder.decodeString("softwareVersion")
    localIdentifier = coder.decodeString("localIdentifier")
    udiDeviceIdentifier = coder.decodeString("udiDeviceIdentifier")
    super.init()
  }

  /// Encodes the properties that are not nil.
  open func encode(with coder: NSCoder) {
    coder.encodeString(name, "name")
    coder.encodeString(manufacturer, "manufacturer")
    coder.encodeString(model, "model")
    coder.encodeString(hardwareVersion, "hardwareVersion")
    coder.encodeString(firmwareVersion, "firmwareVersion")
    coder.encodeString(softwareVersion, "softwareVersion")
    coder.encodeString(localIdentifier, "localIdentifier")
    coder.encodeString(udiDeviceIdentifier, "udiDeviceIdentifier")
  }

  /// Returns the same object, because devices are immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The properties in the order of the initialiser.
  private var properties: [String?] {
    [
      name, manufacturer, model, hardwareVersion, firmwareVersion, softwareVersion,
      localIdentifier, udiDeviceIdentifier,
    ]
  }

  /// Returns whether all eight properties are equal.
  ///
  /// A nil property equals only nil.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKDevice else { return false }
    return self === other || properties == other.properties
  }

  /// A hash of all properties.
  open override var hash: Int { properties.hashValue }

  /// The properties that are not `nil`.
  open override var description: String {
    "HKDevice(\(properties.compactMap(\.self).joined(separator: ", ")))"
  }
}
