import CoreLocation
import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

@Suite struct FileImportTests {
  private let folder: TemporaryFolder
  private let store = HKHealthStore.inMemory()

  init() throws { folder = try TemporaryFolder() }

  private static func gpx(_ seconds: Range<Int>) -> [UInt8] {
    let points = seconds.map { second in
      #"<trkpt lon="6.1" lat="\#(Double(second) / 1000)"><ele>30</ele><time>2019-10-04T10:16:"#
        + String(format: "%02d", second) + "Z</time></trkpt>"
    }
    return Array("<gpx creator=\"Apple Health Export\">\(points.joined())</gpx>".utf8)
  }

  private static let workout = """
    <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="1" durationUnit="min" \
    sourceName="Watch" startDate="2019-10-04 12:16:00 +0200" endDate="2019-10-04 12:17:00 +0200">
    <WorkoutRoute sourceName="Watch" startDate="2019-10-04 12:16:00 +0200" \
    endDate="2019-10-04 12:16:20 +0200"><MetadataEntry key="HKMetadataKeySyncVersion" value="2"/>
    <FileReference path="/workout-routes/one.gpx"/></WorkoutRoute></Workout>
    """

  private func importing() throws -> ImportSummary {
    let (document, files) = try ExportSource.contents(of: folder.path)
    return try ExportImporter(into: store).run(ExportReader(document), files: files)
  }

  private func routes() async throws -> [HKWorkoutRoute] {
    try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute()], sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
  }

  private func latitudes(_ route: HKWorkoutRoute) async throws -> [Double] {
    var latitudes: [Double] = []
    for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
      latitudes.append(location.coordinate.latitude)
    }
    return latitudes
  }

  @Test func `Routes are read from the files, with and without a workout`() async throws {
    try folder.write("export.xml", Array(export(Self.workout).utf8))
    try folder.write("workout-routes/one.gpx", Self.gpx(0..<20))
    try folder.write("workout-routes/two.gpx", Self.gpx(30..<32))
    let summary = try importing()
    #expect(summary.files.isEmpty)
    let routes = try await routes()
    #expect(routes.map(\.count) == [20, 2])
    #expect(routes.map(\.sourceRevision.source.name) == ["Watch", "Apple Health Export"])
    #expect(routes.first?.metadata?[HKMetadataKeySyncVersion] as? Int == 2)
    #expect(try await latitudes(routes[1]) == [0.03, 0.031])
    let before = try await routes.asyncUUIDs(latitudes)
    let again = try importing()
    #expect(again.added == 0)
    #expect(try await self.routes().asyncUUIDs(latitudes) == before, "importing again adds nothing")
  }

  @Test func `A route imported later is linked to its workout`() async throws {
    let second = """
      <WorkoutRoute sourceName="Watch" startDate="2019-10-04 12:16:30 +0200" \
      endDate="2019-10-04 12:16:40 +0200"><FileReference path="/workout-routes/two.gpx"/>\
      </WorkoutRoute></Workout>
      """
    let document = Self.workout.replacingOccurrences(of: "</Workout>", with: second)
    try folder.write("export.xml", Array(export(document).utf8))
    _ = try importing()
    let workout = try #require(
      try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: [])
        .result(for: store).first)
    func linked() async throws -> [Int] {
      try await HKSampleQueryDescriptor(
        predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
        sortDescriptors: [SortDescriptor(\.startDate)]
      ).result(for: store).map(\.count)
    }
    #expect(try await linked() == [])
    // First one of the two, then both.
    try folder.write("workout-routes/one.gpx", Self.gpx(0..<20))
    _ = try importing()
    #expect(try await linked() == [20])
    try folder.write("workout-routes/two.gpx", Self.gpx(30..<32))
    for _ in 0..<2 {
      _ = try importing()
      #expect(try await linked() == [20, 2])
    }
    #expect(try await routes().count == 2)
  }

  @Test func `A truncated workout and the complete one after it have one route`()
    async throws
  {
    let whole = export(Self.workout)
    let cut = try #require(whole.range(of: "<FileReference"))
    try folder.write("export.xml", Array(whole[..<cut.lowerBound].utf8))
    try folder.write("workout-routes/one.gpx", Self.gpx(0..<20))
    _ = try importing()
    #expect(try await routes().count == 1)
    for _ in 0..<2 {
      try folder.write("export.xml", Array(whole.utf8))
      _ = try importing()
      #expect(try await routes().map(\.sourceRevision.source.name) == ["Watch"])
    }
  }

  @Test func `A missing, truncated or unrelated file is named`() async throws {
    try folder.write("export.xml", Array(export(Self.workout).utf8))
    try folder.write("workout-routes/cut.gpx", Array(Self.gpx(0..<3).dropLast(10)))
    try folder.write("workout-routes/none.gpx", Array("<gpx></gpx>".utf8))
    try folder.write("workout-routes/notes.txt", [65])
    let summary = try importing()
    #expect(
      summary.files == [
        "workout-routes/one.gpx": .missing, "workout-routes/cut.gpx": .damaged(points: 1),
        "workout-routes/none.gpx": .empty, "workout-routes/notes.txt": .unrepresented,
      ])
    #expect(try await routes().map(\.count) == [2])
  }

  @Test func `A damaged file is named, however many other files there are`() throws {
    try folder.write("export.xml", Array(export("").utf8))
    for number in 0..<300 { try folder.write("workout-routes/a\(number).txt", [65]) }
    try folder.write("workout-routes/b.gpx", Array("<gpx></gpx>".utf8))
    for number in 0..<3 { try folder.write("workout-routes/c\(number).txt", [65]) }
    let summary = try importing()
    #expect(summary.files.count == 257)
    #expect(summary.files.values.contains(.empty))
  }

  @Test func `Electrocardiograms are read from their files`() async throws {
    try folder.write("export.xml", Array(export("").utf8))
    let name = "electrocardiograms/ecg_2019-04-01.csv"
    try folder.write(name, Array(ElectrocardiogramFileTests.english.utf8))
    try folder.write("electrocardiograms/ecg_none.csv", Array("Name,Ada\n".utf8))
    #expect(try importing().files == ["electrocardiograms/ecg_none.csv": .empty])
    let found = try await HKSampleQueryDescriptor(
      predicates: [.electrocardiogram()], sortDescriptors: []
    ).result(for: store)
    let electrocardiogram = try #require(found.first)
    #expect(electrocardiogram.classification == .sinusRhythm)
    #expect(electrocardiogram.device?.hardwareVersion == "Watch4,2")
    var voltages: [Double?] = []
    for try await voltage in HKElectrocardiogramQueryDescriptor(electrocardiogram)
      .results(for: store)
    {
      voltages.append(
        voltage.quantity(for: .appleWatchSimilarToLeadI)?
          .doubleValue(for: .voltUnit(with: .micro)))
    }
    #expect(voltages == [-3.272, 12.5, 0])
    #expect(try importing().added == 0)
  }

  @Test func `A file above the limit is named and not read further`() async throws {
    try folder.write("export.xml", Array(export("").utf8))
    let path = try folder.write("workout-routes/endless.gpx", Self.gpx(0..<3))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(ExportFiles.byteLimit) + 1)
    #expect(
      try importing().files == [
        "workout-routes/endless.gpx": .tooLong(limit: ExportFiles.byteLimit)
      ])
    #expect(try await routes().isEmpty)
  }

  @Test func `A path that leaves the export is not followed`() async throws {
    let body = Self.workout.replacingOccurrences(
      of: "/workout-routes/one.gpx", with: "/workout-routes/../../secret.gpx")
    try folder.write("inner/export.xml", Array(export(body).utf8))
    try folder.write("secret.gpx", Self.gpx(0..<3))
    let (document, files) = try ExportSource.contents(of: folder.path + "/inner")
    let summary = try ExportImporter(into: store).run(ExportReader(document), files: files)
    #expect(summary.files == ["workout-routes/../../secret.gpx": .missing])
    #expect(try await routes().isEmpty)
  }

  @Test func `An archive has the same files as a folder`() async throws {
    let zip = ZipFile([
      ("apple_health_export/export.xml", Array(export(Self.workout).utf8)),
      ("apple_health_export/workout-routes/one.gpx", Self.gpx(0..<20)),
      ("elsewhere/workout-routes/two.gpx", Self.gpx(30..<32)),
    ])
    try folder.write("export.zip", zip.bytes)
    let (document, files) = try ExportSource.contents(of: folder.path + "/export.zip")
    #expect(files.names == ["workout-routes/one.gpx"])
    let summary = try ExportImporter(into: store).run(ExportReader(document), files: files)
    #expect(summary.files.isEmpty)
    #expect(try await routes().map(\.count) == [20])
  }
}

extension [HKWorkoutRoute] {
  /// The identifiers, each with the result of a function for its route.
  fileprivate func asyncUUIDs(
    _ body: (HKWorkoutRoute) async throws -> [Double]
  ) async throws -> [UUID: [Double]] {
    var result: [UUID: [Double]] = [:]
    for route in self { result[route.uuid] = try await body(route) }
    return result
  }
}
