import HealthKit
import Testing

@Suite struct CDADocumentTests {
  private static let visit = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a visit -->
    <cda:ClinicalDocument xmlns:cda='urn:hl7-org:v3' id="a>b">
      <cda:title>Visit &amp; <cda:b>follow&#45;up</cda:b></cda:title>
      <cda:recordTarget><cda:patientRole><cda:id root="1"/><cda:patient>
        <cda:name><cda:given>Ada</cda:given>
          <cda:family>Lovelace</cda:family></cda:name>
      </cda:patient></cda:patientRole></cda:recordTarget>
      <cda:author><cda:assignedAuthor><cda:assignedPerson>
        <cda:name><![CDATA[Dr. <B>]]></cda:name></cda:assignedPerson></cda:assignedAuthor>
      </cda:author>
      <cda:author><cda:assignedAuthor><cda:assignedPerson>
        <cda:name>Another</cda:name></cda:assignedPerson></cda:assignedAuthor></cda:author>
      <cda:custodian><cda:assignedCustodian><cda:representedCustodianOrganization>
        <cda:name>Clinic</cda:name></cda:representedCustodianOrganization>
      </cda:assignedCustodian></cda:custodian>
      <cda:component><cda:title>not this one</cda:title></cda:component>
    </cda:ClinicalDocument>
    """

  private func sample(_ text: String = visit) throws -> HKCDADocumentSample {
    try HKCDADocumentSample(data: Data(text.utf8), start: start, end: start, metadata: nil)
  }

  private func documents(
    _ predicate: NSPredicate? = nil, withData: Bool = true, in store: HKHealthStore
  ) async throws -> [HKCDADocumentSample] {
    try await withFencedContinuation { continuation in
      store.execute(
        HKDocumentQuery(
          documentType: HKDocumentType(.CDA), predicate: predicate, limit: HKObjectQueryNoLimit,
          sortDescriptors: nil, includeDocumentData: withData
        ) { _, samples, isDone, _ in
          if isDone {
            continuation.resume(
              returning: (samples ?? []).compactMap { $0 as? HKCDADocumentSample })
          }
        })
    }
  }

  @Test func `title and names are read from the document`() throws {
    let document = try #require(try sample().document)
    #expect(document.title == "Visit & follow-up")
    #expect(document.patientName == "Ada Lovelace")
    #expect(document.authorName == "Dr. <B>")
    #expect(document.custodianName == "Clinic")
    #expect(document.documentData == Data(Self.visit.utf8))
  }

  @Test(arguments: [
    "", "text", "<a/>", "<ClinicalDocument>", "<ClinicalDocument></b>", "<ClinicalDocument/><b/>",
    "<ClinicalDocument a/>", "<ClinicalDocument a=b/>", "<ClinicalDocument a='<'/>",
    "<ClinicalDocument>&nbsp;</ClinicalDocument>", "<ClinicalDocument>&#xD800;</ClinicalDocument>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><ClinicalDocument/>", "<ClinicalDocument/>text",
    "<ClinicalDocument><![CDATA[", "<ClinicalDocument", "<ClinicalDocument a='b",
    "<ClinicalDocument><!-- ", "< ClinicalDocument/>", "<ClinicalDocument>&amp",
  ])
  func `a file that is not a clinical document is refused with a reason`(text: String) {
    let error = #expect(throws: HKError.self) { try sample(text) }
    #expect(error?.code == .errorInvalidArgument)
    #expect(error?.userInfo[HKDetailedCDAValidationErrorKey] is String)
  }

  @Test func `a document that is nested too deep or is not UTF-8 is an error`() {
    let deep = String(repeating: "<a>", count: 300)
    #expect(throws: HKError.self) { try sample("<ClinicalDocument>\(deep)") }
    #expect(throws: HKError.self) {
      try HKCDADocumentSample(
        data: Data([0xFF, 0xFE, 0x3C, 0x00]), start: start, end: start, metadata: nil)
    }
  }

  @Test func `a document query returns documents, with their data only on request`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let saved = try sample()
    try await store.save(saved)
    let whole = try #require(try await documents(in: store).first)
    #expect(whole == saved)
    #expect(whole.document?.documentData == Data(Self.visit.utf8))
    let header = try #require(try await documents(withData: false, in: store).first)
    #expect(header.document?.documentData == nil)
    #expect(header.document?.title == "Visit & follow-up")
    #expect(header.documentType == HKDocumentType(.CDA))
  }

  @Test func `other queries return samples without their documents`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(try sample())
    let found = try await store.samples(HKDocumentType(.CDA))
    let read = try #require(found.first as? HKCDADocumentSample)
    #expect(read.document == nil)
  }

  @Test func `predicates admit documents by title and names`() async throws {
    let store = HKHealthStore.inMemory()
    let visit = try sample()
    try await store.save([visit, try sample("<ClinicalDocument/>")])
    for (key, value) in [
      (HKPredicateKeyPathCDATitle, "Visit & follow-up"),
      (HKPredicateKeyPathCDAPatientName, "Ada Lovelace"),
      (HKPredicateKeyPathCDAAuthorName, "Dr. <B>"),
      (HKPredicateKeyPathCDACustodianName, "Clinic"),
    ] {
      let predicate = NSPredicate(format: "%K == %@", key, value)
      #expect(try await documents(predicate, in: store) == [visit])
    }
    let contains = NSPredicate(format: "%K CONTAINS[c] 'visit'", HKPredicateKeyPathCDATitle)
    #expect(try await documents(contains, in: store) == [visit])
  }

  @Test func `a document returned without its data cannot be saved elsewhere`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(try sample())
    let header = try #require(try await documents(withData: false, in: store).first)
    let other = HKHealthStore.inMemory()
    await #expect(throws: (any Error).self) { try await other.save(header) }
  }
}
