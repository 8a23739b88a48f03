import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct ElectrocardiogramImportTests {
  private let folder: TemporaryFolder
  private let store = HKHealthStore.inMemory()

  init() throws { folder = try TemporaryFolder() }

  private func recordings() async throws -> [HKElectrocardiogram] {
    try await HKSampleQueryDescriptor(
      predicates: [.electrocardiogram()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  private func voltages(
    _ recording: HKElectrocardiogram
  ) async throws -> [(time: Double, volts: Double)] {
    var found: [(Double, Double)] = []
    for try await one in HKElectrocardiogramQueryDescriptor(recording).results(for: store) {
      let volts = one.quantity(for: .appleWatchSimilarToLeadI)?.doubleValue(for: .volt())
      found.append((one.timeSinceSampleStart, volts ?? .nan))
    }
    return found
  }

  private func importing(_ csv: String) throws -> ImportSummary {
    try folder.write("export.xml", Array(export(record()).utf8))
    try folder.write("electrocardiograms/a.csv", Array(csv.utf8))
    return try store.importing(path: folder.path)
  }

  @Test func `Each file keeps its unit and its classification`() async throws {
    let summary = try store.importing(path: Cases.path("ecg"))
    #expect(summary.files.isEmpty && summary.unknownTypes.isEmpty)
    let recordings = try await recordings()
    #expect(recordings.map(\.classification) == [.inconclusiveHighHeartRate, .sinusRhythm])
    for (recording, unit) in zip(recordings, [1e-6, 1e-3]) {
      let volts = try await voltages(recording).map(\.volts)
      let expected = [-265.868, -271.819, 12, 0.5].map { $0 * unit }
      for (one, other) in zip(volts, expected) { #expect(abs(one - other) < 1e-12) }
    }
    #expect(try store.importing(path: Cases.path("ecg")).added == 0)
  }

  @Test func `An unknown word is counted`() async throws {
    let text = ElectrocardiogramFileTests.english.replacing("Sinus Rhythm", with: "Blorp")
    let summary = try importing(text)
    #expect(summary.unknownTypes["HKElectrocardiogram Blorp"]?.count == 1)
    #expect(try await recordings().map(\.classification) == [.unrecognized])
  }

  @Test func `An unknown unit is not taken for another`() async throws {
    let summary = try importing(
      ElectrocardiogramFileTests.english.replacing("µV", with: "furlongs"))
    #expect(summary.files["electrocardiograms/a.csv"]?.isBroken == true)
    #expect(try await recordings().isEmpty)
  }

  @Test func `Lines that are not numbers do not shift the times of the others`() async throws {
    let text = ElectrocardiogramFileTests.english.replacing("12.5\n", with: "oops\n\n12.5\n")
    let summary = try importing(text)
    #expect(summary.files["electrocardiograms/a.csv"] == .damaged(points: 2))
    let recording = try #require(await recordings().first)
    #expect(try await voltages(recording).map { $0.time * 512 } == [0, 3, 4])
    #expect(recording.endDate.timeIntervalSince(recording.startDate) == 4.0 / 512)
  }

  @Test(arguments: ["12.5\n", "-3.272\n"])
  func `A plain export keeps the times of voltages after a gap`(line: String) async throws {
    let text = ElectrocardiogramFileTests.english.replacing(line, with: "oops\n-\n" + line)
    _ = try importing(text)
    let recording = try #require(await recordings().first)
    let times = try await voltages(recording).map(\.time)
    let written = try ExportWriter(from: store, options: .init(isPlain: true)).write(
      to: folder.path + "/plain")
    #expect(written.losses[.voltageTimes] == nil)
    let again = try store.importing(path: folder.path + "/plain")
    #expect(again.added == 0 && again.files.isEmpty)
    let other = HKHealthStore.inMemory()
    try other.importing(path: folder.path + "/plain")
    let copies = try await HKSampleQueryDescriptor(
      predicates: [.electrocardiogram()], sortDescriptors: []
    ).result(for: other)
    let copy = try #require(copies.first)
    var found: [Double] = []
    for try await one in HKElectrocardiogramQueryDescriptor(copy).results(for: other) {
      found.append(one.timeSinceSampleStart)
    }
    #expect(found == times && times.count > 1)
  }
}
