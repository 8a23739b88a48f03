import Foundation
import SampleLog
import SampleLogReplication
import SampleLogSimulation
import Testing

/// The replication commands without a stream.
///
/// `make cluster-test` and `make cluster-demo` use one.
@Suite struct ClusterTests {
  @Test(arguments: ["primary", "replica", "promote", "cluster"])
  func `A tool built without NATS refuses and makes no files`(name: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    let backup = folder.store("backup")
    #expect(try ToolProcess.run(["backup", "--store", path, backup]).status == 0)
    if name == "promote" {
      try FileManager.default.removeItem(atPath: path)
      try Replica.make(from: backup, at: path, of: "another")
    }
    let new = folder.store("new")
    let arguments =
      switch name {
      case "primary": ["--store", new]
      case "replica": [path, "--keep", folder.store("kept")]
      default: [path]
      }
    let run = try ToolProcess.run([name] + arguments)
    #expect(run.status == 2)
    #expect(run.error.contains("This program was built without NATS"))
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test(
    arguments: [
      ["erase", "--subject", "", "--yes", "STORE"], ["compact", "STORE"],
      ["delete", "--type", "heartRate", "--yes", "STORE"],
      ["expire", "--all-types", "--all-subjects", "--older-than", "1d", "--compact", "STORE"],
      ["ingest", "--store", "STORE", "FILE"], ["import", "--store", "STORE", "EXPORT"],
    ])
  func `A command that changes a published store keeps its logs and reports pending commits`(
    words: [String]
  ) async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60, 61])
    var options = Database.Options()
    options.keepsSealedLogs = true
    try Database(path: path, options: options).close()
    let file = try folder.write("samples.jsonl", "")
    let export = try folder.write("export.xml", soundExportText)
    let names = ["STORE": path, "FILE": file, "EXPORT": export]
    let run = try ToolProcess.run(words.map { names[$0] ?? $0 })
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.contains("may wait to be published"), "\(run.error)")
    if words[0] == "erase" {
      #expect(run.out.contains("1 sealed log may still have rows of it"), "\(run.out)")
      let mark = try #require(
        try Database(path: path, mode: .readOnly).publicationState()?.unpublishedRecordCount)
      #expect(run.out.contains("up to \(mark) records wait"), "\(run.out)")
    }
    #expect(try ToolProcess.run(["compact", path]).status == 0)
    let kept = try FileManager.default.contentsOfDirectory(atPath: path)
      .compactMap(FileNames.sealedLogFirst)
    #expect(kept.min() == 1)
    let doctor = try ToolProcess.run(["doctor", path])
    #expect(doctor.out.contains("Publish it with `healthstore primary`"), "\(doctor.out)")
  }

  @Test func `A replica refuses writes and reports that it is one`() async throws {
    let folder = try TestFolder()
    let (store, backup) = (try await folder.makeStore(heartRates: [60]), folder.store("backup"))
    #expect(try ToolProcess.run(["backup", "--store", store, backup]).status == 0)
    let replica = folder.store("replica")
    try Replica.make(from: backup, at: replica, of: "machine one")
    let run = try ToolProcess.run(["erase", "--subject", "", "--yes", replica])
    #expect(run.status == 2)
    #expect(run.error.contains("is a replica; save in its primary, machine one."))
    #expect(try ToolProcess.run(["verify", replica]).status == 0)
  }

  @Test func `A replica that no process has open is compacted in place`() async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60, 61])
    let (backup, path) = (folder.store("backup"), folder.store("replica"))
    #expect(try ToolProcess.run(["backup", "--store", store, backup]).status == 0)
    try Replica.make(from: backup, at: path, of: "machine one")
    let stream = SimulatedStream(seed: 1)
    let primary = try Primary(path: store, transport: stream)
    let erasure = try primary.database.erase(primary.database.symbols.intern(""))
    try primary.confirm(through: primary.database.end, .replicated)
    var options = Database.Options()
    (options.primaryName, options.keepsSealedLogs) = ("machine one", true)
    let copy = try Database(path: path, options: options)
    // Applies the erasure without the steps of a replica, which would compact.
    try copy.apply(
      try stream.read(from: 1, limit: 64).compactMap { try Message($0.bytes) }
        .flatMap { $0.frames() ?? [] }.filter { $0.first > copy.end },
      of: copy.epoch, after: copy.historyEnd.chain, floor: 0)
    let sequence = try #require(erasure.sequence)
    #expect(copy.end == sequence)
    #expect(try copy.mayHoldErased(through: sequence))
    try copy.close()
    let run = try ToolProcess.run(["compact", path])
    #expect(run.status == 0, "\(run.error)")
    #expect(try !Database(path: path, mode: .readOnly).mayHoldErased(through: sequence))
    #expect(try ToolProcess.run(["verify", path]).status == 0)
    let follower = try Replica(path: path, transport: stream)
    while try follower.step() != .idle {}
    #expect(try follower.database.historyEnd == primary.database.historyEnd)
    try primary.close()
  }

  @Test func `A replica that is behind says so, and commands can wait for it`() async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60])
    let (backup, replica) = (folder.store("backup"), folder.store("replica"))
    #expect(try ToolProcess.run(["backup", "--store", store, backup]).status == 0)
    try Replica.make(from: backup, at: replica, of: "one")
    _ = try await folder.makeStore(heartRates: [61, 62])
    let stream = SimulatedStream(seed: 1)
    let primary = try Primary(path: store, transport: stream)
    try primary.confirm(through: primary.database.end, .replicated)
    try primary.close()
    let last = try ToolProcess.run(["changes", store]).objects().last
    let anchor = try #require(last?["anchor"] as? String)
    for words in [["changes"], ["export", "--format", "jsonl"]] {
      let run = try ToolProcess.run(words + ["--store", replica, "--after", anchor, "--wait", "1"])
      #expect(run.status == 7)
      #expect(run.error.contains("behind; keep the anchor"), "\(run.error)")
      #expect(!run.error.contains("from the beginning"), "\(run.error)")
      #expect(run.out.isEmpty)
    }
    let waiting = Task.detached {
      try ToolProcess.run(["changes", "--store", replica, "--after", anchor, "--wait", "600"])
    }
    let follower = try Replica(path: replica, transport: stream)
    while try follower.step() != .idle {}
    let run = try await waiting.value
    #expect(run.status == 0, "\(run.error)")
    #expect(try run.objects().count == 1)
    try follower.close()
  }

  @Test func `Invalid arguments are refused before anything is opened`() throws {
    for arguments in [
      ["primary", "--store", "none", "--stream-servers", "2"],
      ["primary", "--store", "none", "--server", ""], ["promote"],
      ["primary", "--store", "none", "--copies", "1"],
      ["changes", "none", "--wait", "1"], ["cluster", "none", "--all", "map.json"],
      ["primary", "--store", "none", "--copies", "0", "-"], ["replica", "none", "--name", ""],
      ["replica", "none", "--copy", "--from", "backup"], ["replica", "none", "--stream", "HS_7"],
    ] {
      #expect(try ToolProcess.run(arguments).status == 2, "\(arguments)")
    }
    let run = try ToolProcess.run(["replica", "none"])
    #expect(run.status == 2)
    #expect(run.error.contains("There is no store at none"))
    let copy = try ToolProcess.run(["replica", "none", "--copy"])
    #expect(copy.status == 2)
    #expect(copy.error.contains("There is no store at none; name with --stream the stream"))
    #expect(try ToolProcess.run(["promote", "none"]).error.contains("none is no replica."))
  }

  @Test(arguments: [
    ("--server nats://ada:pw-31@localhost", [:], "can read the password after --server"),
    ("--user ada", [:], "are needed together"), ("--tlscert a.pem", [:], "needs its key"),
    ("--password-file absent", [:], "absent after --password-file cannot be read"),
    ("--creds a --user ada", ["NATS_PASSWORD": "pw-31"], "exclude each other"),
    ("", ["NATS_USER": "ada"], "are needed together"),
    ("", ["NATS_USER": "ada", "NATS_PASSWORD": "pw-31", "NATS_TOKEN": "pw-31"], "exclude each"),
    // Options for credentials replace the variables.
    ("--creds a", ["NATS_USER": "ada"], "without NATS"),
    ("--user ada", ["NATS_PASSWORD": "pw-31", "NATS_TOKEN": "pw-31"], "without NATS"),
    ("", ["NATS_URL": "nats://ada:pw-31@localhost"], "without NATS"),
  ])
  func `Credentials are checked and no message contains them`(
    options: String, variables: [String: String], part: String
  ) async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60])
    let run = try ToolProcess.shell("\"$tool\" cluster '\(store)' \(options)", variables)
    #expect(run.status == 2)
    #expect(run.error.contains(part), "\(run.error)")
    #expect(!run.error.contains("pw-31"), "\(run.error)")
  }

  @Test func `A doctor that names a server reports the stream`() async throws {
    let folder = try TestFolder()
    let store = try await folder.makeStore(heartRates: [60])
    let named = ["doctor", store, "--server", "nats://127.0.0.1:1"]
    #expect(try ToolProcess.run(named).out.contains("This program was built without NATS"))
    let object = try ToolProcess.run(named + ["--json"]).objects().first
    let reason = object?["clusterFailure"] as? String
    #expect(reason?.contains("This program was built without NATS") == true)
    #expect(try !ToolProcess.run(["doctor", store]).out.contains("NATS"))
  }

  @Test func `A map with a shard whose store is unknown is refused`() throws {
    let folder = try TestFolder()
    let shard = #"{"name":"north","primary":"one","slots":[[0,1023]]}"#
    let map = try folder.write("map.json", #"{"format":1,"version":1,"shards":[\#(shard)]}"#)
    let run = try ToolProcess.run(["cluster", "--all", map])
    #expect(run.status == 2)
    #expect(run.error.contains("north"), "\(run.error)")
    let broken = try folder.write("broken.json", "{}")
    #expect(try ToolProcess.run(["cluster", "--all", broken]).status == 2)
  }
}
