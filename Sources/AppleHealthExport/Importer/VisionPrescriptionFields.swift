import Foundation
import HealthStore

/// The fields of a vision prescription in an export.
struct VisionPrescriptionFields {
  let dateIssued: Date
  private let type: HKVisionPrescriptionType
  private let expirationDate: Date?
  private let item: ExportVisionPrescription

  private static let name = HKObjectType.visionPrescriptionType().identifier

  init(_ item: ExportVisionPrescription) throws(ImportRejection) {
    self.item = item
    // The format is undocumented: a word, the name of the constant or its number.
    let name = item.type.lowercased()
    if name == "1" || name.hasSuffix("glasses") {
      type = .glasses
    } else if name == "2" || name.hasSuffix("contacts") {
      type = .contacts
    } else {
      throw ImportRejection(problem: .unknownValue(type: Self.name, value: item.type.clipped))
    }
    guard let issued = ExportDateFormat.instantOrDay(item.dateIssued) else {
      throw .unstorable(Self.name, "its date makes no sense.")
    }
    dateIssued = issued
    expirationDate = try item.expirationDate.map { text throws(ImportRejection) in
      guard let date = ExportDateFormat.instantOrDay(text) else {
        throw .unstorable(Self.name, "the date of its expiration makes no sense.")
      }
      return date
    }
  }

  /// The payload of the stored row.
  var payload: VisionPrescriptionPayload {
    get throws(ImportRejection) {
      VisionPrescriptionPayload(
        type, expirationDate, right: try lens(item.rightEye, .right),
        left: try lens(item.leftEye, .left), brand: item.brand ?? "")
    }
  }

  /// The numbers that identify the prescription among others of its date, in units that must never
  /// change.
  var numbers: [Double?] {
    get throws(ImportRejection) {
      let days = expirationDate.map { ($0.timeIntervalSinceReferenceDate / 86_400).rounded(.down) }
      var numbers: [Double?] = [Double(type.rawValue), days]
      for eye in [item.rightEye, item.leftEye] {
        let fields = NamedFields(eye, of: Self.name)
        numbers.append(Double(eye.isEmpty ? 0 : 1))
        for (names, unit) in Self.quantities {
          for name in names {
            numbers.append(
              try fields.quantity(name, unit: name + "Unit", unit)?.doubleValue(for: unit))
          }
        }
      }
      return numbers
    }
  }

  /// The quantities of a lens, in an order that must never change, because identities depend on it.
  private static let quantities: [([String], HKUnit)] = [
    (["sphere", "cylinder", "add"], .diopter()), (["axis", "prismAngle"], .degreeAngle()),
    (["vertex", "farPD", "nearPD", "baseCurve", "diameter"], .meterUnit(with: .milli)),
    (["prismAmount"], .prismDiopter()),
  ]

  private func lens(
    _ entries: [ExportEntry], _ eye: HKVisionEye
  ) throws(ImportRejection) -> HKLensSpecification? {
    if entries.isEmpty { return nil }
    let fields = NamedFields(entries, of: Self.name)
    func power(_ name: String) throws(ImportRejection) -> HKQuantity? {
      try fields.quantity(name, unit: name + "Unit", .diopter())
    }
    func length(_ name: String) throws(ImportRejection) -> HKQuantity? {
      try fields.quantity(name, unit: name + "Unit", .meterUnit(with: .milli))
    }
    guard let sphere = try power("sphere") else { throw .unstorable(Self.name, "no sphere.") }
    let axis = try fields.quantity("axis", unit: "axisUnit", .degreeAngle())
    let (cylinder, add) = (try power("cylinder"), try power("add"))
    switch type {
    case .glasses:
      return HKGlassesLensSpecification(
        sphere: sphere, cylinder: cylinder, axis: axis, addPower: add,
        vertexDistance: try length("vertex"), prism: try prism(fields, eye),
        farPupillaryDistance: try length("farPD"), nearPupillaryDistance: try length("nearPD"))
    case .contacts:
      return HKContactsLensSpecification(
        sphere: sphere, cylinder: cylinder, axis: axis, addPower: add,
        baseCurve: try length("baseCurve"), diameter: try length("diameter"))
    }
  }

  private func prism(
    _ fields: NamedFields, _ eye: HKVisionEye
  ) throws(ImportRejection) -> HKVisionPrism? {
    let amount = try fields.quantity("prismAmount", unit: "prismAmountUnit", .prismDiopter())
    let angle = try fields.quantity("prismAngle", unit: "prismAngleUnit", .degreeAngle())
    guard let amount else {
      if angle == nil { return nil }
      throw .unstorable(Self.name, "a prism has an angle and no amount.")
    }
    return HKVisionPrism(
      amount: amount, angle: angle ?? HKQuantity(unit: .degreeAngle(), doubleValue: 0), eye: eye)
  }
}
