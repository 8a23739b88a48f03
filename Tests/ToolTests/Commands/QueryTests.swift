import Foundation
import HealthStore
import Testing

@Suite struct QueryTests {
  private func query(_ path: String, _ more: String...) throws -> ToolRun {
    try ToolProcess.run(["query", "--store", path, "--type", "heartRate"] + more)
  }

  private func values(_ run: ToolRun) throws -> [Double] {
    try run.objects().map { try #require($0["value"] as? Double) }
  }

  @Test func `JSON carries every field of a sample`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [62.5])
    let sample = try #require(query(path, "--format", "json").objects().first)
    #expect(sample["type"] as? String == "heartRate")
    #expect(sample["value"] as? Double == 62.5)
    #expect(sample["unit"] as? String == "count/min")
    #expect(sample["start"] as? String == "2024-02-01T08:00:00Z")
    #expect(sample["end"] as? String == "2024-02-01T08:00:00Z")
    #expect(sample["source"] as? String != nil)
    #expect((sample["uuid"] as? String).flatMap { UUID(uuidString: $0) } != nil)
    let metadata = try #require(sample["metadata"] as? [String: Any])
    #expect(metadata["note"] as? String == "a \"quoted\", note")
    #expect(metadata[HKMetadataKeyWasUserEntered] as? Bool == true)
  }

  @Test func `CSV quotes fields that need it, and every line has the same number of fields`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [62.5, 63])
    let lines = try query(path, "--format", "csv").lines
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("uuid,type,start,end,value,unit,source,"))
    #expect(
      lines[1].contains(",heartRate,2024-02-01T08:00:00Z,2024-02-01T08:00:00Z,62.5,count/min,"))
    #expect(
      lines[1].contains(#""{""HKWasUserEntered"":true,""note"":""a \""quoted\"", note""}",,,"#))
  }

  @Test func `A table is the default and has a title`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [62.5])
    let lines = try query(path).lines
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("START (UTC)"))
    #expect(lines[1].hasPrefix("2024-02-01 08:00:00  2024-02-01 08:00:00        62.5 count/min"))
  }

  @Test func `All samples are printed in order of start, beyond one page`() async throws {
    let folder = try TestFolder()
    let expected = (0..<9000).map { Double(50 + $0 % 97) }
    let path = try await folder.makeStore(heartRates: expected)
    let run = try query(path, "--format", "json")
    #expect(try values(run) == expected)
    let starts = try run.objects().compactMap { $0["start"] as? String }
    #expect(starts == starts.sorted())
    #expect(Set(try run.objects().compactMap { $0["uuid"] as? String }).count == 9000)
  }

  @Test func `A range includes its beginning and excludes its end`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63, 64])
    let json = ["--format", "json"]
    let base = ["query", "--store", path, "--type", "heartRate"] + json
    func read(_ more: [String]) throws -> [Double] { try values(ToolProcess.run(base + more)) }
    #expect(
      try read(["--from", "2024-02-01T08:01:00", "--to", "2024-02-01T08:03:00Z"]) == [61, 62])
    #expect(try read(["--from", "2024-02-01T09:03:00+01:00"]) == [63, 64])
    #expect(try read(["--to", "2024-02-01"]) == [])
    #expect(try read(["--from", "2024-02-01"]) == [60, 61, 62, 63, 64])
    #expect(try read(["--limit", "2"]) == [60, 61])
    #expect(try read(["--latest", "--limit", "2"]) == [64, 63])
    #expect(try read(["--latest"]) == [64, 63, 62, 61, 60])
  }

  @Test func `A subject's samples are its own, and an empty result names other subjects`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60])
    _ = try await folder.makeStore(subject: "bob", heartRates: [80])
    let ada = try query(path, "--subject", "ada", "--format", "json")
    #expect(try values(ada) == [60])
    #expect(try ada.objects().first?["subject"] as? String == "ada")
    let unnamed = try query(path, "--format", "json")
    #expect(unnamed.status == 0)
    #expect(unnamed.out == "[]\n")
    #expect(unnamed.error.contains("ada, bob"))
  }

  @Test func `A category's value has its name`() async throws {
    let folder = try TestFolder()
    let path = folder.store()
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let start = Date(timeIntervalSince1970: 1_706_774_400)
    try await store.save(
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis),
        value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue, start: start, end: start + 600))
    try await store.close()
    let command = ["query", "--store", path, "--type", "sleepAnalysis"]
    let sample = try #require(ToolProcess.run(command + ["--format", "json"]).objects().first)
    #expect(sample["value"] as? Int == 4)
    #expect(sample["valueName"] as? String == "HKCategoryValueSleepAnalysisAsleepDeep")
    #expect(try ToolProcess.run(command).out.contains("SleepAnalysisAsleepDeep"))
  }
}
