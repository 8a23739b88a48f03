public import Foundation

/// A FHIR resource of a clinical record, as JSON.
open class HKFHIRResource: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The FHIR version of the JSON.
  public let fhirVersion: HKFHIRVersion

  /// The type of the resource.
  public let resourceType: HKFHIRResourceType

  /// The resource's identifier, unique for its type and source.
  public let identifier: String

  /// The JSON, exactly as received.
  public let data: Data

  /// The URL of the resource.
  public let sourceURL: URL?

  /// Creates a resource.
  ///
  /// This is an addition: in HealthKit, resources come only from clinics. The JSON is stored
  /// without validation.
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

  /// Decodes an archived resource; returns nil if a field is missing.
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

  /// Encodes all fields.
  open func encode(with coder: NSCoder) {
    coder.encodeString(resourceType.rawValue, "resourceType")
    coder.encodeString(identifier, "identifier")
    coder.encode(fhirVersion, forKey: "fhirVersion")
    coder.encode(data as NSData, forKey: "data")
    coder.encodeString(sourceURL?.absoluteString, "sourceURL")
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both have the same type, identifier, version, data and URL.
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
