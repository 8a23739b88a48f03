import Foundation
import FuzzTargets
import Testing

@Suite struct CorpusTests {
  /// Returns the corpus folder of a target.
  static func folder(_ target: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/Corpus/\(target)")
  }

  static func files(_ target: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: folder(target), includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
  }

  /// The peak memory of this process, in bytes, or nil if the system does not report it.
  static func peakMemory() -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 << 10 }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `Every corpus input ends without a trap, in bounded memory`(name: String) async throws {
    #expect(try !Self.files(name).isEmpty)
    // Each target runs in its own process, so that a trap fails this test alone.
    await #expect(processExitsWith: .success) { [name = name as String] in
      let target = try #require(FuzzTarget.all.first { $0.name == name })
      let stored = try CorpusTests.files(name).map {
        ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0)))
      }
      for (input, bytes) in try stored + target.seeds().map({ ($0.name, $0.bytes) }) {
        bytes.withUnsafeBytes { target.run($0) }
        if let peak = CorpusTests.peakMemory(), peak > 512 << 20 {
          fatalError("\(input) took the process to \(peak) bytes.")
        }
      }
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func `The corpus contains the seeds of each target`(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let folder = Self.folder(name)
    let isWriting = ProcessInfo.processInfo.environment["WRITE_FUZZ_CORPUS"] != nil
    if isWriting {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for file in try Self.files(name) where file.lastPathComponent.hasPrefix("seed-") {
        try FileManager.default.removeItem(at: file)
      }
    }
    for seed in try target.seeds() {
      let file = folder.appending(path: "seed-" + seed.name)
      if isWriting { try Data(seed.bytes).write(to: file) }
      #expect(seed.bytes.count <= target.maximumLength, "\(seed.name) would be cut")
      #expect(
        FileManager.default.fileExists(atPath: file.path), "make corpus writes \(seed.name)")
    }
  }
}
