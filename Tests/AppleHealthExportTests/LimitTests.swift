import AppleHealthExport
import Testing

@Suite struct LimitTests {
  /// An endless document: a start, then the same bytes for ever.
  final class Endless: ExportInput {
    let byteCount: Int64? = nil
    let start: [UInt8]
    let period: [UInt8]
    private(set) var delivered = 0

    init(_ start: String, _ period: String) {
      self.start = Array(start.utf8)
      let block = String(repeating: period, count: max(1, (64 << 10) / period.utf8.count))
      self.period = Array(block.utf8)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ExportError) -> Int {
      let rest =
        delivered < start.count
        ? start[delivered...] : period[((delivered - start.count) % period.count)...]
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      delivered += count
      return count
    }
  }

  static let cases: [(String, String, ExportLimit)] = [
    ("<HealthData a=\"", "x", .attributeBytes),
    ("<HealthData a=\"\"><Record ", "n", .tagBytes),
    ("<HealthData ", "a='' ", .attributeCount),
    ("<HealthData>", "<Workout>", .depth),
    (
      "<HealthData><Workout>",
      "<WorkoutEvent type='\(String(repeating: "long", count: 2048))'/>", .itemBytes
    ),
    ("<HealthData>", "<Unknown", .tagBytes),
    ("<HealthData></", "x", .tagBytes),
  ]

  @Test("A document without end is stopped by a limit, within bounded input", arguments: cases)
  func endless(start: String, period: String, limit: ExportLimit) throws {
    let input = Endless(start, period)
    let reader = ExportReader(input)
    let error = try #require(throws: ExportError.self) {
      while try reader.next() != nil {}
    }
    guard case .limitExceeded(let found, let offset) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found == limit)
    #expect(offset <= Int64(limit.maximum + start.utf8.count + 2000))
    #expect(input.delivered <= limit.maximum * 2 + (1 << 20))
    #expect(error.description.contains("At byte \(offset)"))
  }

  @Test("What is no export is given up after its first mebibyte", arguments: ["x", "<Other>", " "])
  func endlessNoExport(period: String) throws {
    let input = Endless("", period)
    let error = try #require(throws: ExportError.self) { try ExportReader(input).next() }
    #expect(error == .notAnExport(found: period == "<Other>" ? "<Other>" : nil))
    #expect(input.delivered <= 2 << 20)
  }

  @Test("A comment of any length takes no memory and is skipped")
  func longComment() throws {
    let comment = "<!--" + String(repeating: "- >", count: 3 << 20) + "-->"
    let (items, summary) = try read(export(comment + record()), capacity: 64)
    #expect(items.records.count == 1)
    #expect(summary.end == .complete)
  }

  @Test("Values up to the limits are read")
  func underTheLimits() throws {
    let value = String(repeating: "v", count: ExportLimit.attributeBytes.maximum)
    let attributes = (0..<250).map { "a\($0)=\"\"" }.joined(separator: " ")
    let (items, _) = try read(export(record(value: value) + record(extra: attributes)))
    #expect(items.records.first?.value?.utf8.count == value.utf8.count)
    #expect(items.records.last?.metadata.count == 250)
    let deepest = ExportLimit.depth.maximum - 1
    let nested =
      String(repeating: "<X>", count: deepest) + String(repeating: "</X>", count: deepest)
    #expect(try read(export(nested)).summary.unknownElements == ["X": deepest])
  }

  @Test("The names of unknown elements are counted in bounded memory")
  func unknownNames() throws {
    let (_, summary) = try read(export((0..<1000).map { "<N\($0)/>" }.joined()))
    #expect(summary.unknownElements.count == 257)
    #expect(summary.unknownElements.values.reduce(0, +) == 1000)
  }
}
