import Foundation

/// What a record's name and type follow from in the JSON of a FHIR resource.
///
/// Any bytes give a resource; what is not there, or is no JSON, is `nil`.
package struct ClinicalResource {
  /// The type that it says it has.
  package private(set) var type: String?
  /// What a person would call it.
  package private(set) var displayName: String?
  /// Whether it is an observation of the category of vital signs.
  package private(set) var isVitalSign = false

  /// Where resources have what they are about, of any version and type.
  private static let subjects = [
    "code", "vaccineCode", "medicationCodeableConcept", "substance", "type", "title",
    "description", "medicationReference",
  ]

  /// Reads a resource.
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

  /// The text of a value, of a concept or of its first code that has one.
  private static func name(_ value: Any?) -> String? {
    if let text = value as? String { return text.isEmpty ? nil : text.clipped }
    guard let concept = value as? [String: Any] else { return nil }
    let codings = (concept["coding"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    let names = [concept["text"], concept["display"]] + codings.map { $0["display"] }
    return names.lazy.compactMap { $0 as? String }.first { !$0.isEmpty }?.clipped
  }
}
