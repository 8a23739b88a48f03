import Foundation
import HealthStore
import SampleLog
import Testing

/// Backup, restore and repair from the command line.
@Suite struct MaintenanceTests {
  private func rates(_ path: String) throws -> Int {
    try ToolProcess.run(["query", "--store", path, "--type", "heartRate", "--format", "json"])
      .lines.count
  }

  @Test func `A store in use by a writer is backed up, and its restored copy continues`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61, 62])
    let writer = try Database(path: path)
    defer { try? writer.close() }
    let backup = folder.store("backup")
    let run = try ToolProcess.run(["backup", "--store", path, backup, "--json"])
    #expect(run.status == 0)
    let facts = try #require(run.objects().first)
    #expect(facts["newestSequence"] as? Int == 3)
    #expect(facts["files"] as? Int == 1)
    #expect(try rates(backup) == 3)
    #expect(try ToolProcess.run(["verify", backup]).status == 0)
    let compaction = try ToolProcess.run(["compact", backup])
    #expect(compaction.status == 2)
    #expect(compaction.error.contains("is a backup"))
    let restored = folder.store("restored")
    let restoring = try ToolProcess.run(["restore", backup, "--store", restored])
    #expect(restoring.status == 0)
    #expect(restoring.out.hasPrefix("restored up to sequence number 3: "))
    #expect(try rates(restored) == 3)
    // The backup's anchor stays valid, and a later one never becomes valid.
    let anchor = try #require(facts["anchor"] as? String)
    #expect(try ToolProcess.run(["changes", "--store", restored, "--after", anchor]).status == 0)
    var batch = Batch()
    for _ in 0..<5 {
      batch.add(
        subject: 0, type: writer.symbols.intern("x"), id: Identifier(UUID()), start: 0, end: 0,
        value: 0)
    }
    try writer.commit(batch)
    let output = try ToolProcess.run(["changes", "--store", path])
    let late = try #require(output.objects().last?["anchor"] as? String)
    _ = try await folder.makeStore("restored", heartRates: [Double](repeating: 70, count: 30))
    let refused = try ToolProcess.run(["changes", "--store", restored, "--after", late])
    #expect(refused.status == 1)
    #expect(refused.error.contains("beyond the end 3 of the history"))
  }

  @Test func `Unusable directories end with status 2 and are not changed`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    try FileManager.default.createDirectory(
      atPath: folder.store("full"), withIntermediateDirectories: false)
    try folder.write("full/file", "text")
    for command in ["backup", "restore", "repair"] {
      let full = try ToolProcess.copy(command, path, folder.store("full"))
      #expect(full.status == 2)
      #expect(full.error.contains("is not empty"))
      let missing = try ToolProcess.copy(command, folder.store("none"), folder.store("new"))
      #expect(missing.status == 2)
      #expect(missing.error.contains("There is no store at"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.store("full")) == ["file"])
    #expect(!FileManager.default.fileExists(atPath: folder.store("new")))
    try folder.write("store/UNFINISHED", "")
    #expect(try ToolProcess.run(["stats", path]).status == 2)
    #expect(try ToolProcess.run(["verify", path]).status == 2)
  }

  @Test func `A repair reports losses as text and as JSON`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: (0..<200).map { Double(50 + $0 % 40) })
    let store = try HKHealthStore(directory: URL(fileURLWithPath: path))
    for value in 0..<4 { try await store.save(heartRate(60, 1000 + value)) }
    try await store.close()
    let whole = try ToolProcess.run(["repair", "--store", path, folder.store("whole")])
    #expect(whole.status == 0)
    #expect(whole.lines.last?.hasPrefix("repaired: 204 samples and 0 deletions of 1 file") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let name = try #require(names.first { $0.hasSuffix(".log") })
    let file = URL(fileURLWithPath: path + "/" + name)
    var bytes = try [UInt8](Data(contentsOf: file))
    bytes[300] ^= 0x10
    try Data(bytes).write(to: file)
    let verify = try ToolProcess.run(["verify", path])
    #expect(verify.status == 5)
    #expect(verify.lines.first?.hasPrefix("\(name): byte 128: ") == true)
    let restore = try ToolProcess.run(["restore", path, "--store", folder.store("restored")])
    #expect(restore.status == 5)
    let run = try ToolProcess.run(["repair", "--store", path, folder.store("text")])
    #expect(run.status == 5)
    #expect(run.lines.first?.hasPrefix("lost: \(name), bytes 128 to ") == true)
    #expect(run.lines.first?.contains("sequence numbers 1 to 200") == true)
    #expect(try rates(folder.store("text")) == 4)
    #expect(try ToolProcess.run(["verify", folder.store("text")]).status == 0)
    let json = try #require(
      ToolProcess.run(["repair", "--store", path, folder.store("json"), "--json"]).objects().first)
    let lost = try #require((json["lost"] as? [[String: Any]])?.first)
    #expect(lost["file"] as? String == name)
    #expect(lost["fromByte"] as? Int == 128)
    #expect(lost["firstSequence"] as? Int == 1)
    #expect(lost["lastSequence"] as? Int == 200)
    #expect(json["samples"] as? Int == 4)
    #expect(json["anchorsThrough"] as? Int == 0)
    #expect(try [UInt8](Data(contentsOf: file)) == bytes)
  }

  @Test(arguments: ["000", "077", "277"])
  func `Files are 0600 and directories 0700, whatever the umask`(umask: String) async throws {
    let folder = try TestFolder()
    let export = try folder.write("export.xml", soundExportText)
    let tool = try ToolProcess.executable().path
    let path = folder.path + "/new/store"
    // Runs twice to cover files made in an existing store.
    let script = """
      umask \(umask) && "\(tool)" import "\(export)" --store "\(path)" &&
      "\(tool)" compact "\(path)" && "\(tool)" import "\(export)" --store "\(path)" &&
      "\(tool)" backup --store "\(path)" "\(folder.path)/backup" --copy &&
      "\(tool)" restore "\(folder.path)/backup" --store "\(folder.path)/restored" --copy &&
      "\(tool)" repair --store "\(path)" "\(folder.path)/repaired"
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for directory in [path, folder.path + "/new", "backup", "restored", "repaired"] {
      let directory = directory.hasPrefix("/") ? directory : folder.path + "/" + directory
      #expect(try mode(directory) == 0o700, "\(directory)")
      for name in try FileManager.default.contentsOfDirectory(atPath: directory)
      where name != "store" {
        #expect(try mode(directory + "/" + name) == 0o600, "\(name)")
      }
    }
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
