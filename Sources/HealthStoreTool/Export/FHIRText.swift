import Foundation
import HealthStore

/// Builds parts of FHIR resources.
enum FHIRText {
  /// The code system of types and category values.
  static let typeSystem = "http://developer.apple.com/documentation/healthkit"
  /// The identifier system of subjects whose name is not a valid resource id.
  static let subjectSystem = "urn:swift-health-store:subject"
  static let categorySystem = "http://terminology.hl7.org/CodeSystem/observation-category"
  private static let loincSystem = "http://loinc.org"
  private static let unitSystem = "http://unitsofmeasure.org"

  static func coding(_ system: String, _ code: String, _ display: String?) -> JSONObject {
    var coding = JSONObject()
    coding.add("system", system)
    coding.add("code", code)
    coding.add(ifAny: "display", display)
    return coding
  }

  /// Returns the concept of a type: LOINC codes, HealthKit identifier and display name.
  static func concept(_ identifier: String, _ name: String, _ code: FHIRCode?) -> JSONObject {
    var concept = JSONObject()
    let codings = (code?.codes ?? []).map { coding(loincSystem, $0.code, $0.name) }
    concept.add("coding", codings + [coding(typeSystem, identifier, nil)])
    concept.add("text", name)
    return concept
  }

  /// Returns a value in the unit of its coding, or in its own unit if the coding has none.
  static func quantity(_ value: Double, _ unit: HKUnit, _ code: FHIRCode?) -> JSONObject {
    var (number, target) = (value, unit)
    var ucum = UCUM.code(unit.unitString)
    if let wanted = code?.unit, let conversion = unit.conversion(to: wanted) {
      target = wanted
      ucum = code?.unitCode
      // A conversion adds digits beyond the precision of the measurement.
      if !conversion.isIdentity { number = Figures.rounded(conversion(value), digits: 12) }
    }
    // HealthKit's percent is a fraction of 1, UCUM's a fraction of 100.
    if target.unitString == "%" { number = Figures.rounded(number * 100, digits: 12) }
    var quantity = JSONObject()
    quantity.add("value", number)
    quantity.add("unit", ucum?.hasPrefix("{") == false ? ucum ?? "" : target.unitString)
    if let ucum {
      quantity.add("system", unitSystem)
      quantity.add("code", ucum)
    }
    return quantity
  }

  /// Returns the summary of a workout as components, each with its unit.
  static func components(of workout: WorkoutFigures) -> [JSONObject] {
    let seconds = HKUnit.second()
    let named: [(name: String, quantity: HKQuantity?)] = [
      ("active duration", HKQuantity(unit: seconds, doubleValue: workout.activeSeconds)),
      ("elapsed duration", HKQuantity(unit: seconds, doubleValue: workout.elapsedSeconds)),
      ("energy", workout.energy), ("distance", workout.distance),
      ("average heart rate", workout.averageHeartRate),
      ("maximum heart rate", workout.maximumHeartRate), ("flights climbed", workout.flights),
      ("swimming strokes", workout.strokes),
    ]
    return named.compactMap { name, quantity in
      guard let quantity else { return nil }
      var code = JSONObject()
      code.add("text", name)
      var component = JSONObject()
      component.add("code", code)
      component.add("valueQuantity", self.quantity(quantity.value, quantity.unit, nil))
      return component
    }
  }

  /// Returns a date in FHIR's format, or nil outside the years 1 to 9999.
  static func date(_ secondsSince2001: Double) -> String? {
    (-63_113_904_000..<252_423_993_600).contains(secondsSince2001)
      ? UTCText.text(secondsSince2001) : nil
  }

  /// Returns whether a name is a valid resource id.
  static func isIdentifier(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Returns the subject of an Observation, or nil if the name is empty.
  static func subject(_ name: String) -> JSONObject? {
    if name.isEmpty { return nil }
    var subject = JSONObject()
    if isIdentifier(name) {
      subject.add("reference", "Patient/\(name)")
    } else {
      var identifier = JSONObject()
      identifier.add("system", subjectSystem)
      identifier.add("value", name)
      subject.add("type", "Patient")
      subject.add("identifier", identifier)
    }
    return subject
  }
}
