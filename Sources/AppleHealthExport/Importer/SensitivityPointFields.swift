import Foundation
import HealthStore

/// The attributes of a point of a hearing test.
struct SensitivityPointFields {
  private let fields: NamedFields

  init(_ entries: [ExportEntry]) { fields = NamedFields(entries, of: Self.name) }

  private static let name = "HKAudiogramSensitivityPoint"

  /// The point, or an error if an attribute is missing or invalid.
  var point: HKAudiogramSensitivityPoint {
    get throws(ImportRejection) {
      let frequency = try fields.quantity("frequencyValue", unit: "frequencyUnit", .hertz())
      guard let frequency else { throw .unstorable(Self.name, "it has no frequency.") }
      let sides = [("leftEar", HKAudiogramSensitivityTestSide.left), ("rightEar", .right)]
      var tests: [HKAudiogramSensitivityTest] = []
      for (ear, side) in sides {
        if let test = try test(of: ear, side) { tests.append(test) }
      }
      do {
        return try HKAudiogramSensitivityPoint(frequency: frequency, tests: tests)
      } catch {
        throw .unstorable(Self.name, error.localizedDescription)
      }
    }
  }

  private func test(
    of ear: String, _ side: HKAudiogramSensitivityTestSide
  ) throws(ImportRejection) -> HKAudiogramSensitivityTest? {
    let unit = HKUnit.decibelHearingLevel()
    guard let sensitivity = try fields.quantity(ear + "Value", unit: ear + "Unit", unit) else {
      return nil
    }
    let lower = try fields.number(ear + "ClampingRangeLowerBound")
    let upper = try fields.number(ear + "ClampingRangeUpperBound")
    let masked = try fields.flag(ear + "Masked")
    do {
      let hasRange = lower != nil || upper != nil
      return try HKAudiogramSensitivityTest(
        sensitivity: sensitivity, type: .air, masked: masked ?? false, side: side,
        clampingRange: hasRange
          ? try HKAudiogramSensitivityPointClampingRange(
            lowerBound: lower.map { NSNumber(value: $0) },
            upperBound: upper.map { NSNumber(value: $0) }) : nil)
    } catch {
      throw .unstorable(Self.name, error.localizedDescription)
    }
  }
}
