import Foundation
import HealthStore
import Testing

/// `--where` of `healthstore delete` and `healthstore query`.
@Suite struct PredicateOptionTests {
  private func values(_ path: String, _ options: [String] = []) throws -> [Double] {
    let run = try ToolProcess.run(
      ["query", "--store", path, "--all-types", "--all-subjects", "--format", "jsonl"] + options)
    #expect(run.status == 0, "\(run.error)")
    return try run.objects().compactMap { $0["value"] as? Double }
  }

  private func makeStore(_ folder: TestFolder) async throws -> String {
    _ = try await folder.makeStore(subject: "ada", heartRates: [70, 71])
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let start = Date(timeIntervalSince1970: 1_706_774_400)
    try await store.save(
      HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 9),
        start: start, end: start + 60, device: nil, metadata: ["place": "Ulm"]))
    try await store.close()
    return path
  }

  @Test(
    arguments: [
      ("quantity > \"61 count/min\"", [62, 63, 70, 71]),
      ("quantity BETWEEN {\"1 count/s\", \"1.02 count/s\"}", [60, 61]),
      ("\"62 count/min\" > quantity", [60, 61]),
      (
        "startDate >= \"2024-02-01T08:01:00\" AND startDate < \"2024-02-01T08:03:00Z\"",
        [61, 62, 71]
      ),
      ("metadata.place BEGINSWITH[c] \"u\"", [9]),
      ("metadata.place = nil && NOT quantity <= \"62 count/min\"", [63, 70, 71]),
      ("source.name LIKE \"absent*\"", []), ("TRUEPREDICATE", [9, 60, 61, 62, 63, 70, 71]),
    ])
  func `Samples that satisfy a predicate are printed and deleted, and no others`(
    predicate: String, matching: [Double]
  ) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let all = try values(path).sorted()
    #expect(try values(path, ["--where", predicate]).sorted() == matching)
    let delete = ["delete", path, "--all-types", "--all-subjects", "--where", predicate, "--json"]
    let dry = try ToolProcess.run(delete + ["--dry-run"]).objects()
    #expect(dry.first?["wouldDelete"] as? Int == matching.count)
    let run = try ToolProcess.run(delete + ["--yes"])
    #expect(run.status == (matching.isEmpty ? 1 : 0), "\(run.error)")
    #expect(try values(path).sorted() == all.filter { !matching.contains($0) })
  }

  @Test func `A predicate is combined with the other options`() async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let above = ["--where", "quantity >= \"61 count/min\""]
    #expect(try values(path, above + ["--from", "2024-02-01T08:02:00"]) == [62, 63])
    #expect(try values(path, above + ["--latest", "--limit", "1"]) == [63])
    let query = ["query", "--store", path, "--type", "heartRate", "--format", "jsonl"]
    let uuids = try ToolProcess.run(query).objects().compactMap { $0["uuid"] as? String }
    let first = ["--uuid", try #require(uuids.first), "--uuid", try #require(uuids.last)]
    let run = try ToolProcess.run(["query", "--store", path, "--format", "jsonl"] + first + above)
    #expect(try run.objects().compactMap { $0["value"] as? Double } == [63])
  }

  @Test(
    arguments: [
      ("quantity >", "The predicate format ends too early"),
      ("quantity > 61", "A predicate cannot compare 'quantity' with 61"),
      ("quantity > \"61 parsecs\"", "A predicate cannot compare 'quantity' with 61 parsecs"),
      ("startDate > \"yesterday\"", "A predicate cannot compare 'startDate' with yesterday"),
      ("colour = 1", "Samples have no 'colour' for a predicate to compare"),
      ("quantity = %@", "a placeholder without an argument"),
      ("source.name = \"a", "a text without an end at character 14"),
      ("source.name MATCHES \"(\"", "is not a regular expression"),
      ("", "The predicate format ends too early"),
    ])
  func `Text that is not a predicate is an error that names it, and deletes nothing`(
    predicate: String, sentence: String
  ) async throws {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    let run = try ToolProcess.run(
      ["delete", path, "--all-types", "--yes", "--where", predicate])
    #expect(run.status == 2)
    #expect(run.error.hasPrefix("healthstore: The option --where cannot be used: "))
    #expect(run.error.contains(sentence), "\(run.error)")
    #expect(try values(path).count == 7)
  }

  @Test func `A pattern that takes too long ends with status 2 and deletes nothing`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let start = Date(timeIntervalSince1970: 1_706_774_400)
    try await store.save(
      HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 9),
        start: start, end: start + 60, device: nil,
        metadata: ["place": String(repeating: "a", count: 60)]))
    try await store.close()
    let run = try ToolProcess.run(
      ["delete", path, "--all-types", "--yes", "--where", "metadata.place MATCHES \"(a*)*b\""])
    #expect(run.status == 2, "\(run.error)")
    #expect(run.error.contains("takes too many steps"))
    #expect(try values(path).count == 2)
  }

  @Test func `A damaged store ends a deletion by predicate with status 5`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: (0..<200).map { Double(50 + $0 % 40) })
    try await StatusTests.damage(path)
    let delete = ["delete", path, "--all-types", "--where", "metadata.note != nil"]
    for last in ["--yes", "--dry-run"] {
      let run = try ToolProcess.run(delete + [last])
      #expect(run.status == 5, "\(run.error)")
      #expect(run.error.contains("damaged"))
    }
  }
}
