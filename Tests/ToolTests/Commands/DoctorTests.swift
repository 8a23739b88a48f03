import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// `healthstore doctor`.
@Suite struct DoctorTests {
  private func object(_ path: String) throws -> [String: Any] {
    try #require(ToolProcess.run(["doctor", path, "--json"]).objects().first)
  }

  @Test func `An intact store has no advice`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let run = try ToolProcess.run(["doctor", path])
    #expect(run.status == 0)
    #expect(run.out.contains("\nhealth         good: 1 file and "), "\(run.out)")
    #expect(run.lines.last == "Nothing needs to be done.")
    let doctor = try object(path)
    #expect(doctor["samples"] as? Int == 2)
    #expect(doctor["version"] as? String == Tool.version)
    #expect((doctor["damages"] as? [Any])?.isEmpty == true)
    #expect(doctor["advice"] as? [String] == [])
  }

  @Test func `Damage is reported with advice and status 5`() async throws {
    let folder = try TestFolder()
    let words = try await StatusTests.fill(["doctor", "STORE"], folder)
    let name = try await StatusTests.damage(folder.store(), .block)
    let run = try ToolProcess.run(words)
    #expect(run.status == 5)
    #expect(run.out.contains("- Repair it: \(name) is damaged at byte "), "\(run.out)")
    #expect(run.error.contains("is damaged"))
  }

  @Test func `An unacknowledged delivery and a lagging subscription are reported as stalled`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    let database = try Database(path: path)
    let type = HKQuantityType(.heartRate).identifier
    let key = SeriesKey(subject: 0, type: database.symbols.intern(type))
    var registration = try database.register(key, frequency: 1)
    registration.failureCount = 3
    registration.isStopped = true
    try database.update([(key, registration)])
    try database.acknowledge("mirror", through: 1)
    try database.delete(where: SeriesSelection([key]))
    try database.close()
    let doctor = try object(path)
    let deliveries = try #require(doctor["deliveries"] as? [[String: Any]])
    #expect(deliveries.map { $0["type"] as? String } == ["heartRate"])
    #expect(deliveries[0]["stopped"] as? Bool == true)
    #expect(deliveries[0]["failures"] as? Int == 3)
    let subscriptions = try #require(doctor["subscriptions"] as? [[String: Any]])
    #expect(subscriptions[0]["name"] as? String == "mirror")
    #expect(subscriptions[0]["behind"] as? Int ?? 0 > 0)
    let advice = try #require(doctor["advice"] as? [String])
    #expect(advice.contains { $0.contains("heartRate") && $0.contains("has stopped") })
    #expect(advice.contains { $0.contains("subscription mirror") })
    #expect(try ToolProcess.run(["doctor", path]).out.contains("1 behind, 1 stalled"))
  }

  @Test func `A nearly full disk is reported by the command that saves and by the doctor`()
    async throws
  {
    let folder = try TestFolder()
    let mount = "mount -t tmpfs -o size=64m none \"$store\""
    let probe = try ToolProcess.shell("unshare -m bash -c '\(mount)'", ["store": folder.path])
    guard probe.status == 0 else {
      return print("a nearly full disk skipped: mounting a small one needs root: \(probe.error)")
    }
    let file = try folder.write(
      "samples.csv", "uuid,type,start,value,unit\n\(UUID()),bodyMass,2024-03-01,70,kg\n")
    let store = folder.store("small")
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    let run = try ToolProcess.shell(
      "unshare -m bash -c '\(mount) && \"$tool\" ingest \"$file\" --store \"$store\" && "
        + "\"$tool\" doctor \"$store\"'", ["store": store, "file": file])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.contains("\(store) is on a disk with "), "\(run.error)")
    #expect(run.out.contains("- Make room on the disk: only "), "\(run.out)")
  }

  @Test func `The gain of a compaction is reported if it is large enough`() async throws {
    let folder = try TestFolder()
    let path = folder.store()
    let database = try Database(path: path)
    let type = HKQuantityType(.heartRate).identifier
    let key = SeriesKey(subject: 0, type: database.symbols.intern(type))
    var batch = Batch()
    for index in 0..<60_000 {
      let number = UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
      batch.add(
        to: key, id: Identifier(high: number, low: number &* number), start: Double(index),
        value: Double(index &* 7919 % 10_007) / 7)
    }
    try database.commit(batch)
    try database.compact()
    try database.close()
    _ = try ToolProcess.run(["delete", path, "--type", "heartRate", "--yes"])
    let run = try ToolProcess.run(["doctor", path, "--json"])
    let doctor = try #require(run.objects().first)
    let bytes = try #require(doctor["reclaimableBytes"] as? Int)
    let advice = try #require(doctor["advice"] as? [String])
    #expect(advice.contains { $0.hasPrefix("Compact it") } == (bytes > 1 << 20))
    #expect(bytes > 1 << 20)
  }
}
