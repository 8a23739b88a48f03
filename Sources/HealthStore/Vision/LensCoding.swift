import Foundation
import SampleLog

/// The binary encoding of lenses and prisms, in payloads and in archives.
///
/// A lens: sphere, then optional cylinder, axis and addition. For glasses, followed by optional
/// vertex distance, prism, far and near pupillary distance; for contact lenses, by optional base
/// curve and diameter. A prism: a byte 0 with amount and angle, or a byte 1 with vertical amount
/// and base and horizontal amount and base, then the eye. Bases and eyes are one byte each.
enum LensCoding {
  static func encode(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    write(&writer)
    return writer.bytes
  }

  /// Decodes a value that must use all bytes.
  static func decode<Value>(
    _ bytes: [UInt8], _ read: (inout ByteReader) -> Value?
  ) -> Value? {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      let value = read(&reader)
      return reader.isAtEnd ? value : nil
    }
  }

  static func glasses(_ reader: inout ByteReader) -> HKGlassesLensSpecification? {
    guard let lens = Lens(&reader), let vertex = reader.quantity(or: .meter()),
      let prism = reader.optional(prism), let far = reader.quantity(or: .meter()),
      let near = reader.quantity(or: .meter())
    else { return nil }
    return HKGlassesLensSpecification(
      sphere: lens.sphere, cylinder: lens.cylinder, axis: lens.axis, addPower: lens.addPower,
      vertexDistance: vertex, prism: prism, farPupillaryDistance: far, nearPupillaryDistance: near)
  }

  static func contacts(_ reader: inout ByteReader) -> HKContactsLensSpecification? {
    guard let lens = Lens(&reader), let curve = reader.quantity(or: .meter()),
      let diameter = reader.quantity(or: .meter())
    else { return nil }
    return HKContactsLensSpecification(
      sphere: lens.sphere, cylinder: lens.cylinder, axis: lens.axis, addPower: lens.addPower,
      baseCurve: curve, diameter: diameter)
  }

  static func prism(_ reader: inout ByteReader) -> HKVisionPrism? {
    func base() -> HKPrismBase? {
      reader.byte().flatMap { HKPrismBase(rawValue: Int($0)) }
    }
    func eye() -> HKVisionEye? {
      reader.byte().flatMap { HKVisionEye(rawValue: Int($0)) }
    }
    switch reader.byte() {
    case 0:
      guard let amount = reader.quantity(in: .prismDiopter()),
        let angle = reader.quantity(in: .degreeAngle()), let eye = eye()
      else { return nil }
      return HKVisionPrism(amount: amount, angle: angle, eye: eye)
    case 1:
      guard let vertical = reader.quantity(in: .prismDiopter()), let up = base(),
        HKVisionPrism.isVertical(up), let horizontal = reader.quantity(in: .prismDiopter()),
        let inward = base(), HKVisionPrism.isHorizontal(inward), let eye = eye()
      else { return nil }
      return HKVisionPrism(
        verticalAmount: vertical, verticalBase: up, horizontalAmount: horizontal,
        horizontalBase: inward, eye: eye)
    default: return nil
    }
  }

  /// The fields of every lens.
  private struct Lens {
    let sphere: HKQuantity
    let cylinder: HKQuantity?
    let axis: HKQuantity?
    let addPower: HKQuantity?

    init?(_ reader: inout ByteReader) {
      guard let sphere = reader.quantity(in: .diopter()),
        let cylinder = reader.quantity(or: .diopter()),
        let axis = reader.quantity(or: .degreeAngle()),
        let addPower = reader.quantity(or: .diopter())
      else { return nil }
      self.sphere = sphere
      self.cylinder = cylinder
      self.axis = axis
      self.addPower = addPower
    }
  }
}

extension ByteWriter {
  mutating func glasses(_ lens: HKGlassesLensSpecification) {
    self.lens(lens)
    optional(lens.vertexDistance) { $0.quantity($1) }
    optional(lens.prism) { $0.prism($1) }
    optional(lens.farPupillaryDistance) { $0.quantity($1) }
    optional(lens.nearPupillaryDistance) { $0.quantity($1) }
  }

  mutating func contacts(_ lens: HKContactsLensSpecification) {
    self.lens(lens)
    optional(lens.baseCurve) { $0.quantity($1) }
    optional(lens.diameter) { $0.quantity($1) }
  }

  mutating func prism(_ prism: HKVisionPrism) {
    byte(prism.isPolar ? 0 : 1)
    if prism.isPolar {
      quantity(prism.amount)
      quantity(prism.angle)
    } else {
      quantity(prism.verticalAmount)
      byte(UInt8(prism.verticalBase.rawValue))
      quantity(prism.horizontalAmount)
      byte(UInt8(prism.horizontalBase.rawValue))
    }
    byte(UInt8(prism.eye.rawValue))
  }

  private mutating func lens(_ lens: HKLensSpecification) {
    quantity(lens.sphere)
    optional(lens.cylinder) { $0.quantity($1) }
    optional(lens.axis) { $0.quantity($1) }
    optional(lens.addPower) { $0.quantity($1) }
  }
}

extension ByteReader {
  /// Returns a finite quantity that is compatible with a unit.
  fileprivate mutating func quantity(in unit: HKUnit) -> HKQuantity? {
    quantity().flatMap { $0.is(compatibleWith: unit) ? $0 : nil }
  }

  /// Returns an optional quantity that is compatible with a unit.
  fileprivate mutating func quantity(or unit: HKUnit) -> HKQuantity?? {
    optional { $0.quantity(in: unit) }
  }
}
