import AppleHealthExport
import Foundation
import Testing

@Suite struct DefectTests {
  @Test func `The malformed DTD of iOS 16 hides no records`() throws {
    let dtd = """
      <!ELEMENT VisionPrescription ((RightEye|LeftEye|Attachment|MetadataEntry)*)>
      <!ATTLIST VisionPrescription
        type CDATA #REQUIRED
        dateIssued CDATA #REQUIRED
      <!ELEMENT RightEye EMPTY>
      <!ATTLIST RightEye
        sphere CDATA #IMPLIED
      <!ATTLIST LeftEye axis CDATA "un[closed">
      >
      ]>
      [ > ]>
      <!-- Note: <HealthData locale="in a comment"> -->

      """
    let (items, summary) = try read(export(record(), dtd: dtd))
    #expect(items.first == .locale("en_GB"))
    #expect(items.records.count == 1)
    #expect(summary.end == .complete)
  }

  @Test func `The second startDate of a workout statistic is its end`() throws {
    let (items, summary) = try read(
      export(
        """
        <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30.5"
         durationUnit="min" sourceName="Watch" startDate="2023-01-01 10:00:00 +0000"
         endDate="2023-01-01 10:30:30 +0000">
         <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount"
          startDate="2023-01-01 10:00:00 +0000" startDate="2023-01-01 10:30:00 +0000"
          sum="4000" unit="count"/>
        </Workout>
        """))
    let statistics = try #require(items.workouts.first?.statistics.first)
    #expect(statistics.endDate.timeIntervalSince(statistics.startDate) == 1800)
    #expect(statistics.sum == 4000)
    #expect(items.workouts.first?.duration == ExportQuantity(value: 30.5, unit: "min"))
    #expect(summary.duplicateAttributes == 1)
  }

  @Test func `The first of several equal attributes counts`() throws {
    let (items, summary) = try read(export(record(extra: #"value="1" unit="a" unit="b""#)))
    #expect(items.records.first?.value == "1")
    #expect(items.records.first?.unit == "a")
    #expect(items.records.first?.metadata == [])
    #expect(summary.duplicateAttributes == 2)
  }

  @Test func `Control characters stay in the text`() throws {
    let text = record(extra: "sourceVersion=\"a\u{B}b\u{1}\"")
    #expect(try read(export(text)).items.records.first?.origin.sourceVersion == "a\u{B}b\u{1}")
  }

  @Test func `Invalid UTF-8 is repaired and counted each time`() throws {
    let broken = "sourceVersion=\"@@@ a long enough value to be cached\""
    var bytes = Array(export(record(extra: broken) + record(extra: broken)).utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "@") { bytes[index] = 0xFF }
    let (items, summary) = try read(bytes: bytes)
    let version = "\u{FFFD}\u{FFFD}\u{FFFD} a long enough value to be cached"
    #expect(items.records.map(\.origin.sourceVersion) == [version, version])
    #expect(summary.repairedStrings == 2)
  }

  @Test func `Predefined entities and character references are decoded, and others stay as text`()
    throws
  {
    let (items, summary) = try read(
      export(
        record(
          extra:
            #"sourceVersion="&lt;&gt;&amp;&quot;&apos;&#183;&#x1F600;&amp;lt;" "#
            + #"unit="&bad;&#0;&#xD800;&#+5;& ;&""#
        )))
    #expect(items.records.first?.origin.sourceVersion == "<>&\"'·😀&lt;")
    #expect(items.records.first?.unit == "&bad;&#0;&#xD800;&#+5;& ;&")
    #expect(summary.unknownEntities == 6)
  }

  @Test func `Entities declared by the document are never expanded`() throws {
    let dtd = "<!ENTITY a \"aaaaaaaa\"><!ENTITY f SYSTEM \"file:///etc/hostname\">\n"
    let (items, summary) = try read(export(record(value: "&a;&f;"), dtd: dtd))
    #expect(items.records.first?.value == "&a;&f;")
    #expect(summary.unknownEntities == 2)
  }

  @Test func `A truncated file delivers everything before the cut and reports it`()
    throws
  {
    let whole = export((0..<10).map { record(value: "\($0)") }.joined(separator: "\n"))
    let cut = try #require(whole.range(of: "value=\"7\""))
    let (items, summary) = try read(String(whole[..<cut.lowerBound]))
    #expect(items.records.map(\.value) == (0..<7).map { "\($0)" })
    guard case .truncated(let offset, let insideItem)? = summary.end else {
      Issue.record("\(String(describing: summary.end))")
      return
    }
    #expect(!insideItem)
    let start = try #require(
      whole.range(of: "<Record", options: .backwards, range: whole.startIndex..<cut.lowerBound))
    #expect(offset == Int64(whole.utf8.distance(from: whole.startIndex, to: start.lowerBound)))
  }

  @Test func `An item that is cut is not delivered in part`() throws {
    let text = export("<Workout").replacing(
      "<Workout",
      with: #"""
        <Record type="a" sourceName="b" startDate="2024-01-01 00:00:00 +0000"
         endDate="2024-01-01 00:00:00 +0000"><MetadataEntry key="HKTimeZone" value="
        """#)
    let (items, summary) = try read(text)
    #expect(items.records.isEmpty)
    guard case .truncated(_, insideItem: true)? = summary.end else {
      Issue.record("\(String(describing: summary.end))")
      return
    }
  }

  @Test func `An empty file, a clinical document and an archive are named as such`() {
    #expect(throws: ExportError.notAnExport(found: nil)) { try read("") }
    #expect(throws: ExportError.notAnExport(found: "<ClinicalDocument>")) {
      try read(
        "<?xml version=\"1.0\"?>\n<ClinicalDocument xmlns=\"urn:hl7-org:v3\"></ClinicalDocument>")
    }
    #expect(throws: ExportError.notAnExport(found: "the bytes of a zip archive")) {
      try read("PK\u{3}\u{4}....")
    }
  }

  @Test func `Content after the root is counted`() throws {
    let (_, summary) = try read(export(record()) + "\n \n<x/>\n")
    #expect(summary.trailingBytes == 4)
    #expect(summary.end == .complete)
  }

  @Test func `Exports of iOS 8: compact dates, a source, and metadata as attributes with spaces`()
    throws
  {
    let (items, _) = try read(
      export(
        """
        <Record type="HKQuantityTypeIdentifierBodyFatPercentage" source="Scale" unit="%" \
        creationDate="20150616071916-0700" startDate="20150616071820-0700" \
        endDate="20150616071820-0700" Scale App Version="2.6.0" HKWasUserEntered="0" value="0.2"/>
        """))
    let record = try #require(items.records.first)
    #expect(record.origin.sourceName == "Scale")
    #expect(record.startDate == ExportDateFormat.instant("2015-06-16 14:18:20 +0000"))
    #expect(record.origin.creationDate == ExportDateFormat.instant("2015-06-16 14:19:16 +0000"))
    #expect(
      record.metadata == [
        ExportEntry(key: "Scale App Version", value: "2.6.0"),
        ExportEntry(key: "HKWasUserEntered", value: "0"),
      ])
    #expect(record.value == "0.2")
  }
}
