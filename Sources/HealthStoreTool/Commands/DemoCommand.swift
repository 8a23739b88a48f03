import Foundation
import HealthStore

/// `healthstore demo`: runs a demonstration of the store.
struct DemoCommand: Command {
  static let usage = CommandUsage(
    name: "demo", summary: "Demonstrates the store in a temporary directory.",
    options: [
      .init(
        name: "--export", value: "PATH",
        help: "An Apple Health export (.xml, folder or .zip); default: a month of generated data.")
    ])

  private let export: String?

  init(_ arguments: ParsedArguments) { export = arguments["--export"] }

  func run(_ console: Console) async throws -> ExitStatus {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("healthstore-demo-" + UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    var demo = try Demo(console, directory)
    try demo.begin()
    if let export {
      try await demo.fill(fromExport: export)
    } else {
      try await demo.fillWithMonth()
    }
    try await demo.showTypes()
    try await demo.showLatest()
    try await demo.showWeekOfSteps()
    try await demo.showLiveUpdates()
    try await demo.showReopening()
    try await demo.showCompaction()
    try await demo.end()
    return .good
  }
}
