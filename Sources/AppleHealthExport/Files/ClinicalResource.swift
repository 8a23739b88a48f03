import Foundation

/// The fields of a FHIR resource's JSON that determine the name and type of a clinical record.
///
/// Accepts any bytes. A field is `nil` if it is missing or the bytes are not JSON.
package struct ClinicalResource {
  /// The `resourceType` of the resource.
  package private(set) var type: String?
  package private(set) var displayName: String?
  /// Whether the resource has the category of vital signs.
  package private(set) var isVitalSign = false

  /// The keys that hold a resource's name, across FHIR versions and resource types, in order of
  /// preference.
  private static let subjects = [
    "code", "vaccineCode", "medicationCodeableConcept", "substance", "type", "title",
    "description", "medicationReference",
  ]

  /// Parses a resource.
  package init(_ bytes: [UInt8]) {
    guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
      let object = value as? [String: Any]
    else { return }
    type = Self.name(object["resourceType"])
    for key in Self.subjects {
      displayName = Self.name(object[key])
      if displayName != nil { break }
    }
    let concepts = object["category"] as? [Any] ?? [object["category"] as Any]
    isVitalSign = concepts.contains { concept in
      let codings = (concept as? [String: Any])?["coding"] as? [Any] ?? []
      return codings.contains { ($0 as? [String: Any])?["code"] as? String == "vital-signs" }
    }
  }

  /// Returns the text of a string, of a concept or of the concept's first coding that has one.
  private static func name(_ value: Any?) -> String? {
    if let text = value as? String { return text.isEmpty ? nil : text.clipped }
    guard let concept = value as? [String: Any] else { return nil }
    let codings = (concept["coding"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    let names = [concept["text"], concept["display"]] + codings.map { $0["display"] }
    return names.lazy.compactMap { $0 as? String }.first { !$0.isEmpty }?.clipped
  }
}
