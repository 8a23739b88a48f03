import Testing

@Suite struct FolderRuleTests {
  /// Checks a file of one folder while another folder declares a type named `Upper`.
  private func found(
    _ text: String, in folder: String = "Codec", above: String = "Segment",
    declaration: String = "public final class Upper {}", module: String = "SampleLog"
  ) -> [String] {
    TidyRule.folderOrder([
      SourceFile("Sources/\(module)/\(folder)/A.swift", text + "\n"),
      SourceFile("Sources/\(module)/\(above)/B.swift", declaration + "\n"),
    ]).map(\.description)
  }

  @Test(arguments: [
    "let a = Upper()", "func a(_ upper: [Upper]) {}", "let a = Upper.count", "extension Upper {}",
    "let a = \"\\(Upper.self)\"", "let a = \"\\(b[\"c\"]) \\(Upper.self)\"", "  a(0..<Upper.most)",
    "let a = \"//\"; Upper()", "/* b */ Upper()", "let a = #\"\"\"#; Upper()",
  ])
  func `A reference to a type of a higher folder is reported`(code: String) {
    #expect(
      found("let b = 1\n" + code) == ["Sources/SampleLog/Codec/A.swift:2: names Upper of Segment"])
  }

  @Test(arguments: [
    "struct Upper {}", "  public enum Upper: Error {", "@frozen public struct Upper<Part> {",
    "protocol Upper: Sendable {", "package typealias Upper = Int", "indirect enum Upper {",
    "actor Upper {}", "@unchecked\nfinal class Upper {",
  ])
  func `A declaration is recognised at the start of a line`(declaration: String) {
    let isInside = declaration.hasPrefix(" ")
    #expect(found("Upper()", declaration: declaration).isEmpty == isInside)
  }

  @Test(arguments: [
    "// Upper", "/// An `Upper`.", "/* Upper /* b */ Upper */", "let a = \"Upper\"",
    "let a = \"\"\"\n  \"Upper\" \\\"\"\" Upper\n  \"\"\"", "let a = #\"\\(Upper)\" Upper\"#",
    "let a = \"\\\"Upper\"", "let a = Database.Upper()", "let a: Uppermost", "let upper = anUpper",
    "let a = \"\\\\ Upper\"",
  ])
  func `Text that only resembles the name of a type is accepted`(code: String) {
    #expect(found(code).isEmpty)
  }

  @Test func `Code after a literal or a comment is checked`() {
    let text = #"""
      let a = "\(b("c"))" // Upper
      /* Upper
      */ let c = """
        Upper
        """
      Upper()
      """#
    #expect(found(text) == ["Sources/SampleLog/Codec/A.swift:6: names Upper of Segment"])
  }

  @Test func `A type of the same folder, a lower one or the same row is accepted`() {
    #expect(found("Upper()", in: "Segment").isEmpty)
    #expect(found("Upper()", in: "Database").isEmpty)
    #expect(found("Upper()", in: "Snapshot", above: "Database").isEmpty)
    #expect(found("Upper()", in: "Maintenance", above: "Database").isEmpty)
    #expect(found("Upper()", in: "Database", above: "Maintenance").count == 1)
  }

  @Test(arguments: [("Samples", "Rows"), ("Queries", "HealthStores"), ("Transfer", "Errors")])
  func `The folders of HealthStore are ordered independently`(upper: String, lower: String) {
    let module = "HealthStore"
    #expect(
      found("Upper()", in: lower, above: upper, module: module)
        == ["Sources/HealthStore/\(lower)/A.swift:1: names Upper of \(upper)"])
    #expect(found("Upper()", in: upper, above: lower, module: module).isEmpty)
    #expect(found("Upper()", in: upper, above: upper, module: module).isEmpty)
    #expect(TidyRule.folderOrder([SourceFile("Sources/HealthStore/A.swift", "")]).count == 1)
  }

  @Test func `A type of another module is accepted`() {
    let user = SourceFile("Sources/HealthStore/Errors/A.swift", "Upper()\n")
    let upper = SourceFile("Sources/SampleLog/Maintenance/B.swift", "struct Upper {}\n")
    #expect(TidyRule.folderOrder([user, upper]).isEmpty)
  }

  @Test func `A type that a lower folder also declares is accepted`() {
    #expect(found("typealias Upper = Int\nlet a: Upper = 1").isEmpty)
    let files = ["Row", "Segment"].map {
      SourceFile("Sources/SampleLog/\($0)/B.swift", "struct Upper {}\n")
    }
    let user = SourceFile("Sources/SampleLog/Codec/A.swift", "Upper()\n")
    #expect(TidyRule.folderOrder([user] + files).isEmpty)
    #expect(TidyRule.folderOrder(files.reversed() + [user]).isEmpty)
  }

  @Test(arguments: ["private struct Upper {}", "fileprivate class Upper {}"])
  func `A type that is invisible to other files is ignored`(declaration: String) {
    #expect(found("struct A { struct Upper {} }", declaration: declaration).isEmpty)
  }

  @Test func `Files outside the layered modules may name any type`() {
    let files = ["Sources/HealthKit/Samples/A.swift", "Tests/SampleLogTests/Codec/A.swift"].map {
      SourceFile($0, "Upper()\n")
    }
    let upper = SourceFile("Sources/SampleLog/Segment/B.swift", "struct Upper {}\n")
    #expect(TidyRule.folderOrder(files + [upper]).isEmpty)
  }

  @Test func `A file of the engine outside the folder order is reported`() {
    #expect(found("let a = 1", in: "Extras").count == 1)
    #expect(TidyRule.folderOrder([SourceFile("Sources/SampleLog/A.swift", "")]).count == 1)
  }
}
