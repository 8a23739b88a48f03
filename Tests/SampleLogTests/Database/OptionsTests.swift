@testable import SampleLog
import Testing

@Suite struct OptionsTests {
  private struct Layer: LayerOptions {
    var number = 0

    func differences(from other: Self) -> [String] { number == other.number ? [] : ["number"] }
  }

  private struct OtherLayer: LayerOptions {
    func differences(from other: Self) -> [String] { [] }
  }

  @Test func `Options are equal exactly if every property is equal`() {
    #expect(Database.Options() == Database.Options())
    let changes: [(inout Database.Options) -> Void] = [
      { $0.durability = .buffered }, { $0.sealRowCount += 1 }, { $0.sealByteCount += 1 },
      { $0.blockCacheByteCount += 1 }, { $0.feedOrderByteCount += 1 },
      { $0.identifierIndexByteCount += 1 }, { $0.segmentRowCount += 1 },
      { $0.deletionRetention += .seconds(1) }, { $0.registrationRetention += .seconds(1) },
      { $0.toleratesDamage.toggle() }, { $0.sealsInBackground.toggle() },
      { $0.layer = Layer(number: 1) },
      { $0.subjectQuota = SubjectQuota(sampleCount: 1) },
      { $0.zeroByteCount += 1 }, { $0.clock = { 0 } }, { $0.random = { 0 } },
      { $0.batchRecordLimit -= 1 }, { $0.batchByteLimit -= 1 }, { $0.expiryBatchCount += 1 },
      { $0.blockRowCount -= 1 }, { $0.onEvent = { _ in } }, { $0.lowSpaceByteCount += 1 },
      { $0.keepsSealedLogs.toggle() }, { $0.primaryName = "primary" },
    ]
    for (number, change) in changes.enumerated() {
      var options = Database.Options()
      change(&options)
      let copy = options
      #expect(options == copy, "\(number)")
      #expect(options != Database.Options(), "\(number)")
      #expect(Database.Options() != options, "\(number)")
      // The difference names the property that was set.
      let names = options.differences(from: Database.Options())
      let properties = Mirror(reflecting: options).children.compactMap(\.label)
      #expect(names.count == 1, "\(number)")
      #expect(names == ["number"] || properties.contains(names[0]), "\(number)")
    }
    // Covers every stored property but the three that represent the functions.
    #expect(Mirror(reflecting: Database.Options()).children.count - 3 == changes.count)
  }

  @Test func `Unset options of a layer equal the defaults`() {
    var (options, other) = (Database.Options(), Database.Options())
    options.layer = Layer()
    #expect(options == other && other == options)
    other.layer = OtherLayer()
    #expect(options.differences(from: other) == ["layer"])
    other.layer = Layer(number: 1)
    #expect(options.differences(from: other) == ["number"])
    options.onEvent = nil
    options.layer = nil
    #expect(options == Database.Options())
  }
}
