import Foundation
import HealthStore
import Testing

@testable import HealthStoreTool

/// Observations of FHIR R4, parsed by Python and checked against the rules of the resource.
@Suite struct FHIRTests {
  /// The requirements of R4 for an Observation, and this program's additional guarantees.
  private let rules = #"""
    import json, re, sys
    known = {'resourceType', 'id', 'identifier', 'status', 'category', 'code', 'subject', 'device',
             'effectiveDateTime', 'effectivePeriod', 'valueQuantity', 'valueInteger',
             'valueCodeableConcept', 'component', 'hasMember'}
    year = r'([0-9]([0-9]([0-9][1-9]|[1-9]0)|[1-9]00)|[1-9]000)'
    when = re.compile(year + r'-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z')
    def coding(c):
        assert set(c) <= {'system', 'code', 'display'} and c['system'].startswith('http')
        assert re.fullmatch(r'\S+( \S+)*', c['code'])
        if c['system'] == 'http://loinc.org':
            assert re.fullmatch(r'\d+-\d', c['code']) and c['display']
    def concept(c):
        assert set(c) <= {'coding', 'text'} and c
        for one in c.get('coding', []): coding(one)
    def quantity(q):
        assert isinstance(q['value'], (int, float)) and q['unit']
        assert ('code' in q) == ('system' in q)
    for line in open(sys.argv[1]):
        o = json.loads(line)
        assert o['resourceType'] == 'Observation' and set(o) <= known, o
        assert re.fullmatch(r'[A-Za-z0-9\-.]{1,64}', o['id'])
        assert o['identifier'] == [{'system': 'urn:ietf:rfc:3986', 'value': 'urn:uuid:' + o['id']}]
        assert o['status'] in ('final', 'entered-in-error')
        concept(o['code'])
        for c in o.get('category', []): concept(c)
        for c in o.get('component', []): concept(c['code']); quantity(c['valueQuantity'])
        for m in o.get('hasMember', []):
            assert re.fullmatch(r'Observation/[0-9a-f-]{36}', m['reference'])
        for kind in ('effective', 'value'): assert sum(k.startswith(kind) for k in o) <= 1
        for t in [o.get('effectiveDateTime')] + list(o.get('effectivePeriod', {}).values()):
            assert t is None or when.fullmatch(t), t
        if 'valueQuantity' in o: quantity(o['valueQuantity'])
        if 'valueCodeableConcept' in o: concept(o['valueCodeableConcept'])
    """#

  private func observations(_ path: String, _ more: [String] = ["--all-subjects"]) throws -> ToolRun
  {
    let run = try ToolProcess.run(["export", "--store", path, "--format", "fhir"] + more)
    #expect(run.status == 0, "\(run.error)")
    return run
  }

  private func quantity(_ object: [String: Any]?) -> [String]? {
    guard let quantity = object?["valueQuantity"] as? [String: Any] else { return nil }
    return ["value", "code"].map { quantity[$0].map { "\($0)" } ?? "" }
  }

  private func codes(_ object: [String: Any]?) -> [String] {
    let code = object?["code"] as? [String: Any]
    return (code?["coding"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  @Test func `Objects of every family satisfy the rules of the resource`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStoreOfEverything()
    let run = try observations(path)
    let file = try folder.write("fhir", run.out)
    let script = try folder.write("rules.py", rules)
    let checked = try ToolProcess.shell("python3 '\(script)' '\(file)'")
    #expect(checked.status == 0, "\(checked.error)")
    let objects = try run.objects()
    func coded(_ code: String) -> [[String: Any]] { objects.filter { codes($0).contains(code) } }
    // The pressures are components of the Observation and have none of their own.
    let pressure = coded("85354-9")
    #expect(pressure.count == 1)
    let components = pressure.first?["component"] as? [[String: Any]] ?? []
    #expect(
      Set(components.map { (codes($0).first ?? "") + (quantity($0) ?? []).joined() })
        == ["8462-480mm[Hg]", "8480-6120mm[Hg]"])
    #expect(coded("8480-6").isEmpty)
    #expect(coded("11524-6").count == 1)
    #expect(coded("44261-6").first?["valueInteger"] as? Int != nil)
    #expect(run.error.contains("1 sample of allergyRecord left out"))
    let masses = coded("29463-7").compactMap { quantity($0) }
    #expect(Set(masses) == [["72.710856911", "kg"], ["73.48196394", "kg"]] as Set)
    // Exported without the other pressure, each is an Observation.
    let alone = try observations(path, ["--type", "bloodPressureSystolic"]).objects()
    #expect(quantity(alone.first) == ["120", "mm[Hg]"])
  }

  @Test func `Pressures stay in their blood pressure after it was edited`() throws {
    let folder = try TestFolder()
    func element(_ version: Int) -> String {
      let dates = #"startDate="2026-05-02 12:00:00 +0000" endDate="2026-05-02 12:00:00 +0000""#
      let members = [("Systolic", 120), ("Diastolic", 80)].map { name, value in
        """
        <Record type="HKQuantityTypeIdentifierBloodPressure\(name)" unit="mmHg" sourceName="A" \
        \(dates) value="\(value)"/>
        """
      }
      return """
        <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="A" \(dates)>
        <MetadataEntry key="HKMetadataKeySyncIdentifier" value="c"/>
        <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/>
        \(members.joined())</Correlation>\(members.joined())
        """
    }
    let path = try folder.makeStore(elements: element(1))
    let later = try folder.write(
      "later.xml", "<?xml version=\"1.0\"?><HealthData>\(element(2))</HealthData>")
    #expect(try ToolProcess.run(["import", later, "--store", path]).status == 0)
    #expect(try observations(path).objects().map { codes($0).first } == ["85354-9"])
  }

  @Test func `Values are in the units of their codes, and fractions are per cent`() async throws {
    let folder = try TestFolder()
    let path = folder.store()
    let rows: [(type: String, value: String, unit: String, expected: [String])] = [
      ("oxygenSaturation", "0.97", "%", ["97", "%"]),
      ("bodyFatPercentage", "0.286", "%", ["28.6", "%"]),
      ("heartRate", "1.5", "count/s", ["90", "/min"]), ("height", "1.75", "m", ["175", "cm"]),
      ("bodyTemperature", "98.6", "degF", ["37", "Cel"]),
      ("bodyMassIndex", "22.5", "count", ["22.5", "kg/m2"]),
      ("bloodGlucose", "5.5", "mmol<180.1558800000541>/L", ["5.5", "mmol/L"]),
      ("bloodGlucose", "99", "mg/dL", ["99", "mg/dL"]),
      ("vo2Max", "46", "mL/kg*min", ["46", "mL/min/kg"]),
      ("walkingAsymmetryPercentage", "0.05", "%", ["5", "%"]),
      ("stepCount", "12", "count", ["12", "{steps}"]),
      ("dietaryVitaminC", "80", "mcg", ["80", "ug"]),
    ]
    let csv = rows.map { "\(UUID()),\($0.type),2024-03-01T08:00:00Z,\($0.value),\($0.unit)" }
    let text = (["uuid,type,start,value,unit"] + csv).joined(separator: "\n")
    #expect(try ToolProcess.run(["ingest", "-", "--store", path], input: text).status == 0)
    let objects = try observations(path).objects()
    let found = Set(objects.compactMap { quantity($0) })
    for row in rows { #expect(found.contains(row.expected), "\(row)") }
    let glucose = objects.filter { codes($0).contains { $0.hasSuffix("BloodGlucose") } }
    #expect(Set(glucose.map { codes($0).first ?? "" }) == ["15074-8", "2339-0"])
    #expect(objects.allSatisfy { $0["subject"] == nil })
  }

  @Test func `An unknown category value has its name and no number`()
    throws
  {
    let folder = try TestFolder()
    let path = try folder.makeStore(
      elements: """
         <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" \
        startDate="2024-02-01 22:00:00 +0000" endDate="2024-02-01 23:00:00 +0000" \
        value="HKCategoryValueSleepAnalysisDreaming"/>
         <Record type="HKCategoryTypeIdentifierMoon" sourceName="Watch" \
        startDate="2024-02-01 22:00:00 +0000" endDate="2024-02-01 23:00:00 +0000" value="full"/>
        """)
    let values = try observations(path).objects().compactMap {
      $0["valueCodeableConcept"] as? [String: Any]
    }
    #expect(
      values.compactMap { $0["text"] as? String }.sorted()
        == ["HKCategoryValueSleepAnalysisDreaming", "full"])
    #expect(values.allSatisfy { $0["coding"] == nil })
  }

  @Test func `A subject is a Patient, referenced by identifier if its name is not a valid id`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada-1.b", heartRates: [60])
    _ = try await folder.makeStore(subject: "ada b", heartRates: [61])
    let subjects = try observations(path).objects().compactMap { $0["subject"] as? [String: Any] }
    #expect(subjects.count == 2)
    #expect(subjects.contains { $0["reference"] as? String == "Patient/ada-1.b" })
    let other = subjects.compactMap { $0["identifier"] as? [String: String] }.first
    #expect(other == ["system": "urn:swift-health-store:subject", "value": "ada b"])
  }

  @Test func `Deleted samples are entered in error, and an erased subject is a bundle`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60])
    _ = try await folder.makeStore(subject: "b c&d", heartRates: [61])
    let first = try observations(path)
    let anchor = try #require(first.anchor)
    _ = try ToolProcess.run(["delete", path, "--subject", "ada", "--all-types", "--yes"])
    _ = try ToolProcess.run(["erase", path, "--subject", "b c&d", "--yes"])
    let objects = try observations(path, ["--all-subjects", "--after", anchor]).objects()
    #expect(objects.count == 2)
    let gone = objects.first { $0["status"] as? String == "entered-in-error" }
    let ids = try first.objects().compactMap { $0["id"] as? String }
    #expect(gone.flatMap { $0["id"] as? String }.map(ids.contains) == true)
    #expect(codes(gone).contains("8867-4"))
    #expect(gone?["valueQuantity"] == nil)
    let bundle = objects.first { $0["resourceType"] as? String == "Bundle" }
    let entry = (bundle?["entry"] as? [[String: Any]])?.first?["request"] as? [String: String]
    #expect(
      entry == [
        "method": "DELETE",
        "url": "Observation?subject:identifier=urn:swift-health-store:subject%7Cb%20c%26d",
      ])
  }

  @Test func `Every unit of the program's types has a code`() {
    for symbol in ["count/min", "mL/kg*min", "dBASPL", "IU", "kcal/kg*hr", "m/s", "W", "%", "lx"] {
      #expect(UCUM.code(HKUnit(from: symbol).unitString) != nil, "\(symbol)")
    }
    let codes = [
      "count": "{count}", "1/s": "/s", "count/min": "/min", "mcg": "ug", "mL/kg*min": "mL/min/kg",
      "kcal/kg*hr": "kcal/h/kg", "m^2": "m2", "m/s^2": "m/s2", "mmol<180.15>/L": "mmol/L",
      "fl_oz_us": "[foz_us]", "degF": "[degF]", "cmAq": "cm[H2O]", "IU": "[iU]", "hr": "h",
      "dal": "daL", "km/hr": "km/h", "()": "1", "mmHg": "mm[Hg]",
    ]
    for (unit, code) in codes {
      #expect(UCUM.code(HKUnit(from: unit).unitString) == code, "\(unit)")
    }
    // UCUM has no imperial cup.
    #expect(UCUM.code("cup_imp") == nil)
  }

  @Test func `The documentation has the table of codes`() throws {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs/fhir.md")
    let text = try String(contentsOf: docs, encoding: .utf8)
    for (identifier, code) in FHIRCode.table {
      let name = HKSampleType.shortName(ofIdentifier: identifier)
      let codes = code.codes.map(\.code).joined(separator: ", ")
      let row = "| `\(name)` | \(codes) | \(code.unitCode.map { "`\($0)`" } ?? "–") |"
      #expect(text.contains(row), "\(row)")
    }
    let rows = text.split(separator: "\n").filter { $0.contains(/^\| `.*\| \d+-\d/) }
    #expect(rows.count == FHIRCode.table.count + 1)
  }
}
