import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct HeartbeatImportTests {
  private let store = HKHealthStore.inMemory()
  private static let start = Date(timeIntervalSinceReferenceDate: 0)
  private static let end = start + 60

  private func importing(_ beats: String) throws -> ImportSummary {
    let record = """
      <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" unit="ms" \
      startDate="2001-01-01 05:30:00 +0530" endDate="2001-01-01 05:31:00 +0530" value="45">
      <HeartRateVariabilityMetadataList>\(beats)</HeartRateVariabilityMetadataList></Record>
      """
    return try ExportImporter(into: store).run(ExportReader(MemoryInput(export(record))))
  }

  private func beats(_ series: HKHeartbeatSeriesSample) async throws -> [[Double]] {
    var found: [[Double]] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
      found.append([beat.timeIntervalSinceStart, beat.precededByGap ? 1 : 0])
    }
    return found
  }

  private func series() async throws -> [HKHeartbeatSeriesSample] {
    try await HKSampleQueryDescriptor(predicates: [.heartbeatSeries()], sortDescriptors: [])
      .result(for: store)
  }

  @Test func `Momentary rates become a heartbeat series with the sample's source and time`()
    async throws
  {
    let summary = try importing(
      """
      <InstantaneousBeatsPerMinute bpm="60" time="5:30:02,00"/>
      <InstantaneousBeatsPerMinute bpm="120" time="5:30:02,50"/>
      <InstantaneousBeatsPerMinute bpm="60" time="5:30:10,00"/>
      """)
    #expect(summary.unrepresented.isEmpty)
    #expect(summary.problems.isEmpty)
    let found = try #require(try await series().first)
    #expect(found.sourceRevision.source.name == "Watch")
    #expect(found.startDate == Self.start)
    #expect(found.endDate == Self.end)
    // The rate after the gap gives the time of the previous heartbeat, which begins the interval.
    #expect(try await beats(found) == [[1, 0], [2, 0], [2.5, 0], [9, 1], [10, 0]])
    #expect(try importing("").added == 0)
  }

  @Test func `Importing heartbeats again adds nothing`() async throws {
    let beat = #"<InstantaneousBeatsPerMinute bpm="60" time="5:30:02,00"/>"#
    #expect(try importing(beat).added == 2)
    #expect(try importing(beat).added == 0)
    #expect(try await series().count == 1)
  }

  @Test(arguments: [
    "11:59:59.50 PM", "23:59:59,50", "下午11:59:59.50", "٢٣:٥٩:٥٩٫٥٠", "20:14:59.50",
  ])
  func `Times are read in any language and zone`(time: String) {
    let beats = [ExportBeat(bpm: 120, time: time), ExportBeat(bpm: 60, time: "0:00:00,50")]
    let times = HeartbeatTimes(beats, start: Self.start, end: Self.end)
    #expect(times?.times == [0, 0.5, 1.5])
    #expect(times?.shift == -1)
  }

  @Test(arguments: ["", "noon", "1:2", "1:60:00", "1:00:00.0000000000001", "0:05:00,00"])
  func `A heartbeat without a time within the sample is counted, and the sample is kept`(
    time: String
  ) throws {
    let summary = try importing(#"<InstantaneousBeatsPerMinute bpm="60" time="\#(time)"/>"#)
    #expect(summary.added == 1)
    #expect(summary.problems.count == 1)
    #expect(summary.broken?.count == 1)
  }

  @Test(arguments: ["0", "-1", "inf"])
  func `A heartbeat without a rate is counted`(rate: String) throws {
    let summary = try importing(
      #"<InstantaneousBeatsPerMinute bpm="\#(rate)" time="5:30:02,00"/>"#)
    #expect(summary.types.keys.contains(HKSeriesType.heartbeat().identifier) == false)
    #expect(summary.broken?.count == 1)
  }
}
