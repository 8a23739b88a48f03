import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct RecordImportTests {
  private let folder: TemporaryFolder
  private let store = HKHealthStore.inMemory()

  init() throws { folder = try TemporaryFolder() }

  private func importing(_ body: String) throws -> ImportSummary {
    try folder.write("export.xml", Array(export(body).utf8))
    let (document, files) = try ExportSource.contents(of: folder.path)
    return try ExportImporter(into: store).run(ExportReader(document), files: files)
  }

  private func samples<Sample: HKSample>(_ predicate: HKSamplePredicate<Sample>) async throws
    -> [Sample]
  {
    try await HKSampleQueryDescriptor(predicates: [predicate], sortDescriptors: [])
      .result(for: store)
  }

  private static let audiogram = """
    <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Settings" \
    startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:10:00 +0100">
    <MetadataEntry key="HKExternalUUID" value="A"/>
    <SensitivityPoint frequencyValue="1" frequencyUnit="kHz" leftEarValue="20" leftEarUnit="dBHL" \
    leftEarMasked="1" leftEarClampingRangeLowerBound="-10" rightEarValue="25"/>
    <SensitivityPoint frequencyValue="500" frequencyUnit="Hz" rightEarValue="15"/>
    <SensitivityPoint frequencyValue="many" leftEarValue="20"/>
    </Audiogram>
    """

  @Test func `A hearing test is imported with its points, by frequency`() async throws {
    let summary = try importing(Self.audiogram)
    #expect(summary.broken?.count == 1)
    let test = try #require(try await samples(.audiogram()).first)
    #expect(test.metadata?[HKMetadataKeyExternalUUID] as? String == "A")
    let points = test.sensitivityPoints
    #expect(points.map { $0.frequency.doubleValue(for: .hertz()) } == [500, 1000])
    #expect(points[0].leftEarSensitivity == nil)
    let left = try #require(points[1].tests.first { $0.side == .left })
    #expect(left.masked)
    #expect(left.sensitivity == HKQuantity(unit: .decibelHearingLevel(), doubleValue: 20))
    #expect(
      left.clampingRange?.lowerBound
        == HKQuantity(unit: .decibelHearingLevel(), doubleValue: -10))
    #expect(try importing(Self.audiogram).added == 0)
  }

  @Test func `Prescriptions are imported with eyes and prisms`() async throws {
    let body = """
      <VisionPrescription type="glasses" dateIssued="2024-02-01" expirationDate="2026-02-01">
      <RightEye sphere="-1.5" sphereUnit="D" cylinder="0.5" axis="90" axisUnit="deg" \
      vertex="12" vertexUnit="mm" farPD="3.1" farPDUnit="cm" prismAmount="2" prismAngle="90"/>
      </VisionPrescription>
      <VisionPrescription type="HKVisionPrescriptionTypeContacts" brand="Brand" \
      dateIssued="2024-02-02 08:00:00 +0100">
      <LeftEye sphere="1" baseCurve="8.6" diameter="14.2"/><Attachment identifier="scan"/>
      </VisionPrescription>
      <VisionPrescription type="monocle" dateIssued="2024-02-01"/>
      <VisionPrescription type="glasses" dateIssued="2024-02-01"><LeftEye axis="90"/>
      </VisionPrescription>
      """
    let summary = try importing(body)
    #expect(summary.unrepresented.keys.sorted() == ["attachments of vision prescriptions"])
    #expect(summary.rejected == 2)
    let found = try await samples(.visionPrescription()).sorted { $0.startDate < $1.startDate }
    #expect(found.count == 2)
    let glasses = try #require(found.first as? HKGlassesPrescription)
    #expect(glasses.leftEye == nil)
    let eye = try #require(glasses.rightEye)
    #expect(eye.sphere.doubleValue(for: .diopter()) == -1.5)
    #expect(eye.farPupillaryDistance?.doubleValue(for: .meterUnit(with: .milli)) == 31)
    #expect(eye.prism?.verticalBase == .up)
    #expect(glasses.expirationDate == ExportDateFormat.instant("2026-02-01 00:00:00 +0000"))
    let contacts = try #require(found.last as? HKContactsPrescription)
    #expect(contacts.brand == "Brand")
    #expect(contacts.leftEye?.diameter?.doubleValue(for: .meterUnit(with: .milli)) == 14.2)
    #expect(try importing(body).added == 0)
  }

  private static func clinical(_ type: String, _ path: String) -> String {
    """
    <ClinicalRecord type="\(type)" identifier="id" sourceName="Clinic" \
    sourceURL="https://example.org/fhir/1" fhirVersion="4.0.1" \
    receivedDate="2024-02-01 08:00:00 +0100" resourceFilePath="/clinical-records/\(path)"/>
    """
  }

  @Test func `A clinical record keeps the bytes of its file`() async throws {
    let json =
      Array(
        #" { "resourceType" : "Observation", "code":{"coding":[{"display":"Pulse"}]},"#.utf8)
      + Array(#""category":[{"coding":[{"code":"vital-signs"}]}]} "#.utf8)
    try folder.write("clinical-records/one.json", json)
    let body = Self.clinical("Observation", "one.json")
    #expect(try importing(body).files.isEmpty)
    let record = try #require(
      try await samples(.clinicalRecord(type: HKClinicalType(.vitalSignRecord))).first)
    #expect(record.displayName == "Pulse")
    #expect(record.sourceRevision.source.name == "Clinic")
    let resource = try #require(record.fhirResource)
    #expect(resource.data == Data(json))
    #expect(resource.resourceType == .observation)
    #expect(resource.fhirVersion.stringRepresentation == "4.0.1")
    #expect(resource.sourceURL?.absoluteString == "https://example.org/fhir/1")
    #expect(record.startDate == ExportDateFormat.instant("2024-02-01 08:00:00 +0100"))
    #expect(try importing(body).added == 0)
  }

  @Test func `A resource that is not JSON is kept`() async throws {
    try folder.write("clinical-records/one.json", [0xff, 0x00])
    _ = try importing(Self.clinical("Condition", "one.json"))
    let record = try #require(
      try await samples(.clinicalRecord(type: HKClinicalType(.conditionRecord))).first)
    #expect(record.displayName == "Condition")
    #expect(record.fhirResource?.data == Data([0xff, 0x00]))
  }

  @Test func `A record with a missing or oversized file is imported once the file is available`()
    throws
  {
    let path = try folder.write("clinical-records/long.json", [])
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(ClinicalRecordFields.byteLimit) + 1)
    let body = Self.clinical("Condition", "long.json") + Self.clinical("Coverage", "none.json")
    let summary = try importing(body)
    #expect(summary.added == 0)
    #expect(
      summary.files == [
        "clinical-records/long.json": .tooLong(limit: ClinicalRecordFields.byteLimit),
        "clinical-records/none.json": .missing,
      ])
    try file.truncate(atOffset: UInt64(ClinicalRecordFields.byteLimit))
    #expect(try importing(body).added == 1)
  }

  @Test func `A record of an unknown type or without a version is counted`() throws {
    try folder.write("clinical-records/one.json", Array("{}".utf8))
    let body =
      Self.clinical("Horoscope", "one.json")
      + Self.clinical("Condition", "one.json").replacing("4.0.1", with: "four")
    let summary = try importing(body)
    #expect(summary.added == 0)
    #expect(summary.rejected == 2)
  }
}
