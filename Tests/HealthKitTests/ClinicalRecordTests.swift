import HealthKit
import Testing

@Suite struct ClinicalRecordTests {
  private let clinic = HKSourceRevision(
    source: HKSource(name: "Clinic", bundleIdentifier: "org.example.clinic"), version: nil)

  private func record(
    _ type: HKClinicalTypeIdentifier, _ resourceType: HKFHIRResourceType, _ identifier: String,
    from revision: HKSourceRevision? = nil
  ) throws -> HKClinicalRecord {
    try HKClinicalRecord.validated(
      type: HKClinicalType(type), displayName: identifier.uppercased(),
      fhirResource: HKFHIRResource(
        resourceType: resourceType, identifier: identifier, fhirVersion: .primaryR4(),
        data: Data("{ \"id\" : \"\(identifier)\" }\n".utf8)),
      start: start, end: start, sourceRevision: revision ?? clinic)
  }

  @Test func `clinical records are supported`() {
    #expect(HKHealthStore.inMemory().supportsHealthRecords())
  }

  @Test func `a resource's text is read back byte by byte`() async throws {
    let store = HKHealthStore.inMemory()
    let saved = try record(.labResultRecord, .observation, "a")
    try await store.save(saved)
    let read = try await HKSampleQueryDescriptor(
      predicates: [.clinicalRecord(type: HKClinicalType(.labResultRecord))], sortDescriptors: []
    ).result(for: store)
    #expect(read.first?.fhirResource == saved.fhirResource)
    #expect(read.first?.fhirResource?.data == saved.fhirResource?.data)
    #expect(read.first?.displayName == "A")
    #expect(read.first?.clinicalType == HKClinicalType(.labResultRecord))
    #expect(read.first?.sourceRevision.source.name == "Clinic")
  }

  @Test func `predicates admit by the resource's type, identifier and source`() async throws {
    let store = HKHealthStore.inMemory()
    let type = HKClinicalType(.medicationRecord)
    let order = try record(.medicationRecord, .medicationOrder, "1")
    let request = try record(.medicationRecord, .medicationRequest, "1")
    let elsewhere = try record(
      .medicationRecord, .medicationOrder, "1",
      from: HKSourceRevision(
        source: HKSource(name: "Other", bundleIdentifier: "org.example.other"), version: nil))
    let none = try HKClinicalRecord.validated(
      type: type, displayName: "", fhirResource: nil, start: start, end: start)
    try await store.save([order, request, elsewhere, none])
    let orders = HKQuery.predicateForClinicalRecords(withFHIRResourceType: .medicationOrder)
    #expect(Set(try await store.samples(type, predicate: orders)) == [order, elsewhere])
    let one = HKQuery.predicateForClinicalRecords(
      from: clinic.source, fhirResourceType: .medicationOrder, identifier: "1")
    #expect(try await store.samples(type, predicate: one) == [order])
    let format = NSPredicate(
      format: "%K == %@", HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "1")
    #expect(try await store.samples(type, predicate: format).count == 3)
    let missing = NSPredicate(format: "%K == nil", HKPredicateKeyPathClinicalRecordFHIRResourceType)
    #expect(try await store.samples(type, predicate: missing) == [none])
  }

  @Test(arguments: [
    ("1.0.2", HKFHIRRelease.dstu2), ("1.0.0", .dstu2), ("4.0.1", .r4), ("3.0.1", .unknown),
    ("5.0.0", .unknown),
  ])
  func `a FHIR version has its release`(text: String, release: HKFHIRRelease) throws {
    let version = try HKFHIRVersion(fromVersionString: text)
    #expect(version.fhirRelease == release)
    #expect(version.stringRepresentation == text)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: version, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKFHIRVersion.self, from: data) == version)
  }

  @Test(arguments: ["", "4", "4.0", "4.0.1.2", "4.0.x", "-1.0.2", "4..1", "+4.0.1", " 4.0.1"])
  func `text that is not a FHIR version is an error`(text: String) {
    #expect(throws: HKError.self) { try HKFHIRVersion(fromVersionString: text) }
  }

  @Test func `the primary versions are those of records`() {
    #expect(HKFHIRVersion.primaryDSTU2().stringRepresentation == "1.0.2")
    #expect(HKFHIRVersion.primaryR4().stringRepresentation == "4.0.1")
  }

  @Test func `a resource survives an archive`() throws {
    let resource = HKFHIRResource(
      resourceType: .condition, identifier: "c", fhirVersion: .primaryDSTU2(),
      data: Data([0, 255]),
      sourceURL: URL(string: "https://example.org/Condition/c?x=%20"))
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: resource, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKFHIRResource.self, from: data) == resource)
  }
}
