import Foundation
import SampleLog

/// The binary encoding of source revisions and devices, which rows reference by symbol.
///
/// The encoding is deterministic, so that equal objects share a symbol. It is a version byte,
/// followed by the fields in a fixed order. Text is a length (unsigned LEB128) and UTF-8; optional
/// text is preceded by a byte 0 or 1; numbers are zigzag LEB128.
private enum ProvenanceCoding {
  static let version: UInt8 = 1
}

extension HKSourceRevision {
  /// The source revision of rows that do not specify one.
  package static let unknown = HKSourceRevision(
    source: HKSource(name: "", bundleIdentifier: ""), version: nil, productType: nil,
    operatingSystemVersion: OperatingSystemVersion(
      majorVersion: 0, minorVersion: 0, patchVersion: 0))

  /// The encoded form, under which the store interns the revision.
  package var storedBytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(ProvenanceCoding.version)
    writer.string(Array(source.name.utf8))
    writer.string(Array(source.bundleIdentifier.utf8))
    writer.optional(version)
    writer.optional(productType)
    writer.signed(operatingSystemVersion.majorVersion)
    writer.signed(operatingSystemVersion.minorVersion)
    writer.signed(operatingSystemVersion.patchVersion)
    return writer.bytes
  }

  /// Decodes a revision, or returns `nil` if the bytes are malformed.
  package convenience init?(stored bytes: [UInt8]) {
    let fields = bytes.withUnsafeBytes { buffer -> Fields? in
      var reader = ByteReader(buffer)
      guard
        reader.byte() == ProvenanceCoding.version, let name = reader.text(),
        let bundle = reader.text(), let version = reader.optionalText(),
        let product = reader.optionalText(), let major = reader.signed(),
        let minor = reader.signed(), let patch = reader.signed(), reader.isAtEnd
      else { return nil }
      return Fields(
        name: name, bundle: bundle, version: version, product: product,
        system: [major, minor, patch])
    }
    guard let fields else { return nil }
    self.init(
      source: HKSource(name: fields.name, bundleIdentifier: fields.bundle),
      version: fields.version, productType: fields.product,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: fields.system[0], minorVersion: fields.system[1],
        patchVersion: fields.system[2]))
  }

  private struct Fields {
    var name: String
    var bundle: String
    var version: String?
    var product: String?
    var system: [Int]
  }
}

extension HKDevice {
  /// The encoded form, under which the store interns the device.
  package var storedBytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(ProvenanceCoding.version)
    writer.optional(name)
    writer.optional(manufacturer)
    writer.optional(model)
    writer.optional(hardwareVersion)
    writer.optional(firmwareVersion)
    writer.optional(softwareVersion)
    writer.optional(localIdentifier)
    writer.optional(udiDeviceIdentifier)
    return writer.bytes
  }

  /// Decodes a device, or returns `nil` if the bytes are malformed.
  package convenience init?(stored bytes: [UInt8]) {
    let fields = bytes.withUnsafeBytes { buffer -> [String?]? in
      var reader = ByteReader(buffer)
      guard reader.byte() == ProvenanceCoding.version else { return nil }
      var fields: [String?] = []
      for _ in 0..<8 {
        guard let field = reader.optionalText() else { return nil }
        fields.append(field)
      }
      return reader.isAtEnd ? fields : nil
    }
    guard let fields else { return nil }
    self.init(
      name: fields[0], manufacturer: fields[1], model: fields[2], hardwareVersion: fields[3],
      firmwareVersion: fields[4], softwareVersion: fields[5], localIdentifier: fields[6],
      udiDeviceIdentifier: fields[7])
  }
}
