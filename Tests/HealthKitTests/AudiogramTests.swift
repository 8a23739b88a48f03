import HealthKit
import Testing

@Suite struct AudiogramTests {
  private func hertz(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .hertz(), doubleValue: value)
  }

  private func level(_ value: Double) -> HKQuantity {
    HKQuantity(unit: .decibelHearingLevel(), doubleValue: value)
  }

  private func point(_ frequency: Double) throws -> HKAudiogramSensitivityPoint {
    try HKAudiogramSensitivityPoint(
      frequency: hertz(frequency), leftEarSensitivity: level(10), rightEarSensitivity: level(15))
  }

  @Test func `a point with two sensitivities has an air conduction test of each ear`() throws {
    let point = try point(500)
    #expect(point.frequency == hertz(500))
    #expect(point.leftEarSensitivity == level(10))
    #expect(point.rightEarSensitivity == level(15))
    #expect(point.tests.map(\.side) == [.left, .right])
    #expect(point.tests.allSatisfy { !$0.masked && $0.type == .air && $0.clampingRange == nil })
  }

  @Test func `a point with tests has the first sensitivity of each ear`() throws {
    let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: -10, upperBound: 80)
    let test = try HKAudiogramSensitivityTest(
      sensitivity: level(80), type: .air, masked: true, side: .right, clampingRange: range)
    let point = try HKAudiogramSensitivityPoint(frequency: hertz(4000), tests: [test])
    #expect(point.leftEarSensitivity == nil)
    #expect(point.rightEarSensitivity == level(80))
    #expect(point.tests[0].clampingRange?.upperBound == level(80))
    #expect(point.tests == [test])
  }

  @Test func `wrong units, numbers and bounds are errors`() {
    #expect(throws: HKError.self) {
      try HKAudiogramSensitivityPoint(
        frequency: level(1), leftEarSensitivity: nil, rightEarSensitivity: nil)
    }
    #expect(throws: HKError.self) {
      try HKAudiogramSensitivityPoint(
        frequency: hertz(1), leftEarSensitivity: hertz(1), rightEarSensitivity: nil)
    }
    for frequency in [0, -1, .nan, .infinity] {
      #expect(throws: HKError.self) { try point(frequency) }
    }
    #expect(throws: HKError.self) {
      try HKAudiogramSensitivityTest(
        sensitivity: level(.nan), type: .air, masked: false, side: .left, clampingRange: nil)
    }
    #expect(throws: HKError.self) {
      try HKAudiogramSensitivityPointClampingRange(lowerBound: 1, upperBound: 0)
    }
    #expect(throws: HKError.self) {
      try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: nil)
    }
  }

  @Test func `an audiogram has at most thirty points in order of frequency`() throws {
    let points = try (1...31).map { try point(Double($0) * 100) }
    func make(_ points: [HKAudiogramSensitivityPoint]) throws -> HKAudiogramSample {
      try HKAudiogramSample.validated(sensitivityPoints: points, start: start, end: start)
    }
    #expect(try make(Array(points.prefix(30))).sensitivityPoints == Array(points.prefix(30)))
    #expect(throws: HKInvalidSampleError.self) { try make(points) }
    #expect(throws: HKInvalidSampleError.self) { try make([points[1], points[0]]) }
    #expect(throws: HKInvalidSampleError.self) { try make([points[0], points[0]]) }
  }

  @Test func `a saved audiogram is read with its points`() async throws {
    let store = HKHealthStore.inMemory()
    let audiogram = HKAudiogramSample(
      sensitivityPoints: [try point(250), try point(500)], start: start, end: start + 60,
      metadata: nil)
    try await store.save(audiogram)
    let read = try await HKSampleQueryDescriptor(predicates: [.audiogram()], sortDescriptors: [])
      .result(for: store)
    #expect(read.first?.sensitivityPoints == audiogram.sensitivityPoints)
  }

  @Test func `points, tests and ranges survive an archive`() throws {
    let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: nil, upperBound: 80)
    let test = try HKAudiogramSensitivityTest(
      sensitivity: level(80), type: .air, masked: true, side: .right, clampingRange: range)
    let point = try HKAudiogramSensitivityPoint(frequency: hertz(4000), tests: [test])
    let data = try NSKeyedArchiver.archivedData(withRootObject: point, requiringSecureCoding: true)
    let back = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKAudiogramSensitivityPoint.self, from: data)
    #expect(back == point)
    #expect(point.copy() as? HKAudiogramSensitivityPoint === point)
  }
}
