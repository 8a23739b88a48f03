import Foundation
import Testing

/// The README and the pages show the programs that are built and run.
@Suite struct ReadmeTests {
  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func `the README has one program for an iPhone and for Linux`() throws {
    let program = try text("Tests/PhoneProgram/main.swift")
    let readme = try text("README.md")
    #expect(readme.components(separatedBy: "```swift\n\(program)```").count == 3)
  }

  @Test func `the program of getting started is the one that is built`() throws {
    let program = try text("Tests/FirstProgram/main.swift")
    #expect(try text("Docs/getting-started.md").contains("```swift\n\(program)```"))
    #expect(program.split(separator: "\n").count < 25)
  }

  @Test func `the engine program in the page about the parts is the one that is built`() throws {
    let program = try text("Tests/EngineProgram/main.swift")
    #expect(try text("Docs/architecture.md").contains("```swift\n\(program)```"))
    #expect(program.split(separator: "\n").count < 40)
  }

  @Test func `the app in the page about testing is the one that is built and tested`() throws {
    let page = try text("Docs/testing-your-app.md")
    for file in [
      "Package.swift", "Sources/StepCounter/StepCounter.swift",
      "Tests/StepCounterTests/StepCounterTests.swift",
    ] {
      #expect(page.contains("```swift\n\(try text("Tests/ExampleApp/" + file))```"), "\(file)")
    }
  }

  @Test func `the app and the server in the page about transfers are those that are built`() throws
  {
    let page = try text("Docs/from-iphone-to-server.md")
    for file in ["TransferApp/HealthSync.swift", "TransferServer/TransferServer.swift"] {
      #expect(page.contains("```swift\n\(try text("Tests/" + file))```"), "\(file)")
    }
  }

  @Test func `the app's package takes HealthKit from this package on Linux only`() throws {
    let scratch = try folder()
    defer { withExtendedLifetime(scratch) {} }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", root.appendingPathComponent("Tests/ExampleApp").path,
      "--scratch-path", scratch.url.path, "dump-package",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let package = try JSONDecoder().decode(DumpedPackage.self, from: data)
    let products = package.targets.flatMap(\.dependencies).compactMap(\.product)
    #expect(products.compactMap(\.name) == ["HealthKit", "HealthKitTesting"])
    #expect(products.allSatisfy { $0.platforms == ["linux"] })
  }

  @Test func `the program for an iPhone runs on Linux`() throws {
    let directory = try folder()
    defer { withExtendedLifetime(directory) {} }
    #expect(try run("PhoneProgram", in: directory) == "62 count/min\n")
    #expect(try run("PhoneProgram", in: directory) == "62 count/min\n62 count/min\n")
  }

  @Test func `the first program saves, reads and follows`() throws {
    let directory = try folder()
    defer { withExtendedLifetime(directory) {} }
    #expect(
      try run("FirstProgram", in: directory) == "61 count/min\n64 count/min\n3 added, 0 deleted\n")
  }

  @Test func `the engine program commits, selects, follows, resumes and compacts`() throws {
    let directory = try folder()
    defer { withExtendedLifetime(directory) {} }
    let output = """
      selected 61.0
      selected 64.0
      sample 62.0
      sample 64.0
      sample 61.0
      notified
      deletion 61.0
      dropped 1

      """
    #expect(try run("EngineProgram", in: directory) == output)
    // Its subscription resumes after the records that the first run acknowledged.
    #expect(try run("EngineProgram", in: directory) == output)
  }

  private func folder() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    return directory
  }

  private func run(_ program: String, in directory: TemporaryDirectory) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent(program)
    process.currentDirectoryURL = directory.url
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["HEALTHSTORE_PATH": "health"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text
  }
}

/// The parts of a manifest, as SwiftPM dumps it, that the test compares.
private struct DumpedPackage: Decodable {
  struct Target: Decodable { var dependencies: [Dependency] }

  struct Dependency: Decodable { var product: Product? }

  /// An array of a name, a package, aliases and a condition.
  struct Product: Decodable {
    var name: String?
    var platforms: [String]?

    private struct Condition: Decodable { var platformNames: [String] }

    init(from decoder: any Decoder) throws {
      var fields = try decoder.unkeyedContainer()
      name = try fields.decode(String?.self)
      _ = try fields.decode(String?.self)
      _ = try fields.decode([String: String]?.self)
      platforms = try fields.decode(Condition?.self)?.platformNames
    }
  }

  var targets: [Target]
}
