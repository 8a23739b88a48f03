import AppleHealthExport
import Foundation
import Testing

@testable import AppleHealthExport

@Suite struct IdentityTests {
  static let date = Date(timeIntervalSince1970: 1_700_000_000)

  static let base = ExportRecord(
    type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", value: "62",
    origin: ExportOrigin(sourceName: "Watch", device: "name:Watch"), startDate: date,
    endDate: date + 60)

  static func uuids(_ items: [ExportItem]) -> [UUID] {
    var identities = NumberedIdentities()
    return items.flatMap { item -> [UUID] in
      switch item {
      case .record(let record): [identities.uuid(of: record)]
      case .correlation(let correlation): identities.uuids(of: correlation).records
      case .workout(let workout): [identities.uuid(of: workout)]
      default: []
      }
    }
  }

  static func uuid(_ record: ExportRecord) -> UUID {
    var identities = NumberedIdentities()
    return identities.uuid(of: record)
  }

  @Test func `The hash agrees with the published test vectors`() {
    // Key 00…0f, message 00, 01, … of the given length.
    let expected: [Int: String] = [
      0: "a3817f04ba25a8e66df67214c7550293", 15: "5493e99933b0a8117e08ec0f97cfc3d9",
      63: "5150d1772f50834a503e069a973fbd7c",
    ]
    for (length, text) in expected {
      let message = (0..<length).map { UInt8($0) }
      let hash = message.withUnsafeBytes {
        SipHash128.hash($0, key: (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))
      }
      let bytes = [hash.low, hash.high].flatMap { word in (0..<8).map { word >> ($0 * 8) & 0xff } }
      #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == text)
    }
  }

  @Test func `Identifiers match those in existing stores`() {
    #expect(Self.uuid(Self.base).uuidString == "556CB3D1-5433-8501-98CB-83BD8F102125")
  }

  @Test
  func `Every part of the content affects the identifier, and fields cannot be confused`() {
    var variants = [Self.base]
    func add(_ change: (inout ExportRecord) -> Void) {
      var record = Self.base
      change(&record)
      variants.append(record)
    }
    add { $0.type += "X" }
    add { $0.value = "63" }
    add { $0.value = nil }
    add { $0.value = "" }
    add { $0.unit = nil }
    add { $0.unit = "count" }
    add {
      $0.value = "62count/min"; $0.unit = ""
    }
    add { $0.startDate -= 1 }
    add { $0.endDate += 1 }
    add { $0.origin.sourceName = "Phone" }
    add { $0.origin.device = nil }
    add { $0.metadata = [ExportEntry(key: "HKMetadataKeySyncIdentifier", value: "1")] }
    add { $0.metadata = [ExportEntry(key: "HKMetadataKeySyncVersion", value: "1")] }
    add { $0.metadata = [ExportEntry(key: "HKExternalUUID", value: "1")] }
    #expect(Set(variants.map(Self.uuid)).count == variants.count)
  }

  @Test func `Differences between exports of one phone do not change the identifier`() throws {
    var record = Self.base
    record.metadata = [ExportEntry(key: "HKTimeZone", value: "Europe/Paris")]
    record.origin.creationDate = Self.date
    record.origin.sourceVersion = "9.1"
    #expect(Self.uuid(record) == Self.uuid(Self.base))
    func document(_ offset: String, _ address: String, _ end: String) -> String {
      export(
        AppleHealthExportTests.record(
          start: "2024-02-01 \(offset)",
          extra: "device=\"&lt;&lt;HKDevice: \(address)&gt;, name:A, model:B\(end)&gt;\""))
    }
    let winter = try read(document("08:00:00 +0100", "0x1", "")).items
    let summer = try read(
      document("09:00:00 +0200", "0x2", ", creation date:2025-12-13 12:48:57 +0000")
    ).items
    #expect(Self.uuids(winter) == Self.uuids(summer))
  }

  @Test func `The n-th duplicate in a file has the same distinct identifier at every import`()
    throws
  {
    let one = AppleHealthExportTests.record()
    let text = export(one + AppleHealthExportTests.record(value: "1") + one + one)
    let first = Self.uuids(try read(text).items)
    #expect(Set(first).count == 4)
    #expect(Self.uuids(try read(text).items) == first)
    let longer = Self.uuids(try read(export(one + one + one + one)).items)
    #expect(Set(longer).isSuperset(of: [first[0], first[2], first[3]]))
  }

  @Test func `Records in a correlation have the identifiers of their top-level copies`() throws {
    let high = AppleHealthExportTests.record("HKQuantityTypeIdentifierBloodPressureSystolic")
    let low = AppleHealthExportTests.record("HKQuantityTypeIdentifierBloodPressureDiastolic")
    let correlation = """
      <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Watch"
       startDate="2024-02-01 08:00:00 +0100" endDate="2024-02-01 08:00:00 +0100">
       \(high)\(low)</Correlation>
      """
    // Two measurements with equal content: each has one copy, before or after it.
    for text in [
      high + high + low + low + correlation + correlation,
      correlation + high + low + correlation + low + high,
    ] {
      let items = try read(export(text)).items
      var identities = NumberedIdentities()
      var top: Set<UUID> = []
      var inside: [UUID] = []
      var correlations: Set<UUID> = []
      for item in items {
        if case .record(let record) = item { top.insert(identities.uuid(of: record)) }
        if case .correlation(let correlation) = item {
          let uuids = identities.uuids(of: correlation)
          correlations.insert(uuids.correlation)
          inside += uuids.records
        }
      }
      #expect(top.count == 4)
      #expect(inside.count == 4)
      #expect(Set(inside) == top)
      #expect(correlations.count == 2)
    }
  }

  @Test func `The order of a correlation's records does not affect its identifier`() {
    var other = Self.base
    other.value = "1"
    let correlations = [[Self.base, other], [other, Self.base]].map {
      ExportCorrelation(
        type: "c", origin: Self.base.origin, startDate: Self.date, endDate: Self.date, records: $0)
    }
    let uuids = correlations.map { correlation in
      var identities = NumberedIdentities()
      return identities.uuids(of: correlation).correlation
    }
    #expect(uuids[0] == uuids[1])
  }

  @Test func `Identifiers are UUIDs of version 8 in the standard's variant`() {
    var identities = NumberedIdentities()
    for _ in 0..<64 {
      let uuid = identities.uuid(of: Self.base).uuid
      #expect(uuid.6 >> 4 == 8)
      #expect(uuid.8 >> 6 == 0b10)
    }
  }

  @Test func `Occurrences are counted while the table grows`() {
    var table = OccurrenceTable()
    var state: UInt64 = 1
    var hashes: [SipHash128.Output] = [SipHash128.Output(low: 0, high: 1)]
    for _ in 0..<5000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      hashes.append(SipHash128.Output(low: state, high: 0))
    }
    for round in 1...3 {
      for hash in hashes { #expect(table.count(hash) == UInt32(round)) }
    }
  }
}
