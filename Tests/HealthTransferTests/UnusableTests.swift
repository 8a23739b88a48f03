import Foundation
import HealthStore
import HealthTransferServer
import Testing

@testable import HealthTransfer

/// Samples that no store accepts are rejected and named, and the others are saved.
@Suite struct UnusableTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var sample: TransferSample

    init(
      _ name: String, _ type: String = "HKQuantityTypeIdentifierHeartRate",
      _ change: (inout TransferSample) -> Void
    ) {
      testDescription = name
      sample = UnusableTests.sample(type)
      change(&sample)
    }
  }

  static func sample(_ type: String) -> TransferSample {
    var sample = TransferSample(
      id: UUID(), type: type, start: 0, end: 1, source: OriginForm.bytes(Phone.revision))
    if type.hasPrefix("HKQuantity") { sample.unit = "count/min" }
    return sample
  }

  private static let ecg = "HKDataTypeIdentifierElectrocardiogram"
  private static let route = "HKWorkoutRouteTypeIdentifier"
  private static let beats = "HKDataTypeIdentifierHeartbeatSeries"

  static let cases: [Case] = [
    Case("an end before the start") { $0.end = -1 },
    Case("an infinite date") { $0.end = .infinity },
    Case("a NaN date") { $0.start = .nan },
    Case("a NaN value") { $0.value = .nan },
    Case("no unit") { $0.unit = nil },
    Case("an unknown unit") { $0.unit = "furlong" },
    Case("an incompatible unit") { $0.unit = "kg" },
    Case("an invalid source") { $0.source = [1, 2, 3] },
    Case("an invalid device") { $0.device = [9, 9, 9] },
    Case("invalid metadata") { $0.metadata = [1, 200] },
    Case("contents of a series without points") { $0.contents = series(2) },
    Case("points without contents") { $0.parts = [.points(width: 3, numbers: [0, 1, 2])] },
    Case("links of no workout") { $0.parts = [.links([1, 0])] },
    Case("workouts of no route") { $0.parts = [.workouts([UUID()])] },
    Case("no type", "") { $0.unit = "count" },
    Case("a type of child rows", "\u{1F}HKWorkoutTypeIdentifier\u{1F}links") {
      $0.unit = "count"
    },
    Case("an unknown type without a unit", "HKOfTomorrow") { _ in },
    Case("contents of an unknown type", "HKQuantityTypeIdentifierOfTomorrow") {
      $0.contents = [1]
    },
    Case("a category above all integers", "HKCategoryTypeIdentifierSleepAnalysis") {
      $0.value = 1e300
    },
    Case("contents of a category", "HKCategoryTypeIdentifierSleepAnalysis") { $0.contents = [1] },
    Case("a workout without contents", "HKWorkoutTypeIdentifier") { _ in },
    Case("a workout of a later version", "HKWorkoutTypeIdentifier") { $0.contents = [2] },
    Case("a route without points", route) { $0.contents = [1, 3] },
    Case("a route of fewer points", route) {
      $0.contents = [1, 2]
      $0.parts = [.points(width: 11, numbers: [Double](repeating: 0, count: 11))]
    },
    Case("a route of narrower points", route) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 3, numbers: [0, 0, 0])]
    },
    Case("a location without a time", route) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 11, numbers: [.nan] + [Double](repeating: 0, count: 10))]
    },
    Case("a location of an impossible source", route) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 11, numbers: [Double](repeating: 0, count: 10) + [2])]
    },
    Case("duplicate points", beats) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 2, numbers: [0, 0]), .points(width: 2, numbers: [0, 0])]
    },
    Case("a heartbeat at an infinite time", beats) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 2, numbers: [.infinity, 0])]
    },
    Case("a heartbeat of an impossible gap", beats) {
      $0.contents = [1, 1]
      $0.parts = [.points(width: 2, numbers: [0, 2])]
    },
    Case("an electrocardiogram without contents", ecg) { _ in },
    Case("an invalid object of a correlation", "HKCorrelationTypeIdentifierBloodPressure") {
      $0.contents = [1, 1, 0]
    },
    Case("a value after the end of its series") {
      $0.contents = series(1)
      $0.parts = [.points(width: 3, numbers: [0, 2, 60])]
    },
    Case("values out of order") {
      $0.contents = series(2)
      $0.parts = [.points(width: 3, numbers: [0.5, 0.5, 60, 0, 0, 60])]
    },
  ]

  private static func series(_ count: UInt8) -> [UInt8] {
    [1, count] + [UInt8](repeating: 0, count: 40)
  }

  @Test(arguments: cases)
  func `An invalid sample is rejected alone`(_ example: Case) async throws {
    let server = HKHealthStore.inMemory()
    let good = Self.sample("HKQuantityTypeIdentifierHeartRate")
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [example.sample, good],
      deletions: [])
    let receipt = try await server.receive(batch)
    #expect(receipt.unusable == [example.sample.id])
    #expect(receipt.addedCount == 1)
    #expect(try Contents(server).samples.count == 1)
  }

  @Test func `A quantity of a later system is kept unchanged`() async throws {
    let server = HKHealthStore.inMemory()
    let sample = Self.sample("HKQuantityTypeIdentifierOfTomorrow")
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: [])
    #expect(try await server.receive(batch).addedCount == 1)
    #expect(try Contents(server).samples.values.first?.row.unit == "count/min")
  }

  @Test(arguments: [0, 3, -2, 1_000_000])
  func `A category of a later system is kept with its number`(value: Double) async throws {
    let server = HKHealthStore.inMemory()
    var sample = Self.sample("HKCategoryTypeIdentifierOfTomorrow")
    sample.value = value
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: [])
    #expect(try await server.receive(batch).addedCount == 1)
    let row = try #require(try Contents(server).samples.values.first?.row)
    #expect(row.value == value && row.unit.isEmpty && row.type == sample.type)
    #expect(try await server.receive(batch).isRepeated)
  }

  @Test(arguments: ["HKCategoryTypeIdentifier", "HKCorrelationTypeIdentifierOfTomorrow", "Nap"])
  func `A sample of a type without a known unit is rejected`(type: String) async throws {
    let sample = Self.sample(type)
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: [])
    #expect(try await HKHealthStore.inMemory().receive(batch).unusable == [sample.id])
  }

  @Test func `A category of a later system whose value is not an integer is skipped`() async throws
  {
    var sample = Self.sample("HKCategoryTypeIdentifierOfTomorrow")
    sample.value = 1e30
    let batch = TransferBatch(
      device: UUID(), number: 1, cursor: 0, anchor: [], samples: [sample], deletions: [])
    #expect(try await HKHealthStore.inMemory().receive(batch).unusable == [sample.id])
  }
}
