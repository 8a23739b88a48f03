import Foundation
import HealthStore
import SampleLog
import Testing

/// Samples that an earlier version accepted and that readers cannot decode.
@Suite struct UnreadableTests {
  private let folder: TestFolder
  private let path: String
  private let bad: [UUID]

  /// Makes a store with three heart rates and undecodable samples before, between and after them.
  init() async throws {
    folder = try TestFolder()
    path = try await folder.makeStore(heartRates: [60, 61, 62])
    let database = try Database(path: path)
    var batch = Batch()
    func add(_ type: String, _ start: Double, _ change: (inout Extras) -> Void) -> UUID {
      var extras = Extras()
      change(&extras)
      let id = UUID()
      batch.add(
        subject: database.symbols.intern(""), type: database.symbols.intern(type),
        id: Identifier(id), start: start, end: start, value: 1,
        unit: type.hasPrefix("HKQ") ? database.symbols.intern("count/min") : 0, source: 0,
        device: 0, extras: batch.intern(extras: extras.encoded))
      return id
    }
    let heartRate = "HKQuantityTypeIdentifierHeartRate"
    let first = 1_706_774_400 - 978_307_200.0
    let infinity = withUnsafeBytes(of: Double.infinity.bitPattern.littleEndian) { Array($0) }
    bad = [
      add(heartRate, first - 30) { $0.metadata = Array("hello world".utf8) },
      // The same bytes as above: each sample counts.
      add(heartRate, first + 30) { $0.metadata = Array("hello world".utf8) },
      add(heartRate, first + 90) { $0.metadata = [1, 1, 1, 100, 7] + infinity },
      add(heartRate, first + 900) { $0.metadata = [9, 9] },
      add("HKWorkoutTypeIdentifier", first) { ($0.payloadKind, $0.payload) = (2, [99]) },
    ]
    try database.commit(batch)
    try database.close()
  }

  private func expect(_ arguments: [String], without rest: [UUID] = []) throws -> ToolRun {
    let run = try ToolProcess.run(arguments)
    #expect(run.status == 5, "\(arguments): \(run.error)")
    for id in bad where !rest.contains(id) {
      #expect(run.error.contains(id.uuidString), "\(arguments): \(run.error)")
    }
    #expect(run.error.contains("could not be read"))
    return run
  }

  @Test(arguments: ["table", "csv", "json", "jsonl"])
  func `query and changes report unreadable samples and print the others`(format: String) throws {
    for command in [["query", "--all-types"], ["query", "--all-types", "--latest"], ["changes"]] {
      let run = try expect(command + ["--store", path, "--format", format])
      let beats = run.lines.count { line in
        format == "table"
          ? line.contains("count/min") : line.contains("\"note") || line.contains("note\"")
      }
      #expect(beats == 3, "\(command): \(run.out)")
      if format == "json" { #expect(try run.objects().isEmpty == false) }
      for id in bad { #expect(!run.out.contains(id.uuidString)) }
    }
  }

  @Test func `query with a predicate reports unreadable samples that may match`() throws {
    let run = try expect(
      [
        "query", "--store", path, "--all-types", "--where", "quantity < \"1000 count/min\"",
        "--format", "jsonl",
      ], without: [bad[4]])
    #expect(run.lines.count == 3)
  }

  @Test(arguments: ["csv", "jsonl", "sql", "influx", "fhir"])
  func `export reports unreadable samples and writes the others`(format: String) throws {
    let run = try expect(["export", "--store", path, "--format", format])
    #expect(run.error.contains("anchor "))
    for value in [60, 61, 62] { #expect(run.out.contains("\(value)")) }
    for id in bad { #expect(!run.out.lowercased().contains(id.uuidString.lowercased())) }
  }

  @Test func `An export for Apple Health reports unreadable samples and has the others`() throws {
    let copy = folder.path + "/apple"
    _ = try expect(["export", copy, "--store", path, "--format", "apple"])
    let imported = try ToolProcess.run(["import", copy, "--store", folder.store("copy")])
    #expect(imported.status == 0, "\(imported.error)")
    let stats = try ToolProcess.run(["stats", folder.store("copy"), "--json"]).objects().first
    #expect(stats?["samples"] as? Int == 3)
  }

  @Test func `verify reports unreadable samples, and deleting them repairs the store`() throws {
    let run = try expect(["verify", path])
    #expect(!run.out.contains("good"))
    for id in bad {
      let run = try ToolProcess.run(["delete", "--store", path, "--uuid", "\(id)", "--yes"])
      #expect(run.status == 0, "\(run.error)")
    }
    for command in [["verify", path], ["query", "--all-types", "--store", path]] {
      #expect(try ToolProcess.run(command).status == 0)
    }
  }

  @Test func `Erasing a person with unreadable samples succeeds`() throws {
    let run = try ToolProcess.run(["erase", "--store", path, "--subject", "", "--yes"])
    #expect(run.status == 0, "\(run.error)")
    #expect(try ToolProcess.run(["verify", path]).status == 0)
  }

  @Test func `A library's caller gets an error with a message and the identifier`() async throws {
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let error = await #expect(throws: HKError.self) {
      _ = try await HKSampleQueryDescriptor(
        predicates: [.quantitySample(type: HKQuantityType(.heartRate))], sortDescriptors: []
      ).result(for: store)
    }
    let sentence = try #require(error?.description)
    #expect(bad.contains { sentence.contains($0.uuidString) }, "\(sentence)")
    #expect(sentence.hasSuffix("."))
    try await store.close()
  }
}
