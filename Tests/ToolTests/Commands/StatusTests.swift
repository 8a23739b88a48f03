import Foundation
import HealthStore
import SampleLog
import Testing

@testable import HealthStoreTool

/// Exit statuses: a failed command never ends with status 0.
@Suite struct StatusTests {
  private static let full = "/dev/full"

  @Test func `Every command is in the table`() {
    let named = Set((StatusRow.all + StatusRow.others + StatusRow.replication).map(\.name))
    #expect(Set(Tool.commands.map { $0.usage.name }).isSubset(of: named))
  }

  @Test func `Every command succeeds with status 0`() async throws {
    for row in StatusRow.all {
      let folder = try TestFolder()
      let run = try ToolProcess.run(try await Self.fill(row.words, folder))
      #expect(run.status == 0, "\(row): \(run.error)")
    }
  }

  @Test func `A wrong option ends every command with status 2 before it starts`()
    async throws
  {
    for row in StatusRow.all + StatusRow.others + StatusRow.replication
    where !row.name.hasPrefix("--") {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder) + ["--nonsense"]
      // Options after --help are ignored.
      guard !words.contains("--help") else { continue }
      let before = try folder.names()
      let run = try ToolProcess.run(words)
      #expect(run.status == 2, "\(row)")
      #expect(run.error.contains("--nonsense"), "\(row): \(run.error)")
      #expect(try folder.names() == before, "\(row)")
    }
  }

  @Test func `Without a store, commands end with status 2 or make one`() async throws {
    for row in StatusRow.all {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder)
      try FileManager.default.removeItem(atPath: folder.store())
      let run = try ToolProcess.run(words)
      #expect(run.status == row.missing, "\(row): \(run.error)")
      if row.missing == 2 {
        #expect(run.error.hasPrefix("healthstore: There is no store at "), "\(row)")
        #expect(!FileManager.default.fileExists(atPath: folder.store()), "\(row)")
      }
    }
  }

  @Test func `While another program writes, reads succeed and writes end with status 2`()
    async throws
  {
    for row in StatusRow.all {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder)
      let writer = try Database(path: folder.store())
      let run = try ToolProcess.run(words)
      try writer.close()
      #expect(run.status == row.writer, "\(row): \(run.error)")
      if row.writer == 2 { #expect(run.error.contains("is open for writing in "), "\(row)") }
    }
  }

  @Test func `In a read-only directory, writes end with status 2`() async throws {
    let mount = "mount --bind \"$store\" \"$store\" && mount -o remount,bind,ro \"$store\""
    let probe = try TestFolder()
    let able = try ToolProcess.shell("unshare -m bash -c '\(mount)'", ["store": probe.path])
    guard able.status == 0 else {
      return print("read-only directories skipped: mounting one needs root: \(able.error)")
    }
    for row in StatusRow.all {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder).map { "'\($0)'" }.joined(separator: " ")
      let run = try ToolProcess.shell(
        "unshare -m bash -c '\(mount) && exec \"$@\"' - \"$tool\" \(words)",
        ["store": folder.store()])
      #expect(run.status == row.readOnly, "\(row): \(run.error)")
      if row.readOnly == 2 { #expect(run.error.contains("Read-only file system"), "\(row)") }
    }
  }

  @Test(arguments: StatusRow.all + StatusRow.others)
  func `Output to a full device ends every command with status 3`(
    row: StatusRow
  ) async throws {
    let folder = try TestFolder()
    let run = try ToolProcess.run(try await Self.fill(row.words, folder), device: Self.full)
    #expect(run.status == 3)
    #expect(run.error.contains("healthstore: The output cannot be written: No space left"))
  }

  @Test func `Closed output is an error, and no file of the store takes its descriptor`()
    async throws
  {
    let folder = try TestFolder()
    for row in StatusRow.all + StatusRow.others where row.name != "demo" {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder).map { "'\($0)'" }.joined(separator: " ")
      let run = try ToolProcess.shell("\"$tool\" \(words) >&-")
      #expect(run.status == 3, "\(row)")
      #expect(run.error.contains("The output cannot be written: Bad file descriptor"))
    }
    let path = try await folder.makeStore(heartRates: [60, 61])
    #expect(try ToolProcess.shell("\"$tool\" compact '\(path)' <&- >&- 2>&-").status == 3)
    #expect(try ToolProcess.run(["verify", path]).status == 0)
  }

  @Test func `A limit on the size of files ends long output with status 3 and not with a signal`()
    async throws
  {
    // The limit also applies to the shadow memory file of the thread sanitizer.
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

  @Test func `A failed note does not hide that output was lost`() async throws {
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    // The note flushes the table's title, which is lost.
    let run = try ToolProcess.shell(
      "\"$tool\" query --store '\(path)' --type bodyMass >/dev/full 2>/dev/full")
    #expect(run.status == 3)
  }

  @Test func `A closed pipe is silent and keeps the command's own status`() async throws {
    // The reader has ended before the program starts.
    let pipe = "exec 3> >(true); wait $!; \"$tool\""
    for row in StatusRow.all + StatusRow.others where row.name != "demo" {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder).map { "'\($0)'" }.joined(separator: " ")
      let run = try ToolProcess.shell("\(pipe) \(words) >&3")
      #expect(run.status == 0, "\(row): \(run.error)")
    }
    let folder = try TestFolder()
    let path = try await folder.makeStore(heartRates: [60])
    #expect(
      try ToolProcess.shell("\(pipe) query --type heartRate --store '\(path)' >&3").error == "")
    try await Self.damage(path)
    #expect(try ToolProcess.shell("\(pipe) verify '\(path)' >&3").status == 5)
  }

  @Test(arguments: StatusRow.all)
  func `Every command reports damage on standard error and ends with status 5`(
    row: StatusRow
  ) async throws {
    // Damage that opening detects, then damage inside a block.
    let block = row.readsNoIdentifiers ? Damage.block : .values
    for (damage, status) in [(Damage.segment, 5), (block, row.block)] {
      let folder = try TestFolder()
      let words = try await Self.fill(row.words, folder)
      try await Self.damage(folder.store(), damage)
      let run = try ToolProcess.run(words)
      #expect(run.status == status, "\(run.error)")
      if status == 5 {
        #expect(run.error.hasPrefix("healthstore: "))
        #expect(run.error.contains("damaged"))
      }
    }
  }

  @Test func `Adding a sample reports damage in the identifiers that it is compared with`()
    async throws
  {
    let folder = try TestFolder()
    let lines = (0..<200).map { "\(UUID()),bodyMass,2024-03-01,\(60 + $0 % 40),kg\n" }
    let file = try folder.write(
      "samples.csv", "uuid,type,start,value,unit\n" + lines.joined())
    let ingest = ["ingest", file, "--store", folder.store()]
    #expect(try ToolProcess.run(ingest).status == 0)
    #expect(try ToolProcess.run(["compact", folder.store()]).status == 0)
    #expect(try ToolProcess.run(ingest).status == 0)
    try await Self.damage(folder.store(), .block)
    let run = try ToolProcess.run(ingest)
    #expect(run.status == 5)
    #expect(run.error.contains("damaged"), "\(run.error)")
  }

  @Test func `A damaged store is backed up, and the damage is reported`() async throws {
    let folder = try TestFolder()
    let words = try await Self.fill(["backup", "--store", "STORE", "NEW"], folder)
    // Opening does not read the damaged bytes of the block.
    let name = try await Self.damage(folder.store(), .block)
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
    for status in 0...10 { #expect(help.contains("\n  \(status)  ")) }
  }

  /// Replaces the placeholders of the arguments by new stores and files.
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
      case "EXPORT": words[index] = try folder.write("export.xml", soundExportText)
      case "SAMPLES":
        words[index] = try folder.write(
          "samples.csv", "uuid,type,start,value,unit\n\(UUID()),bodyMass,2024-03-01,70,kg\n")
      case "NEW": words[index] = folder.store("new")
      case "PAGE": words[index] = folder.store("page.html")
      default: break
      }
    }
    return words
  }

  /// The bytes of a segment to damage.
  enum Damage {
    /// The middle of the file, which opening reads.
    case segment
    /// One byte of the first block's values, and one of its identifiers.
    case block
    /// One byte of the first block's values.
    case values
  }

  /// Damages a store's first segment.
  ///
  /// Returns the file's name.
  @discardableResult
  static func damage(_ path: String, _ damage: Damage = .segment) async throws -> String {
    var names = try FileManager.default.contentsOfDirectory(atPath: path)
    if !names.contains(where: { $0.hasSuffix(".segment") }) {
      #expect(try ToolProcess.run(["compact", path]).status == 0)
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    }
    let name = try #require(names.first { $0.hasSuffix(".segment") })
    let file = URL(fileURLWithPath: path + "/" + name)
    var bytes = try [UInt8](Data(contentsOf: file))
    let quarter = bytes.count / 4
    let indexes =
      switch damage {
      case .segment: Array(quarter..<3 * quarter)
      case .block: [100, quarter]
      case .values: [100]
      }
    for index in indexes { bytes[index] ^= 0x55 }
    try Data(bytes).write(to: file)
    return name
  }
}
