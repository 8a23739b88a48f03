import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct SampleIdentityTests {
  private let store = HKHealthStore.inMemory()

  /// A body mass of May 2021.
  private static func mass(_ value: String, _ unit: String, minute: Int = 0) -> String {
    record(
      "HKQuantityTypeIdentifierBodyMass", value: value,
      start: String(format: "2021-05-01 22:%02d:00 +0000", minute), extra: "unit=\"\(unit)\"")
  }

  /// Formats a number with six digits, like Apple.
  private static func text(_ value: Double) -> String { String(format: "%.6g", value) }

  @Test(arguments: [
    ["changed-unit/1-pounds.xml", "changed-unit/2-kilograms.xml"],
    ["changed-unit/2-kilograms.xml", "changed-unit/1-pounds.xml"],
    ["renamed-category/1-older.xml", "renamed-category/2-newer.xml"],
    ["renamed-category/2-newer.xml", "renamed-category/1-older.xml"],
  ])
  func `A later export with other wording or units adds nothing`(names: [String]) throws {
    let first = try store.importing(Cases.text(names[0]))
    #expect(first.added > 0)
    for name in names + names {
      let summary = try store.importing(Cases.text(name))
      #expect((summary.added, summary.known) == (0, first.added), "\(name)")
    }
  }

  @Test func `A plain export of an import adds nothing`() throws {
    let folder = try TemporaryFolder()
    let first = try store.importing(Cases.text("plain-round-trip/export.xml"))
    #expect(first.added == 5)
    _ = try ExportWriter(from: store, options: .init(isPlain: true)).write(
      to: folder.path + "/plain")
    let summary = try store.importing(path: folder.path + "/plain")
    #expect((summary.added, summary.known) == (0, 5))
  }

  @Test(arguments: ["61", "61.0", "61.00", "6.1e1", "+61"])
  func `The notation of a number does not affect the identifier`(text: String) throws {
    try store.importing(export(Self.mass("61", "kg")))
    #expect(try store.importing(export(Self.mass(text, "kg"))).added == 0)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `Quantities of any magnitude are the same in every unit`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let units: [(String, Double)] = [
      ("kg", 1), ("lb", 0.453_592_37), ("g", 0.001), ("st", 6.350_293_18),
      ("oz", 0.028_349_523_125),
    ]
    // A phone stores one number, of which each export has six digits.
    let masses = (0..<1000).map { _ in pow(10, random.unit() * 6 - 2) }
    func document(_ unit: (name: String, factor: Double)) -> String {
      export(
        masses.enumerated().map { index, mass in
          record(
            "HKQuantityTypeIdentifierBodyMass", value: Self.text(mass / unit.factor),
            start: String(
              format: "2021-05-01 %02d:%02d:%02d +0000", index / 3600, index / 60 % 60, index % 60),
            extra: "unit=\"\(unit.name)\"")
        }.joined())
    }
    #expect(try store.importing(document(units[0])).added == 1000)
    for unit in units.shuffled(using: &random) {
      let summary = try store.importing(document(unit))
      #expect(summary.added == 0, "\(unit.0)")
      #expect(summary.rejected == 0)
    }
  }

  @Test func `Different samples of one time are all kept, in any order and number`() throws {
    let values = ["70", "70.001", "70.0001", "70", "70.1", "70.01", "70.00001"]
    let body = values.map { Self.mass($0, "kg") }
    #expect(try store.importing(export(body.joined())).added == values.count)
    #expect(try store.importing(export(body.reversed().joined())).added == 0)
    #expect(try store.importing(export(body.dropFirst(3).joined())).added == 0)
    #expect(try store.importing(export(body.joined() + body[0])).added == 1)
  }

  @Test(arguments: ["70.1", "70.02", "69.99", "71"])
  func `An edited sample is a new sample`(value: String) throws {
    try store.importing(export(Self.mass("70", "kg")))
    #expect(try store.importing(export(Self.mass(value, "kg"))).added == 1)
  }

  @Test func `Samples stored by an earlier version are recognised`() throws {
    let text = export(
      [
        Self.mass("154.324", "lb"), Self.mass("61.0", "kg", minute: 1),
        Self.mass("61.0", "kg", minute: 1),
      ]
      .joined())
    // The form that earlier versions stored.
    var earlier = NumberedIdentities()
    let records = try read(text).items.records
    let other = HKHealthStore.inMemory()
    var writer = try RowWriter(other)
    var converter = RecordConverter()
    for record in records {
      var sample = try converter.sample(record)
      sample.uuid = earlier.uuid(of: record)
      try writer.add(sample)
    }
    let outcome = try writer.commit()
    #expect(outcome.added.count == 3)
    let more = text.replacing("</HealthData>", with: Self.mass("62", "kg") + "</HealthData>")
    let summary = try other.importing(more)
    #expect((summary.added, summary.known) == (1, 3))
    #expect(try other.importing(more).added == 0)
  }

  @Test func `Device, version and metadata do not affect the identifier`() throws {
    try store.importing(export(Self.mass("70", "kg")))
    let other = Self.mass("70", "kg").replacing(
      "sourceName=\"Watch\"",
      with: """
        sourceName="Watch" sourceVersion="9" device="&lt;&lt;HKDevice: 0x1&gt;, name:X&gt;" \
        creationDate="2021-05-01 22:00:05 +0000"
        """
    ).replacing("/>", with: "><MetadataEntry key=\"HKTimeZone\" value=\"UTC\"/></Record>")
    #expect(try store.importing(export(other)).added == 0)
  }

  @Test func `Identifiers depend only on the stored sample`() throws {
    let text = try Cases.text("plain-round-trip/export.xml")
    try store.importing(text)
    try store.importing(Cases.text("changed-unit/1-pounds.xml"))
    try store.importing(Cases.text("edited-sample/2-july.xml"))
    let objects = try StoredObjects(store)
    var count = 0
    for type in objects.types {
      try objects.forEach(type) { object in
        var sample = IncomingSample(
          uuid: RecordConverter.noIdentifier, type: type,
          start: Date(timeIntervalSinceReferenceDate: object.start),
          end: Date(timeIntervalSinceReferenceDate: object.end), value: object.value,
          unit: (object.sample as? HKQuantitySample)?.quantity.unit,
          sourceRevision: objects.sourceRevision(of: object), device: nil,
          metadata: try objects.metadata(of: object))
        var identity = SampleIdentity()
        identity.begin(sample)
        let content: SampleIdentity.Content =
          sample.unit.map {
            .quantity(Quantum(UnitConversion(toBaseUnitsOf: $0.form)(object.value)))
          } ?? .category(Int(object.value), name: nil)
        sample.uuid = SampleIdentity.identifier(identity.hash(content), occurrence: 1)
        #expect(sample.uuid == object.uuid, "\(type)")
        count += 1
      }
    }
    #expect(count == 8)
  }

  @Test func `Identifiers match those in existing stores`() async throws {
    try store.importing(Cases.text("changed-unit/1-pounds.xml"))
    let samples = try await store.quantities(.bodyMass)
    #expect(samples.map(\.uuid.uuidString) == ["E838B310-21FB-87D9-B179-DBA3D223DBF2"])
  }

  @Test(arguments: [0.0, -0.0, 1, -1, 1e300, 1.7e308, 1e-300, -3.25, 70.000_18])
  func `Every number has an interval adjacent to its neighbour's`(value: Double) {
    let own = Quantum(value)
    #expect(Quantum(value == 0 ? -value : value) == own)
    if let other = Quantum.neighbour(of: value) {
      #expect(max(own.number, other.number) - min(own.number, other.number) == 1)
    }
  }
}

/// A pseudorandom generator with the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// A number in `0 ..< 1`.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
