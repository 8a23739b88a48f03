import AppleHealthExport
import SampleLogSimulation
import Testing

@Suite struct LimitTests {
  /// An endless document: a start, then the same bytes repeatedly.
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

    func read(into buffer: inout MutableRawSpan) throws(ExportError) -> Int {
      let rest =
        delivered < start.count
        ? start[delivered...] : period[((delivered - start.count) % period.count)...]
      let count = min(buffer.byteCount, rest.count)
      buffer.withUnsafeMutableBytes { $0.copyBytes(from: rest.prefix(count)) }
      delivered += count
      return count
    }
  }

  static let roots: [(String, String, ExportLimit)] = [
    ("<HealthData a=\"", "x", .attributeBytes), ("<HealthData n", "n", .tagBytes),
    ("<HealthData ", "a='' ", .attributeCount),
  ]

  @Test(arguments: roots)
  func `An unclosed root is stopped by a limit, within bounded input`(
    start: String, period: String, limit: ExportLimit
  ) throws {
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
    // A tag is rejected when its buffer has doubled.
    #expect(offset <= Int64(limit.maximum * 2 + start.utf8.count + 2000))
    #expect(input.delivered <= limit.maximum * 2 + (1 << 20))
    #expect(error.description.contains("At byte \(offset)"))
  }

  /// The beginning of an item, its repeated content, its end, and the limit that it exceeds.
  static let items: [(String, String, String, ExportLimit?)] = [
    ("<Record a=\"", "x", "\"/>", .attributeBytes),
    ("<Record a=\"", "x", "\"></Record>", .attributeBytes),
    ("<Record a=\"", "x", "", .attributeBytes),
    ("<Record ", "n", "/>", .tagBytes), ("<Record ", "a='' ", "/>", .attributeCount),
    ("<Record ", "a='>' ", "></Record>", .attributeCount),
    ("<Record><MetadataEntry key=\"k\" value=\"", "v", "\"/></Record>", .attributeBytes),
    ("<Correlation><Record a=\"", "x", "\"/></Correlation>", .attributeBytes),
    ("<Record>", "<Unknown>", "</Record>", .depth),
    (
      "<Workout>", "<WorkoutEvent type='\(String(repeating: "long", count: 128))'/>",
      "</Workout>", .itemBytes
    ),
    ("<Workout>", "<Other a='b'>", "</Workout>", .depth),
    // Content that each new tag cuts off never gets large.
    ("", "<Workout>", "", nil), ("", "<Unknown", ">", nil), ("</", "x", ">", nil),
  ]

  @Test(.enabled(if: Trials.areThorough), arguments: items.indices)
  func `An oversized item takes bounded memory and is named, and its surroundings are read`(
    index: Int
  ) async throws {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      let (start, period, end, limit) = LimitTests.items[index]
      let before = HostileTests.peakMemory()
      // Items that exceed no limit consist of many short tags, which take longer to read.
      let size = limit == .itemBytes ? 80 << 20 : limit == nil ? 4 << 20 : 24 << 20
      let head = "<HealthData>" + record(value: "1")
      let input = HostileTests.Virtual(
        head + start, period, count: size, end + record(value: "2") + "</HealthData>")
      let (items, summary) = try read(ExportReader(input))
      guard items.records.map(\.value) == ["1", "2"], summary.end == .complete else {
        fatalError("\(items.count) items, \(summary)")
      }
      if let limit {
        // Most of these items lack dates, which is reported as well.
        guard let problem = summary.firstProblems.first(where: { $0.reason == .init(limit) }),
          summary.problems[problem.reason] == 1, problem.offset == Int64(head.utf8.count),
          start.hasPrefix("<" + problem.element)
        else { fatalError("\(summary)") }
      }
      let more = HostileTests.peakMemory() - before
      let allowed = limit == .itemBytes ? 160 << 20 : 20 << 20
      if more > HostileTests.allowed(allowed) { fatalError("It took \(more) bytes.") }
    }
  }

  @Test(arguments: ["x", "<Other>", " "])
  func `A file that is not an export is rejected after its first mebibyte`(period: String) throws {
    let input = Endless("", period)
    let error = try #require(throws: ExportError.self) { try ExportReader(input).next() }
    #expect(error == .notAnExport(found: period == "<Other>" ? "<Other>" : nil))
    #expect(input.delivered <= 2 << 20)
  }

  @Test func `A comment of any length takes no memory and is skipped`() throws {
    let comment = "<!--" + String(repeating: "- >", count: 3 << 20) + "-->"
    let (items, summary) = try read(export(comment + record()), capacity: 64)
    #expect(items.records.count == 1)
    #expect(summary.end == .complete)
  }

  @Test func `Values up to the limits are read`() throws {
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

  @Test func `The names of unknown elements are counted in bounded memory`() throws {
    let (_, summary) = try read(export((0..<1000).map { "<N\($0)/>" }.joined()))
    #expect(summary.unknownElements.count == 257)
    #expect(summary.unknownElements.values.reduce(0, +) == 1000)
  }
}
