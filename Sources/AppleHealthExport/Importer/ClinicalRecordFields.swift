import Foundation
import HealthStore

/// The attributes of a clinical record.
struct ClinicalRecordFields {
  let identifier: String
  let receivedDate: Date
  /// The path of the resource's file, relative to the export's folder.
  let path: String
  /// The FHIR resource type, such as `DiagnosticReport`, or nil if the export has HealthKit's type.
  let resourceType: String?
  let origin: ExportOrigin
  private let sourceURL: String?
  private let version: HKFHIRVersion
  private let typeText: String
  /// The texts that identify the record in earlier versions: all attributes but its file's path.
  let texts: [String?]
  /// The texts that identify the record among others of its type, source and date.
  var identity: [String] { [identifier, version.stringRepresentation] }

  static let name = "HKClinicalRecord"
  private static let typePrefix = "HKClinicalTypeIdentifier"
  /// The maximum size of a resource in bytes; a row holds 16 MiB, including the rest of the record.
  static let byteLimit = 12 << 20

  init(_ entries: [ExportEntry]) throws(ImportRejection) {
    let fields = NamedFields(entries, of: Self.name)
    typeText = try fields.required("type")
    resourceType = typeText.hasPrefix(Self.typePrefix) ? nil : typeText
    identifier = try fields.required("identifier")
    path = String(try fields.required("resourceFilePath").drop { $0 == "/" })
    origin = ExportOrigin(
      sourceName: fields.text("sourceName") ?? ExportImporter.sourceName)
    sourceURL = fields.text("sourceURL")
    let versionText = try fields.required("fhirVersion")
    do {
      version = try HKFHIRVersion(fromVersionString: versionText)
    } catch {
      throw .unstorable(Self.name, error.localizedDescription)
    }
    guard let date = ExportDateFormat.instant(try fields.required("receivedDate")) else {
      throw .unstorable(Self.name, "its date makes no sense.")
    }
    receivedDate = date
    texts = [
      typeText, identifier, fields.text("sourceName"), sourceURL, versionText,
      fields.text("receivedDate"),
    ]
  }

  /// Returns the type of the record, which depends on the resource if one FHIR type maps to
  /// several.
  func type(of resource: ClinicalResource) throws(ImportRejection) -> HKClinicalType {
    let identifier = HKClinicalTypeIdentifier(
      rawValue: resourceType == nil ? typeText : Self.identifier(typeText, resource) ?? typeText)
    guard let type = HKObjectType.make(identifier: identifier.rawValue) as? HKClinicalType else {
      throw ImportRejection(problem: .unknownType("\(Self.name) \(typeText)"))
    }
    return type
  }

  /// Returns the resource with its unmodified bytes.
  func resource(_ resource: ClinicalResource, _ bytes: [UInt8]) -> HKFHIRResource {
    HKFHIRResource(
      resourceType: HKFHIRResourceType(rawValue: resourceType ?? resource.type ?? typeText),
      identifier: identifier, fhirVersion: version, data: Data(bytes),
      sourceURL: sourceURL.flatMap { URL(string: $0) })
  }

  private static func identifier(_ type: String, _ resource: ClinicalResource) -> String? {
    let known: HKClinicalTypeIdentifier? =
      switch HKFHIRResourceType(rawValue: type) {
      case .allergyIntolerance: .allergyRecord
      case .condition: .conditionRecord
      case .coverage: .coverageRecord
      case .diagnosticReport: .labResultRecord
      case .documentReference: .clinicalNoteRecord
      case .immunization: .immunizationRecord
      case .medicationDispense, .medicationOrder, .medicationRequest, .medicationStatement:
        .medicationRecord
      case .observation: resource.isVitalSign ? .vitalSignRecord : .labResultRecord
      case .procedure: .procedureRecord
      default: nil
      }
    return known?.rawValue
  }
}
