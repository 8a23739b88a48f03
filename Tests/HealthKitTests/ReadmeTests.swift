import Foundation
import Testing

/// What the README shows is what runs.
@Suite struct ReadmeTests {
  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the first program in the README is the one that is built`() throws {
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let program = try String(
      contentsOf: root.appendingPathComponent("Tests/FirstProgram/main.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)```"))
    #expect(program.split(separator: "\n").count < 25)
  }

  @Test func `the first program saves, reads and follows`() throws {
    let directory = TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("FirstProgram")
    process.currentDirectoryURL = directory.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text == "61 count/min\n64 count/min\n3 added, 0 deleted\n")
  }
}
