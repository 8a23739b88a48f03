import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

/// Every part of a document that is not stored is reported.
@Suite struct LossTests {
  private let store = HKHealthStore.inMemory()

  /// A change to a valid item that loses something, and the remaining samples.
  static let losses: [(item: ElementText, good: String, bad: String, left: Int)] = [
    (.heartRate(1), "count/min", "furlong", 0), (.heartRate(1), "count/min", "kg", 0),
    (.heartRate(1), "unit=\"count/min\"", "", 0), (.heartRate(1), "\"61\"", "\"6,1\"", 0),
    (.heartRate(1), "IdentifierHeartRate", "IdentifierOfTomorrow\" x=\"", 1),
    (
      .heartRate(1),
      "HeartRate\" sourceName=\"Watch\" sourceVersion=\"10\" "
        + "device=\"name:W, model:M\" unit=\"count/min\"", "OfTomorrow\" sourceName=\"Watch\"", 0
    ),
    (.heartRate(1), "</Record>", "<MetadataEntry key=\"own\" value=\"other\"/></Record>", 1),
    (.sleep, "HKCategoryValueSleepAnalysisAsleepREM", "", 0),
    (.pressure, "TypeIdentifierBloodPressure\"", "TypeIdentifierTomorrow\"", 2),
    (.pressure, "value=\"80\"", "value=\"low\"", 2), (.pressure, "mmHg", "kg", 1),
    (.pressure, "2024-03-03 10:00:00 +0000\" endDate", "now\" endDate", 0),
    (.workout, "HKWorkoutEventTypeLap", "HKWorkoutEventTypeSomersault", 2),
    (.workout, "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierOfTomorrow", 2),
    (.workout, "average=\"120\"", "average=\"120,5\"", 2),
    (.workout, "duration=\"1\"", "duration=\"1,5\"", 2),
    (.workout, "duration=\"0.2\"", "duration=\"0,2\"", 2),
    (.workout, "totalDistance=\"3\"", "totalDistance=\"3,5\"", 2),
    (.workout, "sum=\"3.5\"", "sum=\"3,5\"", 2),
    (.workout, "<Location", "<Nowhere", 1),
    (
      .workout, "</Workout>",
      ElementText.distance.text
        + ElementText.distance.text.replacing("3.5", with: "4") + "</Workout>", 2
    ),
    (.day, "2024-03-05", "2024-02-30", 0), (.day, "kcal", "km", 0), (.day, "\"400\"", "\"NaN\"", 0),
    (.day, "\"31\"", "\"31,5\"", 0), (.day, "dateComponents=\"2024-03-05\"", "", 0),
    (.hearingTest, "leftEarMasked=\"1\"", "leftEarMasked=\"perhaps\"", 1),
    (.glasses, "</VisionPrescription>", "<RightEye sphere=\"2\"/></VisionPrescription>", 1),
    (.me, "HKBloodTypeAPositive", "HKBloodTypeGreen", 0), (.me, "1990-02-28", "never", 0),
  ]

  @Test(arguments: losses.indices)
  func `Losses are reported, and everything else is imported`(index: Int) throws {
    let (item, good, bad, left) = Self.losses[index]
    let text = item.text.replacing(good, with: bad)
    try #require(text != item.text)
    let summary = try store.importing(
      export(ElementText.heartRate(8).text + text + ElementText.heartRate(9).text))
    // An unknown type with a unit is kept, with its attributes.
    #expect((summary.broken == nil) == bad.hasSuffix("x=\""))
    #expect(summary.added == left + 2)
  }

  @Test func `An effort in an unsuitable unit is reported, and the workout is kept`() async throws {
    let score = ElementText.heartRate(4).text
      .replacing("IdentifierHeartRate", with: "IdentifierWorkoutEffortScore")
      .replacing("count/min", with: "count")
    let text = ElementText.workout.text.replacing("</Workout>", with: score + "</Workout>")
    let summary = try store.importing(export(text))
    #expect(summary.broken?.count == 1)
    #expect(try await store.workouts().count == 1)
  }

  @Test func `Repeated statistics are stored once`() async throws {
    let workout = ElementText.workout.with(.statistics, at: 0)
    #expect(try store.importing(export(workout.text)).broken == nil)
    #expect(try await store.workouts().first?.allStatistics.count == 1)
  }

  @Test func `The members of an unsupported correlation are imported once as samples`() async throws
  {
    let unknown = ElementText.pressure.text
      .replacing("TypeIdentifierBloodPressure\"", with: "TypeIdentifierTomorrow\"")
    let members = ElementText.pressure.children.prefix(2).map(\.text).joined()
    for body in [unknown + members, members + unknown, unknown] {
      let store = HKHealthStore.inMemory()
      for round in 0..<2 {
        #expect(try store.importing(export(body)).added == (round == 0 ? 2 : 0))
      }
      #expect(try await store.quantities(.bloodPressureSystolic).count == 1)
    }
  }

  @Test func `The name of an unknown activity is kept and exported again`() async throws {
    let text = ElementText.workout.text.replacing("TypeRunning", with: "TypeHoverboarding")
    let summary = try store.importing(export(text))
    #expect(summary.broken == nil)
    let name = "HKWorkoutActivityTypeHoverboarding"
    #expect(summary.unknownTypes[name]?.count == 1)
    let metadata = try await store.workouts().first?.metadata
    #expect(metadata?["HealthStoreWorkoutActivityName"] as? String == name)
    let folder = try TemporaryFolder()
    _ = try ExportWriter(from: store, options: .init(isPlain: true)).write(to: folder.path + "/a")
    let copy = HKHealthStore.inMemory()
    _ = try copy.importing(path: folder.path + "/a")
    let copied = try #require(await copy.workouts().first)
    #expect(copied.metadata?["HealthStoreWorkoutActivityName"] as? String == name)
    #expect(copied.metadata?.count == metadata?.count)
  }

  @Test func `Importing a deleted workout again adds its missing statistics`()
    async throws
  {
    var earlier = ElementText.workout
    earlier.children.removeAll { $0.name == "WorkoutStatistics" }
    _ = try store.importing(export(earlier.text))
    #expect(try store.importing(export(ElementText.workout.text)).added == 0)
    let workouts = try await store.workouts()
    #expect(workouts.map(\.allStatistics.count) == [0])
    try await store.delete(workouts)
    _ = try store.importing(export(ElementText.workout.text))
    #expect(try await store.workouts().map(\.allStatistics.count) == [1])
  }
}
