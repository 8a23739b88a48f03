import AppleHealthExport
import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

@Suite struct IngestTests {
  private func ingest(_ folder: TestFolder, _ text: String, _ more: String...) throws -> ToolRun {
    try ToolProcess.run(["ingest", "-", "--store", folder.store()] + more, input: text)
  }

  private func samples(_ folder: TestFolder) throws -> [[String: Any]] {
    let export = ["export", "--all-subjects", "--format", "jsonl", "--store", folder.store()]
    return try ToolProcess.run(export).objects()
  }

  private func count(_ folder: TestFolder) throws -> Int? {
    let stats = try ToolProcess.run(["stats", folder.store(), "--json"]).objects().first
    return stats?["samples"] as? Int
  }

  /// CSV rows with heart rates, a minute apart.
  private func rows(_ count: Int) -> String {
    (0..<count).reduce(into: "uuid,type,start,value,unit\n") { text, index in
      let id = Identifier(high: 1 << 60, low: UInt64(index) | 1 << 63)
      let start = UTCText.text(Double(index) * 60)
      text += "\(id),heartRate,\(start),\(60 + index % 50),count/min\n"
    }
  }

  @Test func `CSV of spreadsheets is read: byte order marks, quotes, line breaks and empty lines`()
    throws
  {
    let folder = try TestFolder()
    let id = UUID()
    let text =
      "\u{FEFF}start,type,\"uuid\",value,unit,source,subject,metadata\r\n\r\n"
      + "2024-03-01T08:00:00+01:00,bodyMass,\(id),70.5,kg,\"a\"\"b\r\nc, d\",ada,"
      + "\"{\"\"HKWasUserEntered\"\":true}\"\r\n"
      + "2024-03-02,HKQuantityTypeIdentifierBodyMass,\(UUID()),71,kg,,,\r\n"
    let run = try ingest(folder, text, "--subject", "bob")
    #expect(run.out == "2 added, 0 there already, 0 deleted\n", "\(run.error)")
    let samples = try samples(folder)
    let first = try #require(samples.first)
    #expect(first["uuid"] as? String == id.uuidString)
    #expect(first["start"] as? String == "2024-03-01T07:00:00Z")
    #expect(first["end"] as? String == "2024-03-01T07:00:00Z")
    #expect(first["source"] as? String == "a\"b\r\nc, d")
    #expect((first["metadata"] as? [String: Any])?["HKWasUserEntered"] as? Bool == true)
    #expect(samples.compactMap { $0["subject"] as? String } == ["ada", "bob"])
  }

  @Test(arguments: [
    (#""value":"60","unit":"kg""#, "The field value is no number"),
    (#""value":true,"unit":"kg""#, "The field value is no number"),
    (#""value":[60],"unit":"kg""#, "The field value is no number"),
    (#""value":1,"unit":"kg","metadata":{"m":{"value":"1","unit":"m"}}"#, "is no number"),
    (#""value":1,"unit":"kg","metadata":{"m":{"value":true,"unit":"m"}}"#, "is no number"),
    (#""value":1,"unit":"kg","contents":{"version":"1"}"#, "of a version"),
    (#""value":1,"unit":"kg","contents":{"version":1.0}"#, "of a version"),
    (#""value":1,"unit":"kg","contents":{"version":true}"#, "of a version"),
    (#""value":1,"unit":"kg","operatingSystem":17.2"#, "operatingSystem is no text"),
    (#""value":1,"unit":"kg","operatingSystem":"17.-2""#, "operatingSystem is no version"),
    (
      #""value":1,"unit":"kg","metadata":{"HKMetadataKeySyncIdentifier":"a","#
        + #""HKMetadataKeySyncVersion":true}"#, "A sync version must be a whole number"
    ),
    (
      #""value":1,"unit":"kg","metadata":{"HKMetadataKeySyncIdentifier":"a","#
        + #""HKMetadataKeySyncVersion":1.5}"#, "A sync version must be a whole number"
    ),
    (
      #""value":1,"unit":"kg","metadata":{"HKMetadataKeySyncIdentifier":"a","#
        + #""HKMetadataKeySyncVersion":"1"}"#, "A sync version must be a whole number"
    ),
    (
      #""value":1,"unit":"kg","metadata":{"HKMetadataKeySyncIdentifier":"","#
        + #""HKMetadataKeySyncVersion":1}"#, "its sync identifier is empty"
    ),
  ])
  func `Text that is not a JSON number is refused in every field`(fields: String, sentence: String)
    throws
  {
    let folder = try TestFolder()
    let line =
      #"{"uuid":"\#(UUID())","type":"bodyMass","start":"2024-03-01T08:00:00Z",\#(fields)}"# + "\n"
    let run = try ingest(folder, line)
    #expect(run.status == 2 && run.error.contains(sentence), "\(run.error)")
    #expect(run.error.contains("Line 1:"))
  }

  @Test(arguments: ["0x10", "nan", "inf", "true", "1,5", " 1", "1 kg"])
  func `Text that is not a number is refused in a CSV cell`(cell: String) throws {
    let folder = try TestFolder()
    let run = try ingest(
      folder, "uuid,type,start,value,unit\n\(UUID()),bodyMass,2024-03-01,\"\(cell)\",kg\n")
    #expect(run.status == 2 && run.error.contains("The field value is no number"), "\(run.error)")
  }

  @Test func `JSON lines are read with categories by name and numbers bit for bit`() throws {
    let folder = try TestFolder()
    let text = """
      {"uuid": "\(UUID())", "type": "bodyMass", "start": "2024-03-01T08:00:00.1Z", "unit": "kg", \
      "value": 0.30000000000000004, "device": {"name": "\\u00fc\\ud83d\\ude00\\/"}, "version": null}

      {"uuid":"\(UUID())","type":"sleepAnalysis","start":"2024-03-01T22:00:00Z",\
      "end":"2024-03-01T23:00:00Z","valueName":"HKCategoryValueSleepAnalysisAsleepDeep"}
      """
    #expect(try ingest(folder, text).status == 0)
    let samples = try samples(folder)
    // Foundation's JSON parser, which this test uses, loses the last digit.
    #expect(
      try ToolProcess.run(["export", "--store", folder.store(), "--format", "csv"]).out
        .contains(",0.30000000000000004,kg,"))
    #expect((samples.last?["device"] as? [String: Any])?["name"] as? String == "ü😀/")
    #expect(samples.first?["value"] as? Int == 4)
    #expect(samples.first?["valueName"] as? String == "HKCategoryValueSleepAnalysisAsleepDeep")
  }

  @Test func `A sync identifier can replace a UUID, and a later version replaces an earlier one`()
    throws
  {
    let folder = try TestFolder()
    func line(_ version: Int, _ value: Int) -> String {
      #"{"type":"bodyMass","start":"2024-03-01T08:00:00Z","value":\#(value),"unit":"kg","#
        + #""bundleIdentifier":"org.example","metadata":{"HKMetadataKeySyncIdentifier":"m","#
        + #""HKMetadataKeySyncVersion":\#(version)}}"# + "\n"
    }
    #expect(try ingest(folder, line(1, 70)).out == "1 added, 0 there already, 0 deleted\n")
    #expect(try ingest(folder, line(1, 70)).out == "0 added, 1 there already, 0 deleted\n")
    #expect(try ingest(folder, line(2, 71)).out == "1 added, 0 there already, 0 deleted\n")
    #expect(try ingest(folder, line(1, 70)).out == "0 added, 1 there already, 0 deleted\n")
    #expect(try samples(folder).map { $0["value"] as? Int } == [71])
    let other = line(3, 72).replacingOccurrences(of: "org.example", with: "org.other")
    #expect(try ingest(folder, other).out == "1 added, 0 there already, 0 deleted\n")
  }

  @Test(
    arguments: [
      ("type,start,value,unit\nbodyMass,2024-03-01,70,kg\n", "Line 2: There is neither the field"),
      ("uuid,type,start,value\n1,bodyMass,2024-03-01,70\n", "Line 2: The field uuid is no UUID."),
      ("uuid,typ\n", "Line 1: There is no field typ; did you mean type?"),
      ("uuid,uuid\n", "Line 1: The field uuid is there twice."),
      ("type,start\nbodyMass\n", "Line 2: The line has 1 field, and the first line 2."),
      ("type,start\n\n\nbodyMas,2024-03-01\n", "Line 4: There is no type bodyMas; did you mean"),
      ("type,start\n\"bodyMass\n", "Line 2: A quotation mark has no counterpart."),
      ("type,start\n\"bodyMass\"x,\n", "Line 2: Something follows a quotation mark."),
      ("{\"type\":\"bodyMass\"}", "Line 1: The field start is missing."),
      ("{\"type\":\"bodyMass\"}}", "Line 1: The JSON cannot be read at byte 20."),
      ("{\"type\":\"a\",\"type\":\"b\"}", "Line 1: The JSON cannot be read at byte 13."),
      ("{\"weight\":1}", "Line 1: There is no field weight."),
      ("{\"kind\":\"erased\",\"subject\":\"a\"}", "Line 1: Everything of the subject was erased"),
      ("{\"kind\":\"moved\"}", "Line 1: There is no kind moved."),
    ])
  func `An invalid line is reported, and no store is made`(
    text: String, sentence: String
  ) throws {
    let folder = try TestFolder()
    let run = try ingest(folder, text)
    #expect(run.status == 2)
    #expect(run.error.contains(sentence), "\(run.error)")
    #expect(!FileManager.default.fileExists(atPath: folder.store()))
  }

  @Test(
    arguments: [
      (#""type":"bodyMass","value":70,"unit":"s""#, "BodyMass cannot hold a quantity in s."),
      (#""type":"bodyMass","value":70,"unit":"kgg""#, "There is no unit kgg."),
      (#""type":"bodyMass","value":70"#, "The field unit is missing."),
      (#""type":"bodyMass","unit":"kg""#, "The field value is missing."),
      (#""type":"bodyMass","value":1e999,"unit":"kg""#, "The field value is no number."),
      (#""type":"bodyMass","value":true,"unit":"kg""#, "The field value is no number."),
      (#""type":"bodyMass","value":70,"unit":"kg","end":"2023-01-01""#, "end"),
      (#""type":"bodyMass","value":70,"unit":"kg","device":"x""#, "device is no object"),
      (#""type":"bodyMass","value":70,"unit":"kg","metadata":{"a":[]}"#, "a is an array"),
      (#""type":"bodyMass","value":70,"unit":"kg","metadata":{"a":1e400}"#, "a is too great"),
      (#""type":"bodyMass","value":70,"unit":"kg","operatingSystem":"x""#, "no version"),
      (#""type":"bodyMass","value":70,"unit":"kg","contents":{"version":2}"#, "does not know"),
      (#""type":"workout","value":37"#, "A sample of workout needs the field contents"),
      (#""type":"bloodPressure","objects":[]"#, "needs the field contents"),
      (#""type":"workout","contents":{"version":1,"extras":"AAAA"}"#, "Line 1"),
      (#""type":"sleepAnalysis","value":1.5"#, "whole number"),
      (#""type":"sleepAnalysis","valueName":"X""#, "sleepAnalysis has no value X."),
      (#""type":"HKQuantityTypeIdentifierHeartRat","value":1,"unit":"m""#, "did you mean"),
    ])
  func `A sample that no store may have is refused`(fields: String, sentence: String) throws {
    let folder = try TestFolder()
    let run = try ingest(
      folder, #"{"uuid":"\#(UUID())","start":"2024-03-01T08:00:00Z",\#(fields)}"#)
    #expect(run.status == 2)
    #expect(run.error.contains(sentence), "\(run.error)")
    #expect(run.error.contains("Nothing was saved."))
  }

  @Test func `Each batch of 10,000 is one commit, and the work resumes at the reported line`()
    throws
  {
    let folder = try TestFolder()
    var lines = rows(10_100).split(separator: "\n", omittingEmptySubsequences: false)
    let good = lines[10_050]
    lines[10_050] = "x"
    let bad = try ingest(folder, lines.joined(separator: "\n"))
    #expect(bad.status == 2)
    #expect(
      bad.error.contains("Line 10051: The line has 1 field, and the first line 5. Everything "))
    #expect(
      bad.error.contains("before line 10002 is saved; go on with --from-line 10002."))
    #expect(try count(folder) == 10_000)
    lines[10_050] = good
    let rest = try ingest(folder, lines.joined(separator: "\n"), "--from-line", "10002")
    #expect(rest.out == "100 added, 0 there already, 0 deleted\n", "\(rest.error)")
    #expect(try count(folder) == 10_100)
  }

  @Test func `An interruption saves the lines read and reports the line to resume at`() throws {
    let folder = try TestFolder()
    let file = try folder.write("in.csv", rows(20))
    let console = Console(
      out: Output(isTerminal: false) { _ in }, error: Output(isTerminal: false) { _ in })
    let command = try IngestCommand(
      ParsedArguments([file, "--store", folder.store()], IngestCommand.usage))
    #expect {
      try command.run(console, Interruption(by: SIGTERM))
    } throws: { error in
      let failure = Failure(error)
      return failure.status == .terminated
        && failure.sentence.contains("everything before line 1 is saved; go on with --from-line 1")
    }
    let database = try Database(path: folder.store("other"))
    var reader = Ingestion(
      try RecordReader(FileInput(path: file), nil), into: database, subject: "", from: 1)
    var asked = 0
    let isWhole = try reader.run {
      asked += 1
      return asked > 7
    }
    let (first, resume) = (reader.summary, reader.resume)
    #expect(!isWhole)
    #expect(first.added == 7)
    #expect(resume == 9)
    var rest = Ingestion(
      try RecordReader(FileInput(path: file), nil), into: database, subject: "", from: 9)
    let (isRestWhole, second) = (try rest.run(), rest.summary)
    #expect(isRestWhole)
    #expect(second.added == 13)
    try database.close()
  }

  @Test func `Deletions of others' or missing samples do nothing`() throws {
    let folder = try TestFolder()
    let id = UUID()
    let add =
      #"{"uuid":"\#(id)","type":"bodyMass","start":"2024-03-01T08:00:00Z","value":70,"#
      + #""unit":"kg","subject":"ada"}"# + "\n"
    let gone = #"{"kind":"deleted","uuid":"\#(id)","type":"bodyMass"}"# + "\n"
    #expect(try ingest(folder, gone + add).out == "1 added, 0 there already, 0 deleted\n")
    #expect(try ingest(folder, gone).out == "0 added, 0 there already, 0 deleted\n")
    let hers = gone.replacingOccurrences(of: #""type""#, with: #""subject":"ada","type""#)
    #expect(try ingest(folder, hers + hers).out == "0 added, 0 there already, 1 deleted\n")
    #expect(try samples(folder).isEmpty)
    // One file adds, deletes and adds a sample again.
    let thrice = try ingest(folder, add + hers + add)
    #expect(thrice.out == "2 added, 0 there already, 1 deleted\n", "\(thrice.error)")
    #expect(try samples(folder).count == 1)
  }

  @Test func `A missing file and a store in use by another writer are refused`()
    async throws
  {
    let folder = try TestFolder()
    let missing = try ToolProcess.run(["ingest", folder.store("no"), "--store", folder.store()])
    #expect(missing.status == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.store()))
    let path = try await folder.makeStore(heartRates: [60])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    try await store.save(heartRate(61, 1))
    let locked = try ingest(folder, rows(1))
    #expect(locked.status == 2)
    #expect(locked.error.contains("is open for writing"))
    try await store.close()
  }
}
