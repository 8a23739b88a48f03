import Testing

@Suite struct ImportRuleTests {
  @Test(
    arguments: [
      "import Glibc", "  import Glibc", "public import Glibc", "@_exported public import Glibc",
      "@preconcurrency import Glibc", "import struct Glibc.stat", "import Glibc.C",
      "import Glibc // for stat", "import Glibc;",
    ]
  )
  func `An import is recognised in every spelling`(line: String) {
    let imports = TidyRule.imports(of: SourceFile("A.swift", "\n\(line)\n"))
    #expect(imports.map(\.module) == ["Glibc"])
    #expect(imports.map(\.line) == [2])
  }

  @Test(
    arguments: ["// import Glibc", "let text = \"import Glibc\"", "#if canImport(Glibc)"]
  )
  func `A line that only mentions an import is ignored`(line: String) {
    #expect(TidyRule.imports(of: SourceFile("A.swift", line)).isEmpty)
  }

  @Test(
    arguments: ["Glibc", "Musl", "Darwin", "CPlatform"]
  )
  func `A platform import outside its folder is reported`(module: String) {
    let text = "import \(module)\n"
    for path in ["Sources/SampleLog/Log/A.swift", "Sources/HealthStore/A.swift", "Tests/A.swift"] {
      #expect(TidyRule.platformImports.check(SourceFile(path, text)).count == 1)
    }
    let home = SourceFile("Sources/SampleLog/Platform/A.swift", text)
    #expect(TidyRule.platformImports.check(home).isEmpty)
  }

  @Test func `Foundation is reported in the engine; its essentials and other targets are accepted`()
  {
    let path = "Sources/SampleLog/A.swift"
    let rule = TidyRule.foundationImports
    for module in ["Foundation", "FoundationXML", "FoundationInternationalization"] {
      #expect(rule.check(SourceFile(path, "public import \(module)\n")).count == 1)
    }
    #expect(rule.check(SourceFile(path, "import FoundationEssentials\n")).isEmpty)
    #expect(rule.check(SourceFile("Sources/HealthStore/A.swift", "import Foundation\n")).isEmpty)
  }

  @Test(
    arguments: [
      ("SampleLog", "HealthStore"), ("HealthStore", "HealthKit"),
      ("HealthStore", "AppleHealthExport"), ("AppleHealthExport", "HealthKit"),
      ("HealthKit", "SampleLog"), ("HealthStore", "CLZ4"), ("HealthStore", "HealthStoreTool"),
      ("HealthStoreTool", "SampleLogSimulation"),
    ]
  )
  func `An import that points up or sideways is reported`(target: String, module: String) {
    let file = SourceFile("Sources/\(target)/Folder/A.swift", "import \(module)\n")
    let found = TidyRule.importDirection.check(file).map(\.problem)
    #expect(found == ["\(target) imports \(module)"])
  }

  @Test(
    arguments: [
      ("SampleLog", "CLZ4"), ("HealthStore", "SampleLog"), ("HealthKit", "HealthStore"),
      ("HealthStoreTool", "AppleHealthExport"), ("HealthStore", "Foundation"),
    ]
  )
  func `An import that points down is accepted`(target: String, module: String) {
    let file = SourceFile("Sources/\(target)/A.swift", "import \(module)\n")
    #expect(TidyRule.importDirection.check(file).isEmpty)
  }

  @Test func `A target outside the layers is reported`() {
    let file = SourceFile("Sources/Extras/A.swift", "let a = 1\n")
    #expect(TidyRule.importDirection.check(file).count == 1)
  }
}
