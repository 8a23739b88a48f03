import CoreLocation
import HealthKit
import HealthKitTesting
import Testing

@testable import Services

@Suite struct ObjectsTests {
  private let health: TestHealthData

  init() throws { health = try TestHealthData() }

  private func track(_ count: Int) -> [CLLocation] {
    (0..<count).map { index in
      CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: 52.5 + Double(index) / 1_000, longitude: 13.4),
        altitude: 34, horizontalAccuracy: index == 0 ? 500 : 5, verticalAccuracy: 3,
        timestamp: noon + Double(index))
    }
  }

  @Test func `a workout is recorded with its route and exported again`() async throws {
    let store = health.store
    let recorder = WorkoutRecorder(healthStore: store, activity: .running)
    let begun = await withCheckedContinuation { continuation in
      recorder.start(at: noon) { success, _ in continuation.resume(returning: success) }
    }
    #expect(begun)
    try await recorder.insert(track(100))
    #expect(recorder.locationCount == 99)
    try await recorder.add(heartRate: 120, at: noon + 10)
    try await recorder.add(heartRate: 140, at: noon + 20)
    try await recorder.add(energy: 25, from: noon, to: noon + 100)
    try await recorder.pause(from: noon + 40, to: noon + 70)
    #expect(recorder.energySoFar == 25)
    #expect(recorder.elapsedSeconds(at: noon + 100) == 70)
    let (workout, _) = try #require(try await recorder.finish(at: noon + 100, title: "Morning"))
    #expect(workout.metadata?[HKMetadataKeyWorkoutBrandName] as? String == "Morning")

    let exporter = WorkoutExporter(store: store)
    let found = try await exporter.workouts(of: .running, longerThan: 60)
    #expect(found.map(\.uuid) == [workout.uuid])
    #expect(
      try await exporter.export(found[0])
        == ExportedWorkout(
          name: "Running", duration: 70, meters: nil, kilocalories: 25, averageHeartRate: 130,
          trackPoints: 99, pauses: 1))
    let gpx = try await exporter.gpx(found[0])
    #expect(gpx.components(separatedBy: "<trkpt").count == 100)
    #expect(try await exporter.workouts(of: .running, longerThan: 71).isEmpty)
  }

  @Test func `a workout is saved without a builder, and a discarded one is not saved`() async throws
  {
    let store = health.store
    let recorder = WorkoutRecorder(healthStore: store, activity: .cycling)
    let workout = await withCheckedContinuation { continuation in
      recorder.saveLegacy(
        activity: .walking, start: noon, end: noon + 600, kilocalories: 40, meters: 800
      ) { workout, _ in continuation.resume(returning: workout) }
    }
    let saved = try #require(workout)
    let exported = try await WorkoutExporter(store: store).export(saved)
    #expect(exported.meters == 800)
    recorder.cancel()
    let all = try await WorkoutExporter(store: store).workouts(of: .cycling, longerThan: 0)
    #expect(all.isEmpty)
  }

  @Test func `an electrocardiogram is read voltage by voltage`() async throws {
    let store = health.store
    let reader = ECGReader(healthStore: store)
    let voltages = (0..<3_000).map { Double($0 % 200) - 100 }
    try await store.save(
      HKElectrocardiogram.validated(
        start: noon, voltages: voltages,
        samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
        classification: .sinusRhythm,
        averageHeartRate: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 64)))
    let latest = await withCheckedContinuation { continuation in
      reader.latest { continuation.resume(returning: $0) }
    }
    let ecg = try #require(latest)
    let lead = try await reader.voltages(of: ecg)
    #expect(lead.microvolts == voltages)
    #expect(lead.seconds[512] == 1)
    #expect(abs(try await reader.peak(of: ecg) - 99e-6) < 1e-12)
    #expect(try await reader.count(classifiedAs: .sinusRhythm) == 1)
    #expect(try await reader.count(classifiedAs: .atrialFibrillation) == 0)
    #expect(
      reader.describe(ecg)
        == "sinus rhythm, 3000 voltages at 512.0 Hz, pulse 64.0, symptoms no")
  }

  @Test func `clinical records are sent byte by byte, and blood pressures as observations`()
    async throws
  {
    let store = health.store
    let body = Data(#"{"resourceType": "Immunization",  "id": "7"}"#.utf8)
    let clinic = HKSource.default()
    try await store.save(
      HKClinicalRecord.validated(
        type: HKClinicalType(.immunizationRecord), displayName: "Tetanus",
        fhirResource: HKFHIRResource(
          resourceType: .immunization, identifier: "7", fhirVersion: .primaryR4(), data: body),
        start: noon, end: noon))
    let pressures = [
      quantity(.bloodPressureSystolic, 120, .millimeterOfMercury(), noon),
      quantity(.bloodPressureDiastolic, 80, .millimeterOfMercury(), noon),
    ]
    try await store.save(
      HKCorrelation(
        type: HKCorrelationType(.bloodPressure), start: noon, end: noon, objects: Set(pressures)))
    let uploader = FHIRUploader(store: store)
    try await uploader.requestAccess()
    #expect(FHIRUploader.recordTypes.count == 8)
    let documents = try await uploader.documents(HKClinicalType(.immunizationRecord))
    #expect(
      documents == [
        FHIRDocument(
          resourceType: "Immunization", identifier: "7", release: "4.0.1", body: body)
      ])
    #expect(try await uploader.records(named: "7", from: clinic, of: .immunization).count == 1)
    #expect(try await uploader.records(named: "8", from: clinic, of: .immunization).isEmpty)
    let observations = try await uploader.bloodPressures()
    let component = try #require(observations.first?["component"] as? [[String: Any]])
    let values = component.map { ($0["valueQuantity"] as? [String: Any])?["value"] as? Double }
    #expect(values == [120, 80])
  }
}
