import Foundation
import HealthStore
import Testing

/// What the program tells its caller: nothing that failed may end with status 0.
@Suite struct StatusTests {
  private static let full = "/dev/full"

  /// One run of every command that succeeds when its output can be written; STORE is a store,
  /// EXPORT an export, BACKUP a backup and NEW a directory that does not exist.
  static let commands: [[String]] = [
    ["--help"], ["--version"], ["stats", "--help"],
    ["import", "EXPORT", "--store", "NEW"],
    ["export", "NEW", "--store", "STORE", "--format", "apple"],
    ["export", "--store", "STORE", "--format", "csv"],
    ["export", "--store", "STORE", "--format", "jsonl"],
    ["export", "--store", "STORE", "--format", "sql"],
    ["export", "--store", "STORE", "--format", "influx"],
    ["export", "--store", "STORE", "--format", "fhir"],
    ["ingest", "SAMPLES", "--store", "NEW"],
    ["query", "--store", "STORE", "--type", "heartRate"],
    ["query", "--store", "STORE", "--type", "heartRate", "--latest", "--format", "json"],
    ["query", "--store", "STORE", "--type", "bodyMass", "--format", "csv"],
    ["changes", "--store", "STORE"], ["changes", "--store", "STORE", "--follow"],
    ["changes", "--store", "STORE", "--format", "table"],
    ["delete", "STORE", "--all-types", "--dry-run"],
    ["delete", "STORE", "--all-types", "--yes", "--json"],
    ["aggregate", "--store", "STORE", "--type", "heartRate"], ["sources", "STORE"],
    ["doctor", "STORE"],
    ["stats", "STORE"], ["stats", "STORE", "--json"], ["subjects", "STORE"],
    ["subjects", "--store", "STORE", "--format", "json"],
    ["erase", "STORE", "--subject", "", "--yes"],
    ["erase", "STORE", "--subject", "", "--dry-run", "--json"],
    ["expire", "STORE", "--all-types", "--older-than", "1000w", "--dry-run"],
    ["expire", "STORE", "--all-types", "--older-than", "1000w", "--json"],
    ["compact", "STORE"], ["compact", "STORE", "--dry-run"], ["verify", "STORE"],
    ["backup", "--store", "STORE", "NEW"],
    ["backup", "--store", "STORE", "NEW", "--json"], ["restore", "BACKUP", "--store", "NEW"],
    ["repair", "--store", "STORE", "NEW"], ["torture", "NEW", "--rounds", "1"], ["demo"],
  ]

  @Test(arguments: commands)
  func `Output that the device has no room for ends every command with status 3`(
    arguments: [String]
  ) async throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run(try await Self.fill(arguments, folder), device: Self.full)
    #expect(run.status == 3)
    #expect(run.error.contains("healthstore: The output cannot be written: No space left"))
  }

  @Test func `Output closed from the start is an error, and no file of the store takes its place`()
    async throws
  {
    let folder = try TestFolder()
    for arguments in Self.commands where arguments.first != "demo" {
      let folder = try TestFolder()
      let words = try await Self.fill(arguments, folder).map { "'\($0)'" }.joined(separator: " ")
      let run = try ToolProcess.shell("\"$tool\" \(words) >&-")
      #expect(run.status == 3, "\(arguments)")
      #expect(run.error.contains("The output cannot be written: Bad file descriptor"))
    }
    let path = try await folder.makeStore(heartRates: [60, 61])
    #expect(try ToolProcess.shell("\"$tool\" compact '\(path)' <&- >&- 2>&-").status == 3)
    #expect(try ToolProcess.run(["verify", path]).status == 0)
  }

  @Test func `A limit on the size of files ends long output with status 3 and not with a signal`()
    async throws
  {
    // Its shadow of what is mapped is a file to the kernel.
    guard dlsym(nil, "__tsan_init") == nil else {
      return print("a limit on the size of files skipped: the thread sanitizer needs a large file")
    }
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [Double](repeating: 60, count: 5000))
    let run = try ToolProcess.shell(
      "ulimit -f 16; \"$tool\" query --store '\(path)' --type heartRate > '\(folder.path)/out'")
    #expect(run.status == 3)
    #expect(run.error.contains("The output cannot be written: File too large"))
  }

  @Test func `A note that cannot be shown does not hide that the output was lost`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    // The title of the table is lost when the note flushes it.
    let run = try ToolProcess.shell(
      "\"$tool\" query --store '\(path)' --type bodyMass >/dev/full 2>/dev/full")
    #expect(run.status == 3)
  }

  @Test func `A closed pipe is silent, and the work's own status stays`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    // The reader has ended before the program starts.
    let pipe = "exec 3> >(true); wait $!; \"$tool\""
    let exports = ["csv", "jsonl", "sql", "influx", "fhir"].map { "export --format \($0) --store" }
    for command in ["query --type heartRate --store", "stats", "verify", "changes --store"]
      + exports
    {
      let run = try ToolProcess.shell("\(pipe) \(command) '\(path)' >&3")
      #expect(run.status == 0, "\(command)")
      #expect(run.error.isEmpty)
    }
    try await Self.damage(path)
    #expect(try ToolProcess.shell("\(pipe) verify '\(path)' >&3").status == 5)
  }

  @Test(
    arguments: [
      ["verify", "STORE"], ["query", "--store", "STORE", "--type", "heartRate"],
      ["aggregate", "--store", "STORE", "--type", "heartRate"], ["sources", "STORE"],
      ["doctor", "STORE"], ["changes", "--store", "STORE"], ["compact", "STORE"],
      ["backup", "--store", "STORE", "NEW"],
      ["backup", "--store", "STORE", "NEW", "--json"],
      ["backup", "--store", "STORE", "NEW", "--copy"],
      ["restore", "STORE", "--store", "NEW"], ["repair", "--store", "STORE", "NEW"],
      ["export", "NEW", "--store", "STORE", "--format", "apple"],
      ["export", "--store", "STORE", "--format", "csv"],
      ["export", "--store", "STORE", "--format", "sql"],
    ])
  func `Every command that meets damage says so on standard error and ends with status 5`(
    arguments: [String]
  ) async throws {
    let folder = try TestFolder()
    let words = try await Self.fill(arguments, folder)
    try await Self.damage(folder.store())
    let run = try ToolProcess.run(words)
    #expect(run.status == 5)
    #expect(run.error.hasPrefix("healthstore: "))
    #expect(run.error.contains("damaged"))
  }

  @Test func `A backup of a damaged store is made, and the damage is named`() async throws {
    let folder = try TestFolder()
    let words = try await Self.fill(["backup", "--store", "STORE", "NEW"], folder)
    // One byte of a block, which opening does not look at.
    let name = try await Self.damage(folder.store(), byteCount: 1)
    let run = try ToolProcess.run(words)
    #expect(run.out.hasPrefix("backup up to sequence number 200"))
    #expect(run.error.contains("\(name) is damaged at byte "))
    #expect(try ToolProcess.run(["verify", folder.store("new")]).status == 5)
    let unread = try ToolProcess.run(
      ["backup", "--store", folder.store(), folder.store("unread"), "--unchecked"])
    #expect(unread.status == 0)
  }

  @Test func `The help lists every status`() throws {
    let help = try ToolProcess.run(["--help"]).out
    for status in 0...6 { #expect(help.contains("\n  \(status)  ")) }
  }

  /// The arguments with their placeholders replaced by what is made for them.
  static func fill(_ arguments: [String], _ folder: TestFolder) async throws -> [String] {
    var words = arguments
    for (index, word) in arguments.enumerated() {
      switch word {
      case "STORE", "BACKUP":
        let path = try await folder.makeStore(heartRates: (0..<200).map { Double(50 + $0 % 40) })
        #expect(try ToolProcess.run(["compact", path]).status == 0)
        words[index] = path
        if word == "BACKUP" {
          words[index] = folder.store("backup")
          #expect(try ToolProcess.run(["backup", "--store", path, words[index]]).status == 0)
        }
      case "EXPORT": words[index] = try folder.write("export.xml", exportText)
      case "SAMPLES":
        words[index] = try folder.write(
          "samples.csv", "uuid,type,start,value,unit\n\(UUID()),bodyMass,2024-03-01,70,kg\n")
      case "NEW": words[index] = folder.store("new")
      default: break
      }
    }
    return words
  }

  /// Makes the middle of a store's first segment wrong; returns the file's name.
  @discardableResult
  static func damage(_ path: String, byteCount: Int? = nil) async throws -> String {
    var names = try FileManager.default.contentsOfDirectory(atPath: path)
    if !names.contains(where: { $0.hasSuffix(".segment") }) {
      #expect(try ToolProcess.run(["compact", path]).status == 0)
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    }
    let name = try #require(names.first { $0.hasSuffix(".segment") })
    let file = URL(fileURLWithPath: path + "/" + name)
    var bytes = try [UInt8](Data(contentsOf: file))
    let start = bytes.count / 4
    for index in start..<start + (byteCount ?? bytes.count / 2) { bytes[index] ^= 0x55 }
    try Data(bytes).write(to: file)
    return name
  }
}
