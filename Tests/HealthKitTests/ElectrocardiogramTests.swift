import HealthKit
import Testing

/// Electrocardiograms through the public interface.
@Suite struct ElectrocardiogramTests {
  let store = HKHealthStore.inMemory()

  private static let voltages = (0..<15_360).map { Double(($0 * 7919) % 4001 - 2000) / 8 }

  private func make(
    _ classification: HKElectrocardiogram.Classification = .sinusRhythm,
    heartRate: Double? = 62, _ status: HKElectrocardiogram.SymptomsStatus = .notSet,
    symptoms: Set<HKCategorySample> = []
  ) throws -> HKElectrocardiogram {
    try HKElectrocardiogram.validated(
      start: start, voltages: Self.voltages,
      samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: 512),
      classification: classification,
      averageHeartRate: heartRate.map { HKQuantity(unit: beatsPerMinute, doubleValue: $0) },
      symptomsStatus: status, symptoms: symptoms)
  }

  private func found(_ predicate: NSPredicate? = nil) async throws -> [HKElectrocardiogram] {
    try await HKSampleQueryDescriptor(
      predicates: [.electrocardiogram(predicate)], sortDescriptors: []
    ).result(for: store)
  }

  @Test func `An electrocardiogram is read back with all its properties`() async throws {
    let made = try make(.atrialFibrillation, .present)
    try await store.save(made)
    let read = try #require(try await found().first)
    for ecg in [made, read] {
      #expect(ecg.numberOfVoltageMeasurements == 15_360)
      #expect(ecg.samplingFrequency == HKQuantity(unit: .hertz(), doubleValue: 512))
      #expect(ecg.classification == .atrialFibrillation)
      #expect(ecg.symptomsStatus == .present)
      #expect(ecg.averageHeartRate == HKQuantity(unit: beatsPerMinute, doubleValue: 62))
      #expect(ecg.startDate == start)
      #expect(abs(ecg.endDate.timeIntervalSince(start) - 30) < 0.01)
    }
    #expect(read == made)
  }

  @Test func `An unknown heart rate is nil`() async throws {
    try await store.save(make(.inconclusivePoorReading, heartRate: nil))
    #expect(try await found().first?.averageHeartRate == nil)
  }

  @Test func `A query delivers each voltage with its time, then that it is done`() async throws {
    let ecg = try make()
    try await store.save(ecg)
    let (calls, continuation) = AsyncThrowingStream<
      HKElectrocardiogram.VoltageMeasurement, any Error
    >.makeStream()
    store.execute(
      HKElectrocardiogramQuery(ecg) { _, result in
        switch result {
        case .measurement(let measurement): continuation.yield(measurement)
        case .done: continuation.finish()
        case .error(let error): continuation.finish(throwing: error)
        }
      })
    var read: [Double] = []
    var times: [Double] = []
    for try await measurement in calls {
      let voltage = measurement.quantity(for: .appleWatchSimilarToLeadI)
      read.append(try #require(voltage).doubleValue(for: .voltUnit(with: .micro)))
      times.append(measurement.timeSinceSampleStart)
    }
    #expect(read == Self.voltages)
    #expect(times == (0..<15_360).map { Double($0) / 512 })
  }

  @Test func `The older handler receives each voltage, then nil and done`() async throws {
    let ecg = try make()
    try await store.save(ecg)
    let (calls, continuation) = AsyncThrowingStream<(Bool, Bool), any Error>.makeStream()
    store.execute(
      HKElectrocardiogramQuery(electrocardiogram: ecg) { _, measurement, isDone, error in
        if let error { return continuation.finish(throwing: error) }
        continuation.yield((measurement != nil, isDone))
        if isDone { continuation.finish() }
      })
    var all: [Bool] = []
    for try await (hasVoltage, isDone) in calls {
      #expect(hasVoltage != isDone)
      all.append(hasVoltage)
    }
    #expect(all.count == 15_361)
  }

  @Test func `The descriptor delivers the voltages one by one`() async throws {
    let ecg = try make()
    try await store.save(ecg)
    var read: [Double] = []
    for try await voltage in HKElectrocardiogramQueryDescriptor(ecg).results(for: store) {
      let quantity = voltage.quantity(for: .appleWatchSimilarToLeadI)
      read.append(try #require(quantity).doubleValue(for: .voltUnit(with: .micro)))
    }
    #expect(read == Self.voltages)
  }

  @Test func `Predicates find electrocardiograms by classification and symptoms`() async throws {
    let first = try make(.sinusRhythm, HKElectrocardiogram.SymptomsStatus.none)
    let second = try make(.atrialFibrillation, heartRate: 120, .present)
    try await store.save([first, second])
    #expect(
      try await found(HKQuery.predicateForElectrocardiograms(classification: .sinusRhythm))
        == [first])
    #expect(
      try await found(HKQuery.predicateForElectrocardiograms(symptomsStatus: .present)) == [second])
    #expect(
      try await found(HKQuery.predicateForElectrocardiograms(symptomsStatus: .notSet)).isEmpty)
    let fast = NSPredicate(
      format: "%K > %@", HKPredicateKeyPathAverageHeartRate,
      HKQuantity(unit: beatsPerMinute, doubleValue: 100))
    #expect(try await found(fast) == [second])
    #expect(try await found(NSCompoundPredicate(notPredicateWithSubpredicate: fast)) == [first])
  }

  @Test func `A predicate on electrocardiograms matches no other samples`() async throws {
    try await store.save(beat(60))
    let predicate = HKQuery.predicateForElectrocardiograms(classification: .notSet)
    #expect(try await store.samples(heartRate, predicate: predicate).isEmpty)
  }

  @Test func `The symptoms of an electrocardiogram are found through it`() async throws {
    let type = HKCategoryType(.skippedHeartbeat)
    let symptoms = (0..<3).map { index in
      HKCategorySample(
        type: type, value: HKCategoryValueSeverity.mild.rawValue,
        start: start.addingTimeInterval(Double(index)), end: start.addingTimeInterval(9))
    }
    let ecg = try make(.atrialFibrillation, .present, symptoms: Set(symptoms.prefix(2)))
    try await store.save(symptoms)
    try await store.save(ecg)
    let stored = try #require(try await found().first)
    let predicate = HKQuery.predicateForObjectsAssociated(electrocardiogram: stored)
    #expect(
      Set(try await store.samples(type, predicate: predicate)) == Set(symptoms.prefix(2)))
  }

  @Test func `Invalid voltages, frequencies and symptoms are refused`() {
    func refuses(
      _ voltages: [Double], _ unit: HKUnit, _ frequency: HKQuantity,
      _ heartRate: HKQuantity? = nil, symptoms: Set<HKCategorySample> = []
    ) -> Bool {
      do {
        _ = try HKElectrocardiogram.validated(
          start: start, voltages: voltages, unit: unit, samplingFrequency: frequency,
          classification: .notSet, averageHeartRate: heartRate, symptoms: symptoms)
        return false
      } catch {
        return true
      }
    }
    let frequency = HKQuantity(unit: .hertz(), doubleValue: 512)
    #expect(!refuses([1], .volt(), frequency))
    #expect(refuses([], .volt(), frequency))
    #expect(refuses([1], .meter(), frequency))
    #expect(refuses([1], .volt(), HKQuantity(unit: .hertz(), doubleValue: 0)))
    #expect(refuses([1], .volt(), HKQuantity(unit: .second(), doubleValue: 1)))
    #expect(refuses([1], .volt(), frequency, HKQuantity(unit: .meter(), doubleValue: 60)))
    let symptom = HKCategorySample(
      type: HKCategoryType(.skippedHeartbeat), value: 0, start: start, end: start)
    #expect(refuses([1], .volt(), frequency, symptoms: [symptom]))
  }

  @Test func `An archived electrocardiogram is restored with all its properties`() throws {
    let ecg = try make(.inconclusiveOther, .present)
    let data = try NSKeyedArchiver.archivedData(withRootObject: ecg, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: HKElectrocardiogram.self, from: data))
    #expect(read == ecg)
    #expect(read.classification == .inconclusiveOther)
    #expect(read.numberOfVoltageMeasurements == 15_360)
  }
}
