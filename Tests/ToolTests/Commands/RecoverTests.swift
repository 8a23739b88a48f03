import Foundation
import HealthStore
import SampleLog
import SampleLogReplication
import SampleLogSimulation
import Testing
import UniformTypeIdentifiers

@testable import HealthStoreTool

/// `healthstore recover`.
@Suite struct RecoverTests {
  private let folder: TestFolder
  /// The store whose commits are kept.
  private let old: String
  /// A copy with the same commits, in an epoch of its own.
  private let new: String
  private var kept: String { folder.store("kept") }
  /// The samples that both stores have.
  private let shared: [HKQuantitySample]

  init() async throws {
    folder = try TestFolder()
    (old, new) = (folder.store("old"), folder.store("new"))
    shared = (0..<3).map { heartRate(Double(60 + $0), $0) }
    try await Self.change(old) { try await $0.save(shared) }
    try await Self.change(old, "ada") { try await $0.save(heartRate(90, 0)) }
    try fork()
  }

  /// Makes ``new`` a copy of ``old``, and begins its epoch.
  private func fork() throws {
    try? FileManager.default.removeItem(atPath: new)
    let base = folder.store(UUID().uuidString)
    #expect(try ToolProcess.copy("backup", old, base).status == 0)
    #expect(try ToolProcess.copy("restore", base, new).status == 0)
  }

  private static func change(
    _ path: String, _ subject: String = "", _ body: (HKHealthStore) async throws -> Void
  ) async throws {
    let database = try HealthDatabase(directory: URL(fileURLWithPath: path))
    try await body(database.store(subject: subject))
    try database.close()
  }

  /// Backs ``old`` up to ``kept``.
  private func keep() throws {
    #expect(try ToolProcess.copy("backup", old, kept).status == 0)
  }

  private func recover(_ options: String...) throws -> ToolRun {
    try ToolProcess.run(["recover", kept, "--store", new] + options)
  }

  /// Lists or saves, and returns the JSON object.
  private func object(_ options: String...) throws -> [String: Any] {
    let run = try ToolProcess.run(["recover", kept, "--store", new, "--json"] + options)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.lines.count == 1)
    return try #require(run.objects().first)
  }

  private func changes(_ object: [String: Any]) throws -> [[String: Any]] {
    try #require(object["changes"] as? [[String: Any]])
  }

  /// The exported samples of a store, sorted.
  private func samples(_ path: String) throws -> [String] {
    let run = try ToolProcess.run(
      ["export", "--store", path, "--all-subjects", "--format", "jsonl"])
    #expect(run.status == 0, "\(run.error)")
    // Activity summaries are settings.
    return run.lines.filter { !$0.contains(#""type":"activitySummary""#) }.sorted()
  }

  private func end(_ path: String) throws -> UInt64 {
    try Database(path: path, mode: .readOnly).end
  }

  @Test func `The list has the samples that only the kept store has`() async throws {
    let missing = heartRate(70, 10)
    try await Self.change(old) { try await $0.save(missing) }
    try await Self.change(old, "ada") { try await $0.save(heartRate(71, 11)) }
    try await Self.change(new) { try await $0.save(heartRate(80, 20)) }
    try keep()
    let end = try end(new)
    let run = try recover()
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.isEmpty)
    #expect(
      run.lines.suffix(2) == [
        "2 samples missing, 0 extended, 0 deleted",
        "left out: 0 there already, 0 deleted since, 0 of erased subjects",
      ])
    #expect(run.lines.count == 5)
    let line = try #require(run.lines.first { $0.contains(missing.uuid.uuidString) })
    #expect(line.hasPrefix("missing "))
    #expect(line.contains("heartRate"))
    #expect(line.contains("2024-02-01 08:10:00  2024-02-01 08:10:00          70 count/min"))
    let object = try object()
    #expect(object["missing"] as? Int == 2)
    #expect(object["sharedThrough"] as? Int == 4)
    let changes = try changes(object)
    #expect(changes.map { $0["change"] as? String } == ["missing", "missing"])
    #expect(changes[0]["uuid"] as? String == missing.uuid.uuidString)
    #expect(changes[0]["type"] as? String == "heartRate")
    #expect(changes[0]["start"] as? String == "2024-02-01T08:10:00Z")
    #expect(changes[0]["end"] as? String == "2024-02-01T08:10:00Z")
    #expect(changes[0]["value"] as? Double == 70)
    #expect(changes[1]["subject"] as? String == "ada")
    #expect(try self.end(new) == end)
  }

  @Test func `Samples of every family are saved unchanged, and only once`() async throws {
    let everything = try await folder.makeStoreOfEverything()
    let file = try folder.write("all", try samples(everything).map { $0 + "\n" }.joined())
    #expect(try ToolProcess.run(["ingest", file, "--store", old]).status == 0)
    try keep()
    let types = Set(try changes(try object()).compactMap { $0["type"] as? String })
    #expect(
      types.isSuperset(of: [
        "stepCount", "workout", "bloodPressure", "workoutRoute", "heartbeatSeries",
        "electrocardiogram",
      ]), "\(types)")
    let saved = try object("--save")
    #expect(saved["saved"] as? Int == 32)
    #expect(try samples(new) == samples(old))
    #expect(try ToolProcess.run(["verify", new]).status == 0)
    let end = try end(new)
    let again = try recover("--save", "--deletions")
    #expect(again.lines[0] == "0 samples saved, 0 extended, 0 deleted")
    #expect(again.lines[1].hasPrefix("left out: 32 there already"))
    #expect(try self.end(new) == end)
    #expect(try changes(try object()).isEmpty)
  }

  @Test func `Deletions are applied on request only`() async throws {
    try await Self.change(old) { try await $0.delete(shared[0]) }
    try await Self.change(old) { try await $0.delete(shared[1]) }
    try await Self.change(new) { try await $0.delete(shared[1]) }
    try keep()
    let deleted = try changes(try object())
    #expect(deleted.map { $0["change"] as? String } == ["deleted"])
    #expect(deleted[0]["uuid"] as? String == shared[0].uuid.uuidString)
    #expect(deleted[0]["value"] as? Double == 60)
    let early = try recover("--deletions")
    #expect(early.status == 2)
    #expect(early.error.contains("--deletions is for --save"))
    #expect(try object("--save")["deleted"] as? Int == 0)
    #expect(try samples(new).count == 3)
    #expect(try object("--save", "--deletions")["deleted"] as? Int == 1)
    #expect(try samples(new) == samples(old))
    #expect(try object("--save", "--deletions")["deleted"] as? Int == 0)
  }

  @Test func `A sample that was deleted and saved again is no deletion`() async throws {
    try await Self.change(old) {
      try await $0.delete(shared[0])
      try await $0.save(shared[0])
    }
    try keep()
    let object = try object()
    #expect(try changes(object).isEmpty)
    #expect(object["leftOutKnown"] as? Int == 1)
  }

  @Test func `Samples that the new history has or has deleted are left out`() async throws {
    let (both, deleted, missing) = (heartRate(70, 10), heartRate(71, 11), heartRate(72, 12))
    try await Self.change(old) { try await $0.save([both, deleted, missing]) }
    try await Self.change(new) {
      try await $0.save([both, deleted])
      try await $0.delete(deleted)
      // The kept store has this sample from before the split.
      try await $0.delete(shared[0])
    }
    try keep()
    let object = try object("--save")
    #expect(object["saved"] as? Int == 1)
    #expect(object["leftOutKnown"] as? Int == 1)
    #expect(object["leftOutDeleted"] as? Int == 1)
    #expect(try samples(new).count == 5)
  }

  @Test func `A later version is saved and an earlier one is left out`() async throws {
    func version(_ number: Int, _ name: String) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(.bodyMass),
        quantity: HKQuantity(unit: .pound(), doubleValue: Double(number)), start: Date(),
        end: Date(), device: nil,
        metadata: [HKMetadataKeySyncIdentifier: name, HKMetadataKeySyncVersion: number])
    }
    try await Self.change(old) { try await $0.save([version(1, "a"), version(1, "b")]) }
    try fork()
    try await Self.change(old) { try await $0.save([version(2, "a"), version(2, "b")]) }
    try await Self.change(new) { try await $0.save(version(3, "b")) }
    try keep()
    let listed = try object()
    #expect(try changes(listed).map { $0["value"] as? Double } == [2])
    #expect(listed["leftOutKnown"] as? Int == 1)
    #expect(try object("--save")["saved"] as? Int == 1)
    let masses = try samples(new).filter { $0.contains("bodyMass") }
    #expect(masses.count == 2)
    #expect(masses.contains { $0.contains(#""value":2,"#) })
    #expect(masses.contains { $0.contains(#""value":3,"#) })
  }

  @Test func `Attachments and links are added to samples that both stores have`() async throws {
    let start = shared[0].startDate
    let workout = HKWorkout(activityType: .running, start: start, end: start + 60)
    try await Self.change(old) { try await $0.save(workout) }
    try fork()
    let file = try folder.write("a.txt", "attached")
    try await Self.change(old) { health in
      _ = try await HKAttachmentStore(healthStore: health).addAttachment(
        to: shared[1], name: "a.txt", contentType: .plainText, url: URL(fileURLWithPath: file))
      let effort = HKQuantitySample(
        type: HKQuantityType(.workoutEffortScore),
        quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: 5), start: start,
        end: start + 60)
      try await health.relateWorkoutEffortSample(effort, with: workout, activity: nil)
    }
    try keep()
    let changes = try changes(try object())
    let extended = changes.filter { $0["change"] as? String == "extended" }
    #expect(
      Set(extended.compactMap { $0["uuid"] as? String })
        == [shared[1].uuid.uuidString, workout.uuid.uuidString])
    #expect(try samples(new) != samples(old))
    let saved = try object("--save")
    #expect(saved["saved"] as? Int == 1)
    #expect(saved["extended"] as? Int == 2)
    #expect(try samples(new) == samples(old))
    #expect(try self.changes(try object()).isEmpty)
  }

  @Test func `A subject that the new history has erased stays erased`() async throws {
    try await Self.change(old, "ada") { try await $0.save(heartRate(91, 1)) }
    try keep()
    let erase = ["erase", "--store", new, "--subject", "ada", "--yes"]
    #expect(try ToolProcess.run(erase).status == 0)
    let listed = try object()
    #expect(try changes(listed).isEmpty)
    #expect(listed["leftOutErased"] as? Int == 1)
    #expect(try object("--save")["saved"] as? Int == 0)
    #expect(try samples(new).count == 3)
    #expect(try object("--save", "--anyway")["saved"] as? Int == 1)
    #expect(try samples(new).count == 4)
  }

  @Test func `A subject that only the kept store has erased is named`() throws {
    let erase = ["erase", "--store", old, "--subject", "ada", "--yes"]
    #expect(try ToolProcess.run(erase).status == 0)
    try keep()
    #expect(try object()["subjectsToErase"] as? [String] == ["ada"])
    #expect(try recover().error.contains("has erased the subject \"ada\""))
  }

  @Test func `Commits of another store are refused`() async throws {
    let other = try await folder.makeStore("other", heartRates: [50, 51])
    #expect(try ToolProcess.copy("backup", other, kept).status == 0)
    for options in [[], ["--save"]] {
      let run = try ToolProcess.run(["recover", kept, "--store", new] + options)
      #expect(run.status == 2)
      #expect(run.error.contains("has commits of another store than \(new)"), "\(run.error)")
      #expect(run.out.isEmpty)
    }
    #expect(try object("--save", "--anyway")["saved"] as? Int == 2)
    #expect(try samples(new).count == 6)
  }

  @Test(arguments: [StatusTests.Damage.segment, .block])
  func `Damage of the kept store is reported with the file`(
    _ damage: StatusTests.Damage
  ) async throws {
    let many = (0..<200).map { heartRate(Double(50 + $0 % 40), $0) }
    try await Self.change(old) { try await $0.save(many) }
    #expect(try ToolProcess.run(["compact", old]).status == 0)
    try keep()
    let file = try await StatusTests.damage(kept, damage)
    let end = try end(new)
    for options in [[], ["--save"]] {
      let run = try ToolProcess.run(["recover", kept, "--store", new] + options)
      #expect(run.status == 5)
      #expect(run.error.contains("\(file) is damaged at byte"), "\(run.error)")
      #expect(run.error.contains("healthstore verify \(kept)"), "\(run.error)")
    }
    #expect(try self.end(new) == end)
  }

  @Test func `An unreadable sample is named and the others are saved`() async throws {
    let bad = Identifier(UUID())
    let database = try Database(path: old)
    var batch = Batch()
    var extras = Extras()
    extras.metadata = [9, 9]
    batch.add(
      subject: database.symbols.intern(""),
      type: database.symbols.intern("HKQuantityTypeIdentifierHeartRate"), id: bad, start: 1, end: 1,
      value: 1, unit: database.symbols.intern("count/min"), source: 0, device: 0,
      extras: batch.intern(extras: extras.encoded))
    try database.commit(batch)
    try database.close()
    try await Self.change(old) { try await $0.save(heartRate(70, 10)) }
    try keep()
    let run = try recover("--save")
    #expect(run.status == 5)
    #expect(run.lines.first == "1 sample saved, 0 extended, 0 deleted")
    #expect(run.error.contains("\(bad)"), "\(run.error)")
    #expect(run.error.contains("1 sample could not be read"), "\(run.error)")
  }

  @Test func `Forgotten deletions are reported`() async throws {
    try keep()
    try await Self.change(new) { try await $0.delete(shared[0]) }
    #expect(try recover().error.isEmpty)
    var options = Database.Options()
    options.deletionRetention = .zero
    let database = try Database(path: new, options: options)
    // The first compaction drops the sample, and the second its deletion.
    for _ in 0..<2 { try database.compact() }
    try database.close()
    let run = try recover()
    #expect(run.error.contains("has forgotten deletions up to sequence number"), "\(run.error)")
  }

  @Test(arguments: [(SIGINT, HealthStoreTool.ExitStatus.interrupted), (SIGTERM, .terminated)])
  func `An interrupted run saves whole batches, and another completes it`(
    number: Int32, status: HealthStoreTool.ExitStatus
  ) async throws {
    try await Self.change(old) { try await $0.save([heartRate(70, 10), heartRate(71, 11)]) }
    try keep()
    let words = [kept, "--store", new, "--save"]
    let quiet = Output(isTerminal: false) { _ in }
    let failure = #expect(throws: Failure.self) {
      _ = try RecoverCommand(ParsedArguments(words, RecoverCommand.usage)).run(
        Console(out: quiet, error: quiet), Interruption(by: number, afterSteps: 1))
    }
    #expect(failure?.status == status)
    #expect(failure?.sentence.contains("0 samples of \(kept) are saved; run it again") == true)
    #expect(try object("--save")["saved"] as? Int == 2)
  }

  @Test func `Commits of a replaced primary return to the published store`() async throws {
    try FileManager.default.removeItem(atPath: new)
    let base = folder.store("base")
    #expect(try ToolProcess.copy("backup", old, base).status == 0)
    let stream = SimulatedStream(seed: 1)
    let primary = try Primary(path: old, transport: stream)
    try primary.confirm(through: primary.database.end, .replicated)
    try primary.close()
    try await Self.change(old) { try await $0.save(heartRate(70, 10)) }
    try Replica.make(from: base, at: new, of: "old")
    let replica = try Replica(path: new, transport: stream)
    let promotion = Promotion(replica)
    while try promotion.step() != .promoted {}
    try replica.close()
    let result = try Replica.rejoin(old, as: "new", transport: stream, keeping: kept)
    #expect(result?.kept == kept)
    // A replica is compared, but receives no samples.
    #expect(try object()["missing"] as? Int == 1)
    let refused = try recover("--save")
    #expect(refused.status == 2)
    #expect(refused.error.contains("is a replica; save in its primary"), "\(refused.error)")
    try Database.promote(new)
    let run = try recover("--save")
    #expect(run.lines.first == "1 sample saved, 0 extended, 0 deleted", "\(run.error)")
    #expect(run.error.contains("may wait to be published"), "\(run.error)")
    let next = try Primary(path: new, transport: stream)
    try next.confirm(through: next.database.end, .replicated)
    try next.close()
    #expect(try samples(new).count == 5)
  }
}
