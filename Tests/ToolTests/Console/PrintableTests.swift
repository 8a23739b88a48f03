import Foundation
import HealthStore
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStoreTool

/// Names with special characters of terminals, pages, spreadsheets or parsers.
@Suite struct PrintableTests {
  /// Names with one special character of each kind, some followed by combining marks, which make
  /// the pair compare as another character.
  static let odd: [String] = [
    "\u{1B}[31mred", "a\u{202E}b", "a\u{2028}b\u{2029}c", "\u{2066}x\u{2069}", "\u{200E}\u{200F}",
    "a\u{85}b", "tab\tb", "a\r\nb", "\0nul", "zero\u{200B}width\u{FEFF}", "tag\u{E0041}",
    "quote\"\u{301}, '\u{301};", "comma,\u{301} = \u{301}", "back\\\u{301}slash\\",
    "\u{FFFE}\u{FFFF}",
    "=1+1", "+1", "-1", "@sum", "\t=1", "\r=1", "＝1", "plain ü 👩‍👩‍👧 می‌خواهم",
  ]

  /// Whether a text has no control characters of a terminal.
  static func isQuiet(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isUnprintable }
  }

  @Test func `Control characters are escaped, and visible ones are kept`() {
    #expect("\u{1B}[1m\u{7F}".printable == "\\u{1b}[1m\\u{7f}")
    #expect("a\u{202E}b\u{2028}".printable == "a\\u{202e}b\\u{2028}")
    #expect("a\u{200B}\u{E0041}\u{FFFF}".printable == "a\\u{200b}\\u{e0041}\\u{ffff}")
    // Joiners are parts of words and of emoji.
    let shown = "é ü 👩‍👩‍👧 می‌خواهم עברית"
    #expect(shown.printable == shown)
    #expect("a\nb\r\n".printableLines == "a\nb\\u{d}\n")
    for name in Self.odd { #expect(Self.isQuiet(name.printable) && !name.printable.contains("\n")) }
  }

  @Test func `A terminal receives no control character in any format`() throws {
    let written = Locked<[UInt8]>([])
    let terminal = Output(isTerminal: true) { bytes in written.withLock { $0 += bytes } }
    let console = Console(out: terminal, error: terminal)
    for name in Self.odd {
      try console.report([name])
      try console.report(text: OutputFormat.csv([name]) + "\n")
      console.note(name)
      console.say(name)
      try terminal.line(name)
      try terminal.write(bytes: Array(name.utf8))
    }
    try terminal.flush()
    let text = String(decoding: written.withLock { $0 }, as: UTF8.self)
    #expect(Self.isQuiet(text))
    #expect(text.contains("👩‍👩‍👧"))
  }

  @Test(arguments: odd)
  func `JSON has the same text without control characters`(name: String) throws {
    var object = JSONObject()
    object.add("name", name)
    #expect(Self.isQuiet(object.text) && !object.text.contains("\n"))
    guard case .object(let members) = try JSONValue(Array(object.text.utf8)) else {
      Issue.record("the text is not a JSON object")
      return
    }
    #expect(members["name"] == .text(name))
  }

  @Test func `Formulas are marked only for spreadsheets`() {
    for name in ["=1+1", "+1", "-1", "@sum", "＝1"] {
      #expect(OutputFormat.csv([name]) == name)
      #expect(OutputFormat.csv([name], forSpreadsheet: true) == "'" + name)
    }
    #expect(OutputFormat.csv(["\t=1"], forSpreadsheet: true) == "\"'\t=1\"")
    #expect(OutputFormat.csv(["\r=1"], forSpreadsheet: true) == "\"'\r=1\"")
    #expect(OutputFormat.csv(["a;=1"], forSpreadsheet: true) == "\"a;=1\"")
    #expect(OutputFormat.csv(["a=1", "1"], forSpreadsheet: true) == "a=1,1")
  }

  /// Makes a store with a sample of each odd name as its source, device and subject.
  private func makeStore(_ folder: TestFolder) async throws -> String {
    let path = folder.store()
    for name in Self.odd {
      var object = JSONObject()
      object.add("uuid", UUID().uuidString)
      for (key, value) in [
        ("type", "bodyMass"), ("start", "2024-02-01T08:00:00Z"), ("unit", "kg"),
        ("source", name), ("bundleIdentifier", name.replacing { $0 == "\0" ? "" : nil }),
        ("subject", name),
      ] {
        object.add(key, value)
      }
      object.add("value", 70)
      var device = JSONObject()
      device.add("name", name)
      object.add("device", device)
      let run = try ToolProcess.run(
        ["ingest", "-", "--store", path, "--format", "jsonl"], input: object.text + "\n")
      #expect(run.status == 0, "\(run.error)")
    }
    return path
  }

  @Test func `Every command escapes odd names, and CSV and SQL print them exactly`()
    async throws
  {
    let folder = try TestFolder()
    let path = try await makeStore(folder)
    for arguments in [
      ["query", "--store", path, "--all-types", "--all-subjects"],
      ["query", "--store", path, "--all-types", "--all-subjects", "--format", "json"],
      ["changes", "--store", path, "--format", "table"], ["changes", "--store", path],
      ["sources", path], ["subjects", path], ["stats", path], ["doctor", path],
      ["delete", "--store", path, "--all-types", "--all-subjects", "--dry-run"],
      ["query", "--store", path, "--type", "bodyMass"], ["verify", path + "\u{1B}[2J"],
    ] {
      let run = try ToolProcess.run(arguments)
      #expect(Self.isQuiet(run.out), "\(arguments): \(run.out)")
      #expect(Self.isQuiet(run.error), "\(arguments): \(run.error)")
    }
    for name in Trials.first(12, of: Self.odd) where !name.unicodeScalars.contains("\0") {
      for arguments in [
        ["erase", path, "--dry-run", "--subject", name],
        ["aggregate", "--store", path, "--type", "bodyMass", "--subject", name, "--by", "source"],
        ["aggregate", "--store", path, "--type", "bodyMass", "--subject", name, "--plot"],
        ["report", "--store", path, "-", "--subject", name],
        ["query", "--store", path, "--type", name],
        [name], ["query", name],
      ] {
        let run = try ToolProcess.run(arguments)
        #expect(Self.isQuiet(run.out), "\(arguments): \(run.out)")
        #expect(Self.isQuiet(run.error), "\(arguments): \(run.error)")
      }
    }
    // Python parses the CSV and finds the saved names.
    let script = """
      import csv, json, subprocess, sys
      run = lambda *more: subprocess.run([sys.argv[1], 'export', '--store', sys.argv[2],
        '--all-subjects', '--format', 'csv', *more], capture_output=True).stdout.decode()
      import io
      rows = list(csv.DictReader(io.StringIO(run(), newline='')))
      print(json.dumps(sorted(r['source'] for r in rows)))
      safe = list(csv.reader(io.StringIO(run('--spreadsheet'), newline='')))
      texts = [c for r in safe[1:] for i, c in enumerate(r) if safe[0][i] != 'value']
      print(all(not c or c[0] not in '=+-@\\t\\r\\n＝' for c in texts))
      """
    let file = try folder.write("read.py", script)
    let run = try ToolProcess.shell(
      "python3 \"$file\" \"$tool\" \"$store\"", ["file": file, "store": path])
    #expect(run.status == 0, "\(run.error)")
    let read = try JSONDecoder().decode([String].self, from: Data(run.lines[0].utf8))
    #expect(
      Set(read.map { Array($0.unicodeScalars) }) == Set(Self.odd.map { Array($0.unicodeScalars) }))
    #expect(run.lines[1] == "True")
    let sources = try ToolProcess.ask(
      "SELECT json_group_array(hex(source)) FROM sample", ofExport: path)
    let bytes = try JSONDecoder().decode([String].self, from: Data(sources[0].utf8))
    let expected = Self.odd.map { name in
      name.replacing { $0 == "\0" ? "\u{FFFD}" : nil }.utf8
        .map { String(format: "%02X", $0) }.joined()
    }
    #expect(Set(bytes) == Set(expected))
  }

  @Test func `Only CSV accepts the spreadsheet option`() throws {
    let folder = try TestFolder()
    let path = try folder.makeStore(ofCase: "rings")
    let run = try ToolProcess.run(
      ["query", "--store", path, "--type", "bodyMass", "--format", "json", "--spreadsheet"])
    #expect(run.status == 2)
    #expect(run.error.contains("--format csv only"))
  }
}
