import Foundation
import HealthStore
import Testing
import TransferApp

@testable import HealthTransfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app and the server of Docs/from-iphone-to-server.md, over HTTP.
@Suite struct ExampleTests {
  /// The example server in a process of its own.
  private final class Server {
    private let process = Process()
    let url: URL

    init(_ directory: URL) throws {
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("TransferServer")
      process.arguments = [directory.path, "0", "secret=ada"]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      var line = Data()
      while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
        line += byte
      }
      url = try #require(URL(string: String(decoding: line, as: UTF8.self)))
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    deinit { if process.isRunning { kill() } }
  }

  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("transfer-\(UUID().uuidString)")

  private func sync(
    _ phone: HKHealthStore, _ server: URL, token: String = "secret"
  ) throws -> HealthSync {
    try HealthSync(
      store: phone, server: server, token: token,
      progress: folder.appendingPathComponent("progress.json"))
  }

  private func status(_ server: URL, _ body: Data, path: String = "batches") async throws -> Int? {
    var request = URLRequest(url: server.deletingLastPathComponent().appendingPathComponent(path))
    request.httpMethod = "POST"
    request.httpBody = body
    request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
    let (_, response) = try await URLSession.shared.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode
  }

  @Test func `The example app's samples reach the example server through a crash`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let directory = folder.appendingPathComponent("store")
    let phone = HKHealthStore.inMemory()
    let pressure = try Phone.pressure()
    try await phone.save(try (0..<1500).map { try Phone.beat(60, Double($0)) } + [pressure])
    let first = try Server(directory)
    try await sync(phone, first.url).run()
    first.kill()
    try await phone.save(try Phone.beat(61))
    try await phone.delete(pressure)
    await #expect(throws: (any Error).self) { try await sync(phone, first.url).run() }
    let second = try Server(directory)
    let refusal = await #expect(throws: HealthSync.Refusal.self) {
      try await sync(phone, second.url, token: "wrong").run()
    }
    #expect(refusal?.status == 401)
    #expect(try await status(second.url, Data("nonsense".utf8)) == 400)
    #expect(try await status(second.url, Data(), path: "nothing") == 404)
    try await sync(phone, second.url).run()
    second.kill()
    let store = try HKHealthStore(directory: directory, mode: .readOnly, subject: "ada")
    #expect(try Contents(store) == Contents(phone))
  }

  @Test func `A batch after a gap is answered with 409 and the server's position`() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try Server(folder.appendingPathComponent("store"))
    let batch = TransferBatch(
      device: UUID(), number: 7, cursor: 0, anchor: [], samples: [], deletions: [])
    #expect(try await status(server.url, batch.data) == 409)
  }
}
