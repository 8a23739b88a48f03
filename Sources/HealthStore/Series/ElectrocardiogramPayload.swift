import SampleLog

/// The payload of an electrocardiogram.
///
/// A version byte; the number of voltages; the raw values of the classification and of the symptoms
/// status; a byte 0, or 1 and the average heart rate in beats per minute; likewise the sampling
/// frequency in hertz; the unit of the voltages; the symptoms, as members.
package struct ElectrocardiogramPayload: SeriesPayload {
  package static let kind: UInt64 = 6
  package static let layout = PointLayout.voltages
  private static let version: UInt8 = 1

  package let count: Int
  let classification: HKElectrocardiogram.Classification
  let symptomsStatus: HKElectrocardiogram.SymptomsStatus
  let averageHeartRate: Double?
  let samplingFrequency: Double?
  let unit: HKUnit
  package let members: [Member]

  package init(
    count: Int, classification: HKElectrocardiogram.Classification,
    symptomsStatus: HKElectrocardiogram.SymptomsStatus, averageHeartRate: Double?,
    samplingFrequency: Double?, unit: HKUnit, members: [Member]
  ) {
    self.count = count
    self.classification = classification
    self.symptomsStatus = symptomsStatus
    self.averageHeartRate = averageHeartRate
    self.samplingFrequency = samplingFrequency
    self.unit = unit
    self.members = members.sorted { $0.id < $1.id }
  }

  package var rowValue: Double { Double(classification.rawValue) }

  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.varint(UInt64(count))
    writer.signed(classification.rawValue)
    writer.signed(symptomsStatus.rawValue)
    writer.optional(averageHeartRate) { $0.fixed($1) }
    writer.optional(samplingFrequency) { $0.fixed($1) }
    writer.text(unit.unitString)
    writer.list(members) { $0.member($1) }
    return writer.bytes
  }

  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let count = reader.varint(),
      (1...UInt64(Int32.max)).contains(count),
      let classification = reader.signed().flatMap(HKElectrocardiogram.Classification.init),
      let symptoms = reader.signed().flatMap(HKElectrocardiogram.SymptomsStatus.init),
      let heartRate = reader.optional({ $0.finite() }),
      let frequency = reader.optional({ $0.finite() }),
      let unit = reader.text().flatMap(HKUnit.named),
      unit.form.isCompatible(with: HKUnit.volt().form),
      let members = reader.list({ $0.member() }), reader.isAtEnd
    else { return nil }
    self.init(
      count: Int(count), classification: classification, symptomsStatus: symptoms,
      averageHeartRate: heartRate, samplingFrequency: frequency, unit: unit, members: members)
  }
}
