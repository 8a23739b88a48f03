import Foundation
import SampleLog

/// The payload of a clinical record.
///
/// A version byte, the display name, then a byte 0, or a byte 1 and the resource: the three numbers
/// of its FHIR version (signed), its type, its identifier, its optional URL, and its data.
package struct ClinicalRecordPayload: SamplePayload {
  package static let kind: UInt64 = 11
  private static let version: UInt8 = 1

  let displayName: String
  let resource: HKFHIRResource?

  package init(displayName: String, resource: HKFHIRResource?) {
    self.displayName = displayName
    self.resource = resource
  }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.text(displayName)
    writer.optional(resource) { writer, resource in
      writer.signed(resource.fhirVersion.majorVersion)
      writer.signed(resource.fhirVersion.minorVersion)
      writer.signed(resource.fhirVersion.patchVersion)
      writer.text(resource.resourceType.rawValue)
      writer.text(resource.identifier)
      writer.optional(resource.sourceURL?.absoluteString)
      writer.string([UInt8](resource.data))
    }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let name = reader.text(),
      let resource = reader.optional(Self.resource), reader.isAtEnd
    else { return nil }
    self.init(displayName: name, resource: resource)
  }

  private static func resource(_ reader: inout ByteReader) -> HKFHIRResource? {
    guard let major = reader.signed(), let minor = reader.signed(), let patch = reader.signed(),
      min(major, minor, patch) >= 0, let type = reader.text(), let identifier = reader.text(),
      let address = reader.optionalText(), let data = reader.string()
    else { return nil }
    var url: URL?
    if let address {
      url = URL(string: address)
      if url == nil { return nil }
    }
    return HKFHIRResource(
      resourceType: HKFHIRResourceType(rawValue: type), identifier: identifier,
      fhirVersion: HKFHIRVersion(major, minor, patch), data: Data(data), sourceURL: url)
  }
}
