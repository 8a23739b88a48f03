import AppleHealthExport
import Foundation
import SampleLogSimulation
import Testing

@Suite struct HostileTests {
  /// The peak memory of this process in bytes, or 0 if the system does not report it.
  static func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
  }

  /// The allowed growth for a bound on memory, which is greater under sanitizers.
  static func allowed(_ bytes: Int) -> Int {
    let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
    return isSanitized ? bytes * 4 : bytes
  }

  /// A document of any length that is never in memory as a whole.
  final class Virtual: ExportInput {
    let byteCount: Int64?
    private var parts: [(bytes: [UInt8], count: Int)]

    init(_ start: String, _ filling: String, count: Int, _ end: String) {
      let block = Array(String(repeating: filling, count: 1 << 15).utf8)
      parts = [
        (Array(start.utf8), start.utf8.count), (block, count / block.count * block.count),
        (Array(end.utf8), end.utf8.count),
      ]
      byteCount = parts.reduce(0) { $0 + Int64($1.count) }
    }

    func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
      while let part = parts.first, part.count == 0 { parts.removeFirst() }
      guard let part = parts.first else { return 0 }
      // The filling's length is a multiple of its block, so the remainder gives the position in a
      // block.
      let first = (part.bytes.count - part.count % part.bytes.count) % part.bytes.count
      let rest = part.bytes[first...]
      let count = min(buffer.byteCount, rest.count)
      buffer.withUnsafeMutableBytes { $0.copyBytes(from: rest.prefix(count)) }
      parts[0].count -= count
      return count
    }
  }

  static let fillings = [
    ["<!--", "- >-", "-->"], ["<?p", "? >?", "?>"], ["<![CDATA[", "]] >", "]]>"], ["", "text", ""],
    ["<!X ", "<!X ", ">"],
  ]

  @Test(.enabled(if: Trials.areThorough), arguments: fillings)
  func `A quarter of a gigabyte between two records takes no memory`(parts: [String]) async throws {
    await #expect(processExitsWith: .success) {
      [start = parts[0] as String, filling = parts[1] as String, end = parts[2] as String] in
      let before = HostileTests.peakMemory()
      let input = Virtual(
        "<HealthData>" + record(value: "1") + start, filling, count: 256 << 20,
        end + record(value: "2") + "</HealthData>")
      let (items, summary) = try read(ExportReader(input))
      guard items.records.map(\.value) == ["1", "2"], summary.end == .complete else {
        fatalError("\(items.count) items, \(summary)")
      }
      let more = HostileTests.peakMemory() - before
      if more > HostileTests.allowed(32 << 20) { fatalError("It took \(more) bytes.") }
    }
  }

  @Test func `Nested entities are not expanded`() throws {
    let levels = (1..<12).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let dtd =
      "<!ENTITY l0 \"laugh\">" + levels.joined() + "<!ENTITY % p SYSTEM \"/etc/hosts\"> %p;\n"
    let text = export(record(value: "&l11;&l11;"), dtd: dtd)
    let (items, summary) = try read(text)
    #expect(items.records.map(\.value) == ["&l11;&l11;"])
    #expect(summary.unknownEntities == 2)
  }

  @Test func `An archive that expands a hundredfold is read in bounded memory`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let bomb = DeflatedRun("<HealthData>", of: 256 << 20)
      let path = try folder.write("bomb.zip", bomb.archive("export.xml"))
      let before = HostileTests.peakMemory()
      let reader = ExportReader(try ExportSource.open(path))
      do {
        while try reader.next() != nil {}
        fatalError("The wrong checksum of the archive was not reported.")
      } catch ExportError.unzipFailed(path: path, status: 2) {
      }
      guard reader.progress.bytes > 200 << 20 else {
        fatalError("Only \(reader.progress.bytes) bytes were unpacked.")
      }
      let more = HostileTests.peakMemory() - before
      if more > HostileTests.allowed(32 << 20) { fatalError("It took \(more) bytes.") }
    }
  }

  @Test func `Entry names that leave the archive write no files`() throws {
    let folder = try TemporaryFolder()
    let document = Array(export(record()).utf8)
    let names = ["../escaped.xml", "/tmp/../escaped.xml", "a/../../escaped.xml"]
    for name in names {
      let path = try folder.write("e.zip", ZipFile([(name, document)]).bytes)
      let items = try read(ExportReader(ExportSource.open(path))).items
      #expect(items.records.count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["e.zip"])
    }
    let parent = URL(filePath: folder.path).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: parent + "/escaped.xml"))
  }
}

/// A short text and a long run of spaces, compressed 158 to 1: every match copies 258 bytes.
struct DeflatedRun {
  private(set) var bytes: [UInt8] = []
  let count: Int
  private var bits = 0

  init(_ text: String, of length: Int) {
    count = length
    // A single block, with the codes that need no table.
    append(1, 1)
    append(1, 2)
    for byte in text.utf8 + [32] { appendCode(0x30 + Int(byte), 8) }
    while bits != 0 { appendMatch() }
    let start = bytes.count
    for _ in 0..<8 { appendMatch() }
    let period = Array(bytes[start...])
    bytes.reserveCapacity(length / 158)
    for _ in 0..<length / 258 / 8 { bytes += period }
    appendCode(0, 7)
  }

  private mutating func append(_ value: Int, _ width: Int) {
    for bit in 0..<width {
      if bits == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(bits)
      bits = (bits + 1) & 7
    }
  }

  /// Codes are written from the highest bit.
  private mutating func appendCode(_ code: Int, _ width: Int) {
    for bit in (0..<width).reversed() { append(code >> bit & 1, 1) }
  }

  private mutating func appendMatch() {
    appendCode(0b1100_0101, 8)
    appendCode(0, 5)
  }

  /// An archive with this as its only entry, whose checksum is wrong.
  func archive(_ name: String) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
    func long(_ value: Int) -> [UInt8] { word(value & 0xFFFF) + word(value >> 16) }
    let common =
      word(20) + word(0) + word(8) + word(0) + word(0x21) + long(7) + long(bytes.count)
      + long(count) + word(name.utf8.count) + word(0)
    let file = long(0x0403_4B50) + common + name.utf8 + bytes
    let directory =
      long(0x0201_4B50) + word(3 << 8 | 20) + common + word(0) + word(0) + word(0) + long(0)
      + long(0) + name.utf8
    return file + directory + long(0x0605_4B50) + word(0) + word(0) + word(1) + word(1)
      + long(directory.count) + long(file.count) + word(0)
  }
}
