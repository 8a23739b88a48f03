import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

@Suite struct ChangesTests {
  private func changes(_ path: String, _ more: String...) throws -> ToolRun {
    try ToolProcess.run(["changes", "--store", path] + more)
  }

  /// The values added, the number of deletions, and the anchor, which must come last.
  private func read(_ run: ToolRun) throws -> (added: [Double], deleted: Int, anchor: String) {
    #expect(run.status == 0)
    let objects = try run.objects()
    let anchor = try #require(objects.last?["anchor"] as? String)
    let kinds = objects.dropLast().map { $0["kind"] as? String }
    #expect(kinds.allSatisfy { $0 == "added" || $0 == "deleted" })
    return (
      objects.compactMap { $0["value"] as? Double }, kinds.count { $0 == "deleted" }, anchor
    )
  }

  private func heartRates(_ store: HKHealthStore) async throws -> [HKQuantitySample] {
    try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  @Test func `A process continues from an anchor printed by another`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let first = try read(changes(path))
    #expect(first.added == [60, 61])
    #expect(first.deleted == 0)
    let idle = try read(changes(path, "--after", first.anchor))
    #expect(idle.added.isEmpty)
    #expect(idle.anchor == first.anchor)
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let old = try #require(await heartRates(store).first)
    try await store.save(heartRate(70, 70))
    try await store.delete(old)
    try await store.close()
    let run = try changes(path, "--after", first.anchor)
    let second = try read(run)
    #expect(second.added == [70])
    #expect(second.deleted == 1)
    let deletion = try #require(run.objects().first { $0["kind"] as? String == "deleted" })
    #expect(deletion["uuid"] as? String == old.uuid.uuidString)
    #expect(deletion["type"] as? String == "heartRate")
    #expect(try read(changes(path, "--after", second.anchor)).added.isEmpty)
  }

  @Test func `An erasure is a line with the subject`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    try await database.store(subject: "ada").save(heartRate(70, 70))
    try database.close()
    let first = try read(changes(path))
    #expect(first.added == [60, 61, 70])
    let again = try HealthDatabase(directory: URL(fileURLWithPath: path))
    #expect(try await again.erase(subject: "ada") == 1)
    try await again.store(subject: "ada").save(heartRate(80, 80))
    try again.close()
    let lines = try changes(path, "--after", first.anchor).objects()
    #expect(lines.map { $0["kind"] as? String } == ["erased", "added", nil])
    #expect(lines[0]["subject"] as? String == "ada")
    let others = try changes(path, "--after", first.anchor, "--subject", "").objects()
    #expect(others.count == 1)
    #expect(try read(changes(path)).added == [60, 61, 80])
  }

  @Test func `A limit ends the feed at an anchor from which the next run continues`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62, 63, 64])
    var anchor: String?
    var seen: [Double] = []
    for _ in 0..<3 {
      let arguments = ["changes", "--store", path, "--limit", "2"]
      let page = try read(ToolProcess.run(arguments + (anchor.map { ["--after", $0] } ?? [])))
      #expect(page.added.count <= 2)
      seen += page.added
      anchor = page.anchor
    }
    #expect(seen == [60, 61, 62, 63, 64])
  }

  @Test func `Types and subjects filter additions and deletions`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(subject: "ada", heartRates: [60])
    _ = try await folder.makeStore(subject: "bob", heartRates: [80])
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    let store = database.store(subject: "bob")
    try await store.delete(try await heartRates(store))
    try database.close()
    #expect(try read(changes(path, "--subject", "ada")).added == [60])
    #expect(try read(changes(path, "--subject", "bob")).deleted == 1)
    #expect(try read(changes(path, "--type", "heartRate")).added == [60])
    #expect(try read(changes(path, "--type", "heartRate")).deleted == 1)
    let other = try read(changes(path, "--type", "stepCount", "--type", "bodyMass"))
    #expect(other.added.isEmpty)
    #expect(other.deleted == 0)
  }

  @Test func `An anchor of another store is refused with a message`() async throws {
    let folder = try TestFolder()
    let anchor = try read(changes(try await folder.makeStore("a", heartRates: [60]))).anchor
    let run = try changes(try await folder.makeStore("b", heartRates: [60]), "--after", anchor)
    #expect(run.status == 1)
    #expect(run.error.contains("belongs to another store"))
    #expect(run.out.isEmpty)
  }

  @Test func `An anchor beyond the end of a restored copy is refused with a message`() async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let copy = folder.store("copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    _ = try await folder.makeStore(heartRates: [61, 62])
    let anchor = try read(changes(path)).anchor
    let run = try changes(copy, "--after", anchor)
    #expect(run.status == 1)
    #expect(run.error.contains("beyond the end"))
  }

  @Test func `An anchor older than forgotten deletions is refused with a message`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let anchor = try read(changes(path)).anchor
    var options = Database.Options()
    options.deletionRetention = .seconds(0)
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path), options: options)
    try await store.delete(try await heartRates(store)[0])
    // The deletion is retained until its segment is merged.
    try await store.compact()
    try await store.save(heartRate(70, 70))
    try await store.compact()
    try await store.close()
    let run = try changes(path, "--after", anchor)
    #expect(run.status == 1)
    #expect(run.error.contains("has expired"))
  }

  @Test func `Following prints another process' commits, and ends on an interrupt`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let tool = try RunningTool(["changes", "--store", path, "--follow"])
    let sample = try tool.object()
    #expect(sample["value"] as? Int == 60)
    let first = try #require(tool.object()["anchor"] as? String)
    // The writer is a third process, so the follower detects commits only through the files.
    let export = try folder.write("export.xml", soundExportText)
    #expect(try ToolProcess.run(["import", export, "--store", path]).status == 0)
    var types: [String] = []
    var anchor = first
    while types.count < 4 {
      let object = try tool.object()
      if let type = object["type"] as? String { types.append(type) }
      if let next = object["anchor"] as? String { anchor = next }
    }
    #expect(types == ["heartRate", "heartRate", "heartRate", "sleepAnalysis"])
    if let next = try tool.object()["anchor"] as? String { anchor = next }
    tool.process.interrupt()
    tool.process.waitUntilExit()
    #expect(tool.process.terminationReason == .uncaughtSignal)
    #expect(tool.process.terminationStatus == SIGINT)
    #expect(anchor != first)
    #expect(try read(changes(path, "--after", anchor)).added.isEmpty)
  }

  @Test func `Following continues through deletions and compaction`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let tool = try RunningTool(["changes", "--store", path, "--follow"])
    for _ in 0..<3 { _ = try tool.object() }
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    let old = try await heartRates(store)[0]
    try await store.delete(old)
    try await store.close()
    let deletion = try tool.object()
    #expect(deletion["kind"] as? String == "deleted")
    #expect(deletion["uuid"] as? String == old.uuid.uuidString)
    let last = try tool.object()
    #expect(last["anchor"] != nil)
  }

  @Test func `Following ends when the reader closes the pipe`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let tool = try RunningTool(["changes", "--store", path, "--follow"])
    _ = tool.nextLine()
    _ = tool.nextLine()
    try tool.stopReading()
    tool.process.waitUntilExit()
    #expect(tool.process.terminationStatus == 0)
  }

  @Test func `Following ends at its limit`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62])
    let run = try changes(path, "--follow", "--limit", "2")
    #expect(try read(run).added == [60, 61])
  }
}
