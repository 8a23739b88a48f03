import Foundation
import FuzzTargets
import SampleLogSimulation
import Testing

@Suite struct LengthTests {
  /// Excessive counts and lengths, in every encoding that the file formats use.
  static let claims: [[UInt8]] = {
    func fixed(_ value: UInt64, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }
    func varint(_ value: UInt64) -> [UInt8] {
      value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }
    return [
      fixed(1 << 31, 4), fixed(1 << 40, 8), fixed(1 << 63, 8), varint(1 << 31), varint(1 << 40),
      varint(1 << 63),
    ]
  }()

  /// The peak virtual memory of this process, in bytes.
  static func reserved() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
  }

  /// The targets that read lengths.
  ///
  /// Text has none, and each archive costs a process.
  static let targets = FuzzTarget.all.map(\.name).filter {
    !["Unit", "Predicate", "Export", "Import", "BadRecord", "Zip"].contains($0)
  }

  /// Writes an excessive length at every offset.
  ///
  /// Checksums are valid if the target repairs them.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/self/status"),
      "Only Linux says how much memory a process has asked for."), arguments: targets)
  func `A claimed length of gigabytes, at any offset, allocates no memory`(name: String)
    async throws
  {
    await #expect(processExitsWith: .success) { [name = name as String] in
      let target = try #require(FuzzTarget.all.first { $0.name == name })
      // The first seed of a target is its simplest one; a whole file contains every field.
      let isFile = ["Segment", "SoundSegment", "Log", "Directory"].contains(name)
      for seed in try target.seeds().prefix(isFile ? 1 : 8) where seed.bytes.count < 1200 {
        seed.bytes.withUnsafeBytes { target.run($0) }
        let before = LengthTests.reserved()
        for offset in stride(from: 0, to: seed.bytes.count, by: Trials.count(1, quick: 13)) {
          for claim in LengthTests.claims where offset + claim.count <= seed.bytes.count {
            var bytes = seed.bytes
            bytes.replaceSubrange(offset..<offset + claim.count, with: claim)
            bytes.withUnsafeBytes { target.run($0) }
          }
          let more = LengthTests.reserved() - before
          if more > 256 << 20 {
            fatalError("\(seed.name) asked for \(more) bytes with a claim at \(offset).")
          }
        }
      }
    }
  }
}
