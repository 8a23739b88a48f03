import Foundation
import HealthStore
import SampleLog
import Testing

/// `healthstore expire`, and the estimates of `healthstore stats`.
@Suite struct ExpireTests {
  /// Makes a store of two subjects with heart rates of now, 10 days ago and 400 days ago.
  private func makeStore(_ folder: TestFolder) async throws -> String {
    let path = folder.store()
    for subject in ["", "ada"] {
      let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
      let store = database.store(subject: subject)
      try await store.save([0, 10, 400, 401].map { sample(.heartRate, "count/min", days: $0) })
      try await store.save([sample(.stepCount, "count", days: 400)])
      try database.close()
    }
    return path
  }

  private func sample(
    _ type: HKQuantityTypeIdentifier, _ unit: String, days: Double
  ) -> HKQuantitySample {
    let date = Date(timeIntervalSinceNow: -days * 86_400 - 60)
    return HKQuantitySample(
      type: HKQuantityType(type),
      quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: 60 + days), start: date,
      end: date)
  }

  private func rows(_ path: String, subject: String = "", type: String = "heartRate") throws -> Int
  {
    try ToolProcess.run([
      "query", "--store", path, "--type", type, "--subject", subject, "--format", "json",
    ]).lines.count
  }

  @Test func `Samples older than an age are deleted, of one type and subject`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let run = try ToolProcess.run(["expire", path, "--type", "heartRate", "--older-than", "365d"])
    #expect(run.status == 0)
    #expect(run.error.isEmpty)
    #expect(run.lines.contains { $0.hasPrefix("heartRate ") && $0.hasSuffix(" 2") })
    #expect(run.lines.contains { $0.hasPrefix("2 samples that ended before ") })
    #expect(run.lines.last?.hasPrefix("compaction would return about ") == true)
    #expect(try rows(path) == 2)
    #expect(try rows(path, type: "stepCount") == 1)
    #expect(try rows(path, subject: "ada") == 4)
    let changes = try ToolProcess.run(["changes", "--store", path]).objects()
    #expect(changes.filter { $0["kind"] as? String == "deleted" }.count == 2)
  }

  @Test func `Every type and every subject can be expired, and JSON reports it`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let run = try ToolProcess.run([
      "expire", path, "--all-types", "--all-subjects", "--older-than", "1w", "--json",
    ])
    #expect(run.status == 0)
    let object = try #require(run.objects().first)
    #expect(object["deleted"] as? Int == 8)
    #expect(object["commits"] as? Int == 1)
    let types = try #require(object["types"] as? [[String: Any]])
    #expect(types.map { $0["samples"] as? Int } == [3, 1, 3, 1])
    #expect(types.map { $0["subject"] as? String } == ["", "", "ada", "ada"])
    #expect(try rows(path) == 1)
    #expect(try rows(path, subject: "ada") == 1)
  }

  @Test
  func `A dry run reports the deletions, even while another process writes, and deletes nothing`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let writer = try Database(path: path)
    defer { try? writer.close() }
    let words = [
      "expire", path, "--type", "heartRate", "--type", "stepCount", "--subject", "ada",
      "--older-than", "365d", "--dry-run",
    ]
    let run = try ToolProcess.run(words)
    #expect(run.status == 0)
    #expect(run.lines.contains { $0.hasPrefix("ada ") && $0.hasSuffix(" 2") })
    #expect(run.lines.contains { $0.hasPrefix("ada ") && $0.hasSuffix(" 1") })
    #expect(run.lines.last?.hasPrefix("3 samples that ended before ") == true)
    #expect(run.lines.last?.hasSuffix(" would be deleted") == true)
    let json = try #require(ToolProcess.run(words + ["--json"]).objects().first)
    #expect(json["wouldDelete"] as? Int == 3)
    #expect(try rows(path, subject: "ada") == 4)
    #expect(writer.end == 10)
    let real = try ToolProcess.run(words.dropLast())
    #expect(real.status == 2)
    #expect(real.error.contains("open for writing"))
  }

  @Test func `Statistics estimate the gain of compaction`()
    async throws
  {
    let folder = try TestFolder()
    let path = folder.store()
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    try await store.save(
      (0..<9000).map { sample(.heartRate, "count/min", days: Double($0) / 10) })
    try await store.compact()
    try await store.close()
    let first = try #require(ToolProcess.run(["stats", path, "--json"]).objects().first)
    #expect(first["reclaimableBytes"] as? Int == 0)
    let run = try ToolProcess.run([
      "expire", path, "--type", "heartRate", "--older-than", "450d", "--json",
    ])
    let reclaimable = try #require(run.objects().first?["reclaimableBytes"] as? Int)
    let stats = try #require(ToolProcess.run(["stats", path, "--json"]).objects().first)
    #expect(stats["reclaimableBytes"] as? Int == reclaimable)
    let segment = try #require((stats["segmentFiles"] as? [[String: Any]])?.first)
    #expect(segment["rows"] as? Int == 9000)
    #expect(segment["deletedRows"] as? Int == 4500)
    #expect(segment["reclaimableBytes"] as? Int == reclaimable)
    let bytes = try #require(segment["bytes"] as? Int)
    #expect(Double(abs(reclaimable - bytes / 2)) < Double(bytes) / 10)
    let text = try ToolProcess.run(["stats", path]).lines
    #expect(text.contains { $0.hasPrefix("compaction would return about ") })
  }

  @Test func `An option compacts a store after expiring`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let run = try ToolProcess.run([
      "expire", path, "--all-types", "--older-than", "365d", "--compact",
    ])
    #expect(run.status == 0)
    #expect(run.lines.last?.hasPrefix("compacted: 3 deleted samples dropped, ") == true)
    let stats = try #require(ToolProcess.run(["stats", path, "--json"]).objects().first)
    #expect(stats["deletedRows"] as? Int == 0)
    #expect(stats["samples"] as? Int == 7)
  }

  @Test(
    arguments: [
      "0d", "-1d", "365", "d", "", "1.5d", "1m", "1y", "ten days", "1e3d", " 1d", "９d",
      "365251d", "99999999999999999999d",
    ])
  func `An implausible age is refused with an example`(age: String) throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run([
      "expire", folder.store(), "--all-types", "--older-than=\(age)",
    ])
    #expect(run.status == 2)
    #expect(run.error.contains("such as 365d, 52w or 12h, not \(age)"))
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test(
    arguments: [
      [], ["--type", "heartRate", "--all-types"], ["--type", "haertRate"],
      ["--all-types", "--subject", "ada", "--all-subjects"],
      ["--all-types", "--dry-run", "--compact"],
    ])
  func `Options that could delete more than intended are refused`(options: [String]) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let run = try ToolProcess.run(["expire", path, "--older-than", "1h"] + options)
    #expect(run.status == 2)
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(try rows(path) == 4)
    #expect(try rows(path, subject: "ada") == 4)
  }
}
