import HealthKit

/// The encodings of a sample's source revision and device.
enum OriginForm {
  private static let version: UInt8 = 1

  static func bytes(_ revision: HKSourceRevision) -> [UInt8] {
    var writer = WireWriter()
    writer.byte(version)
    writer.text(revision.source.name)
    writer.text(revision.source.bundleIdentifier)
    writer.optional(revision.version) { $0.text($1) }
    writer.optional(revision.productType) { $0.text($1) }
    let system = revision.operatingSystemVersion
    for number in [system.majorVersion, system.minorVersion, system.patchVersion] {
      writer.signed(number)
    }
    return writer.bytes
  }

  static func bytes(_ device: HKDevice) -> [UInt8] {
    var writer = WireWriter()
    writer.byte(version)
    for text in [
      device.name, device.manufacturer, device.model, device.hardwareVersion,
      device.firmwareVersion, device.softwareVersion, device.localIdentifier,
      device.udiDeviceIdentifier,
    ] { writer.optional(text) { $0.text($1) } }
    return writer.bytes
  }
}
