import HealthKit
import Testing

@Suite struct VerifiableClinicalRecordTests {
  private func card(
    _ types: [HKVerifiableClinicalRecordCredentialType], at offset: TimeInterval,
    _ source: HKVerifiableClinicalRecordSourceType? = .smartHealthCard
  ) throws -> HKVerifiableClinicalRecord {
    try HKVerifiableClinicalRecord.validated(
      recordTypes: types.map(\.rawValue), issuerIdentifier: "https://issuer.example",
      subject: HKVerifiableClinicalRecordSubject(
        fullName: "Ada", dateOfBirthComponents: DateComponents(year: 1815, month: 12)),
      issuedDate: start, relevantDate: start + offset, expirationDate: nil, itemNames: ["Dose"],
      sourceType: source, dataRepresentation: Data("eyJ.x.y".utf8))
  }

  private func records(
    _ types: [HKVerifiableClinicalRecordCredentialType],
    _ sources: [HKVerifiableClinicalRecordSourceType] = [.smartHealthCard],
    _ predicate: NSPredicate? = nil, in store: HKHealthStore
  ) async throws -> [HKVerifiableClinicalRecord] {
    try await HKVerifiableClinicalRecordQueryDescriptor(
      recordTypes: types, sourceTypes: sources, predicate: predicate
    ).result(for: store)
  }

  @Test func `a query returns records of all requested kinds, in the requested formats`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    let both = try card([.covid19, .immunization], at: 0)
    let test = try card([.covid19, .laboratory], at: 60)
    let european = try card([.immunization], at: 120, .euDigitalCOVIDCertificate)
    let unknown = try card([.covid19], at: 180, nil)
    try await store.save([european, unknown, test, both])
    #expect(try await records([.covid19], in: store) == [both, test])
    #expect(try await records([.covid19, .immunization], in: store) == [both])
    #expect(try await records([.recovery], in: store).isEmpty)
    #expect(
      try await records(
        [.immunization], [.smartHealthCard, .euDigitalCOVIDCertificate], in: store)
        == [both, european])
  }

  @Test func `a predicate admits records by their relevant date, both ends included`() async throws
  {
    let store = HKHealthStore.inMemory()
    let cards = try (0..<4).map { try card([.covid19], at: Double($0) * 60) }
    try await store.save(cards)
    let within = HKQuery.predicateForVerifiableClinicalRecords(
      withRelevantDateWithin: DateInterval(start: start + 60, end: start + 120))
    #expect(
      try await records([.covid19], [.smartHealthCard], within, in: store) == Array(cards[1...2]))
  }

  @Test func `a record is read back unchanged, by the older query as well`() async throws {
    let store = HKHealthStore.inMemory()
    let saved = try card([.laboratory], at: 7)
    try await store.save(saved)
    let found = try await withFencedContinuation { continuation in
      store.execute(
        HKVerifiableClinicalRecordQuery(
          recordTypes: [HKVerifiableClinicalRecordCredentialType.laboratory.rawValue],
          predicate: nil
        ) { _, records, _ in continuation.resume(returning: records ?? []) })
    }
    let read = try #require(found.first)
    #expect(found.count == 1)
    #expect(read.relevantDate == start + 7 && read.issuedDate == start)
    #expect(read.subject == saved.subject && read.subject.dateOfBirthComponents?.month == 12)
    #expect(read.itemNames == ["Dose"] && read.issuerIdentifier == "https://issuer.example")
    #expect(read.dataRepresentation == Data("eyJ.x.y".utf8))
    #expect(read.expirationDate == nil && read.sourceType == .smartHealthCard)
  }

  @Test func `a subject survives an archive`() throws {
    for birth in [nil, DateComponents(), DateComponents(year: 1815, month: 12, day: 10)] {
      let subject = HKVerifiableClinicalRecordSubject(
        fullName: "Ada", dateOfBirthComponents: birth)
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: subject, requiringSecureCoding: true)
      let back = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: HKVerifiableClinicalRecordSubject.self, from: data)
      #expect(back == subject)
      #expect(back?.dateOfBirthComponents == birth)
    }
  }
}
