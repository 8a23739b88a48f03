import Foundation
import HealthStore
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthTransfer

/// Every entry point of a store refuses the same samples, and an accepted sample can be read,
/// exported and removed.
@Suite struct DoorTests {
  @Test(arguments: DoorCase.all)
  func `Every entry point accepts and refuses the same samples`(_ example: DoorCase) async throws {
    #expect(try await example.transfer() == example.isHeld)
    #expect(try example.restoring() == example.isHeld)
    #expect(try example.importing() ?? example.isHeld == example.isHeld)
    #expect(try await example.saving() ?? example.isHeld == example.isHeld)
  }

  @Test func `The tool's ingest accepts and refuses the same samples`() async throws {
    let folder = try Folder()
    let arguments = ["ingest", "-", "--store", folder.path + "/store"]
    var held: [Data] = []
    for example in DoorCase.all {
      guard let line = try example.line else { continue }
      if example.isHeld {
        held.append(line)
      } else {
        let run = try folder.tool(arguments, input: line)
        #expect(run.status != 0, "\(example.testDescription)")
      }
    }
    let run = try folder.tool(arguments, input: Data(held.joined(separator: [10])))
    #expect(run.out == "\(held.count) added, 0 there already, 0 deleted\n", "\(run.error)")
  }

  @Test func `Accepted samples can be read, printed, exported, deleted and erased`() async throws {
    let folder = try Folder()
    let path = folder.path + "/store"
    let held = DoorCase.all.filter(\.isHeld)
    for subject in ["ada", "bob"] {
      let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
      let store = database.store(subject: subject)
      var writer = try RowWriter(store)
      for example in held {
        var row = example.stored
        if subject == "bob" { row.uuid = UUID() }
        try writer.add(row)
      }
      _ = try writer.commit()
      for name in Set(held.map(\.type)) {
        guard let type = HKObjectType.make(identifier: name) as? HKSampleType else { continue }
        let found = try await HKSampleQueryDescriptor(
          predicates: [.sample(type: type)], sortDescriptors: []
        ).result(for: store)
        #expect(found.count == held.count { $0.type == name })
        for sample in found {
          #expect(!"\(sample) \(sample.metadata ?? [:]) \(sample.startDate)".isEmpty)
          #expect(!sample.debugDescription.isEmpty)
        }
      }
      try database.close()
    }
    for format in ["table", "csv", "json", "jsonl"] {
      let all = ["--store", path, "--all-types", "--all-subjects", "--format", format]
      try folder.expectGood(["query"] + all)
      try folder.expectGood(["changes", "--store", path, "--format", format])
    }
    for format in ["csv", "jsonl", "sql", "influx", "fhir"] {
      try folder.expectGood(["export", "--store", path, "--all-subjects", "--format", format])
    }
    let lines = try folder.tool(["export", "--store", path, "--all-subjects", "--format", "jsonl"])
    let again = try folder.tool(
      ["ingest", "-", "--store", folder.path + "/again"], input: Data(lines.out.utf8))
    #expect(again.out == "\(held.count * 2) added, 0 there already, 0 deleted\n", "\(again.error)")
    let copy = folder.path + "/apple"
    try folder.expectGood([
      "export", copy, "--store", path, "--subject", "ada", "--format", "apple",
    ])
    try folder.expectGood(["verify", path])
    let identifiers = held.flatMap { ["--uuid", $0.id.uuidString] }
    try folder.expectGood(["delete", "--store", path, "--yes"] + identifiers)
    try folder.expectGood(["erase", path, "--subject", "bob", "--yes"])
    let rest = try folder.tool(["export", "--store", path, "--all-subjects", "--format", "jsonl"])
    #expect(rest.status == 0 && rest.out.isEmpty)
  }
}

/// A folder that is removed with the value, and the built program beside it.
private final class Folder {
  let path = FileManager.default.temporaryDirectory.path + "/doors-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func tool(
    _ arguments: [String], input: Data = Data()
  ) throws -> (status: Int32, out: String, error: String) {
    let process = Process()
    process.executableURL = try BuiltProgram.url("healthstore")
    process.arguments = arguments
    // Files need no reader while the program runs, unlike pipes.
    let urls = ["in", "out", "error"].map { URL(fileURLWithPath: path + "/" + $0) }
    for url in urls { try input.write(to: url) }
    for url in urls.dropFirst() { try Data().write(to: url) }
    process.standardInput = try FileHandle(forReadingFrom: urls[0])
    process.standardOutput = try FileHandle(forWritingTo: urls[1])
    process.standardError = try FileHandle(forWritingTo: urls[2])
    try process.run()
    process.waitUntilExit()
    let texts = try urls.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return (process.terminationStatus, texts[1], texts[2])
  }

  func expectGood(_ arguments: [String]) throws {
    let run = try tool(arguments)
    #expect(run.status == 0, "\(arguments): \(run.error)")
  }
}
