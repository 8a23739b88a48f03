import CoreLocation
import HealthKit
import HealthKitTesting
import Testing
import UniformTypeIdentifiers

/// The listings in the comments of samples, units, builders and stores.
@Suite struct ObjectListingTests {
  private let store = HKHealthStore.inMemory()

  @Test func `a store saves and deletes`() async throws {
    let folder = try Folder()
    let directory = folder.url.appending(path: "store")
    let samples = [walk(62), walk(64, 60)]

    let store = try HKHealthStore(directory: directory)
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    try await store.save(samples)
    try await store.delete(samples[0])

    let left = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: [])
    #expect(try await left.result(for: store).map(\.uuid) == [samples[1].uuid])
  }

  @Test func `samples of three kinds are made`() async throws {
    let (evening, morning) = (date, date + 28_800)
    func sample(_ type: HKQuantityTypeIdentifier, _ value: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(type),
        quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: value), start: date,
        end: date)
    }
    let (systolic, diastolic) = (
      sample(.bloodPressureSystolic, 121), sample(.bloodPressureDiastolic, 79)
    )

    let beat = HKQuantitySample(
      type: HKQuantityType(.heartRate),
      quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 62),
      start: date, end: date, metadata: [HKMetadataKeyWasUserEntered: true])

    let night = HKCategorySample(
      type: HKCategoryType(.sleepAnalysis),
      value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: evening, end: morning)

    let pressure = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: date, end: date,
      objects: [systolic, diastolic])

    let mood = HKStateOfMind(
      date: date, kind: .momentaryEmotion, valence: 0.6, labels: [.calm],
      associations: [.family])

    try await store.save([beat, night, pressure, mood])
    let all = HKSampleQueryDescriptor(
      predicates: [.correlation(type: HKCorrelationType(.bloodPressure))], sortDescriptors: [])
    #expect(try await all.result(for: store).first?.objects.count == 2)
  }

  @Test func `units and quantities convert`() throws {
    let text = "mg/dL"

    let rate = HKUnit.count().unitDivided(by: .minute())
    let same = HKUnit(from: "count/min")
    let unit = try HKUnit.parse(text)  // throws if the text is not a unit

    #expect(rate == same)
    #expect(unit.unitString == "mg/dL")

    let distance = HKQuantity(unit: .meter(), doubleValue: 1500)
    let kilometers = distance.doubleValue(for: .meterUnit(with: .kilo))  // 1.5
    let mile = HKQuantity(unit: .mile(), doubleValue: 1)
    let isShorter = distance.compare(mile) == .orderedAscending  // true

    #expect(kilometers == 1.5)
    #expect(isShorter)
  }

  @Test func `a workout is built with its route`() async throws {
    let (start, end) = (date, date + 1800)
    let samples = [beat(140, 60), beat(150, 120)]
    let locations = (0..<3).map { second in
      CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 48.6, longitude: 6.1), altitude: 360,
        horizontalAccuracy: 2, verticalAccuracy: 3, timestamp: start + Double(second))
    }

    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
    try await builder.beginCollection(at: start)
    try await builder.addSamples(samples)
    try await builder.endCollection(at: end)
    let finished = try await builder.finishWorkout()

    let workout = try #require(finished)
    #expect(workout.duration == 1800)
    try await route(locations, of: workout)
  }

  private func route(_ locations: [CLLocation], of workout: HKWorkout) async throws {
    let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
    try await builder.insertRouteData(locations)
    let route = try await builder.finishRoute(with: workout, metadata: nil)

    var count = 0
    for try await _ in HKWorkoutRouteQueryDescriptor(route).results(for: store) { count += 1 }
    #expect(count == 3)
  }

  @Test func `series of values and of heartbeats are saved`() async throws {
    let (start, end) = (date, date + 60)
    let perMinute = HKUnit(from: "count/min")

    let rates = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: HKQuantityType(.heartRate), startDate: start, device: nil)
    try rates.insert(HKQuantity(unit: perMinute, doubleValue: 62), at: start)
    try rates.insert(HKQuantity(unit: perMinute, doubleValue: 64), at: end)
    let samples = try await rates.finishSeries(metadata: nil)

    #expect(samples.map(\.count) == [2])

    let beats = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: start)
    try await beats.addHeartbeat(at: 0.8, precededByGap: false)
    try await beats.addHeartbeat(at: 1.7, precededByGap: false)
    let series = try await beats.finishSeries()

    #expect(series.count == 2)
  }

  @Test func `an attachment is added and read`() async throws {
    let folder = try Folder()
    let file = folder.url.appending(path: "scan.pdf")
    try Data("%PDF".utf8).write(to: file)
    let sample = beat(60)
    try await store.save(sample)

    let attachments = HKAttachmentStore(healthStore: store)
    let attachment = try await attachments.addAttachment(
      to: sample, name: "scan.pdf", contentType: .pdf, url: file)
    let content = try await attachments.dataReader(for: attachment).data

    #expect(content == Data("%PDF".utf8))
  }

  @Test func `a policy decides what an app may read`() async throws {
    store.authorization = AuthorizationPolicy(
      sharing: [HKQuantityType(.stepCount): .granted],
      reading: [HKQuantityType(.stepCount): .granted, HKQuantityType(.heartRate): .denied])

    try await store.save(walk(10))
    await #expect(throws: HKError.self) { try await store.save(beat(60)) }
  }

  @Test func `a test has its own health data and a watch`() async throws {
    let health = try TestHealthData()
    let generator = SampleGenerator(seed: 1, calendar: health.calendar)
    try await health.store.save(generator.steps(on: health.clock.now))
    let app = health.app()
    try await app.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])

    let read = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: [])
    #expect(try await read.result(for: app).count > 10)
  }

  @Test func `a watch collects heart rates`() async throws {
    let health = try TestHealthData()
    let app = health.app()
    try await app.requestAuthorization(
      toShare: [.workoutType(), heartRate], read: [.workoutType(), heartRate])
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running

    let session = try HKWorkoutSession(healthStore: app, configuration: configuration)
    session.startActivity(with: health.clock.now)
    await health.watch.settle()
    health.clock.advance(by: 60)
    let beats = HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 140)
    try await health.watch.collect(beats, of: HKQuantityType(.heartRate))
    health.watch.pause()
    await health.watch.settle()

    #expect(session.state == .paused)
  }
}
