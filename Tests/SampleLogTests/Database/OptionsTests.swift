@testable import SampleLog
import Testing

@Suite struct OptionsTests {
  private struct Layer: LayerOptions {
    var number = 0
  }

  @Test func `Options are equal exactly if none was set to another value`() {
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
    }
    // Every stored property but the one that stands for the functions is among them.
    #expect(Mirror(reflecting: Database.Options()).children.count - 1 == changes.count)
  }
}
