public import Foundation

/// A resource of a clinic's records, as its JSON text.
open class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The version of FHIR that the text is in.
  public let fhirVersion: HKFHIRVersion

  /// The type of the resource.
  public let resourceType: HKFHIRResourceType

  /// The resource's identifier: unique among those of its type and source.
  public let identifier: String

  /// The JSON text, byte by byte as it came.
  public let data: Data

  /// Where the resource came from.
  public let sourceURL: URL?

  /// Makes a resource.
  ///
  /// Our addition: HealthKit's come from clinics alone. The text is kept as it is, whether it makes
  /// sense or not.
  public init(
    resourceType: HKFHIRResourceType, identifier: String, fhirVersion: HKFHIRVersion, data: Data,
    sourceURL: URL? = nil
  ) {
    self.resourceType = resourceType
    self.identifier = identifier
    self.fhirVersion = fhirVersion
    self.data = data
    self.sourceURL = sourceURL
    super.init()
  }

  /// Reads a resource from an archive; nil when it lacks a field.
  public required convenience init?(coder: NSCoder) {
    guard let type = coder.decodeString("resourceType"),
      let identifier = coder.decodeString("identifier"),
      let version = coder.decodeObject(HKFHIRVersion.self, "fhirVersion"),
      let data = coder.decodeObject(NSData.self, "data")
    else { return nil }
    self.init(
      resourceType: HKFHIRResourceType(rawValue: type), identifier: identifier,
      fhirVersion: version, data: Data(referencing: data),
      sourceURL: coder.decodeString("sourceURL").flatMap(URL.init(string:)))
  }

  /// Archives every field.
  open func encode(with coder: NSCoder) {
    coder.encodeString(resourceType.rawValue, "resourceType")
    coder.encodeString(identifier, "identifier")
    coder.encode(fhirVersion, forKey: "fhirVersion")
    coder.encode(data as NSData, forKey: "data")
    coder.encodeString(sourceURL?.absoluteString, "sourceURL")
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both have the same type, identifier, version, text and address.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKFHIRResource else { return false }
    return resourceType == other.resourceType && identifier == other.identifier
      && fhirVersion == other.fhirVersion && data == other.data && sourceURL == other.sourceURL
  }

  /// A hash of the type and the identifier.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(resourceType)
    hasher.combine(identifier)
    return hasher.finalize()
  }
}
