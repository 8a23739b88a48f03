import Foundation
import SampleLog
import Testing

@testable import HealthStore

@Suite struct SamplesConstructionTests {
  @Test func `A quantity sample has the class of its type's aggregation style`() {
    let count = HKQuantity(unit: .count(), doubleValue: 5)
    let steps = HKQuantitySample(
      type: Make.steps, quantity: count, start: Make.date(0), end: Make.date(1))
    #expect((steps as? HKCumulativeQuantitySample)?.sumQuantity == count)
    let rate = Make.heartRate(61, from: 3, to: 9)
    let discrete = rate as? HKDiscreteQuantitySample
    #expect(discrete?.averageQuantity == rate.quantity)
    #expect(
      discrete?.mostRecentQuantityDateInterval
        == DateInterval(start: Make.date(3), end: Make.date(9)))
  }

  @Test func `A built sample returns its arguments`() {
    let device = Make.device(name: "Strap")
    let sample = Make.heartRate(72, from: 10, to: 20, device: device, metadata: ["a": "b"])
    #expect(sample.quantityType == Make.heartRate)
    #expect(sample.sampleType == Make.heartRate)
    #expect(sample.quantity.doubleValue(for: Make.bpm) == 72)
    #expect(sample.startDate == Make.date(10))
    #expect(sample.endDate == Make.date(20))
    #expect(sample.device == device)
    #expect(sample.metadata as? [String: String] == ["a": "b"])
    #expect(sample.count == 1)
    #expect(sample.sourceRevision.source == HKSource.default())
    #expect(!sample.hasUndeterminedDuration)
    #expect(Make.sleep(.awake).value == HKCategoryValueSleepAnalysis.awake.rawValue)
  }

  @Test func `Objects are equal when their identifiers are`() throws {
    let one = Make.heartRate()
    let two = Make.heartRate()
    #expect(one == one)
    #expect(one != two)
    #expect(Set<HKObject>([one, two, one]).count == 2)
    let view = try #require(Make.views(Make.heartRate, [ViewRow(uuid: one.uuid)]).first)
    #expect(view == one)
    #expect(view.hash == one.hash)
  }

  @Test func `An end in the distant future means an undetermined duration`() {
    let sample = HKCategorySample(
      type: HKCategoryType(.pregnancy), value: 0, start: Make.date(0), end: .distantFuture)
    #expect(sample.hasUndeterminedDuration)
  }

  @Test func `A program's subclass inherits the initialisers and keeps its overrides`() {
    let fake = FakeSample(
      type: Make.heartRate, quantity: HKQuantity(unit: Make.bpm, doubleValue: 5),
      start: Make.date(0), end: Make.date(1))
    #expect(type(of: fake) == FakeSample.self)
    #expect(fake.startDate == .distantPast)
    #expect(fake.quantity.doubleValue(for: Make.bpm) == 5)
    let delegated = HKQuantitySample(beats: 7)
    #expect(delegated.quantity.doubleValue(for: Make.bpm) == 7)
    #expect(delegated is HKDiscreteQuantitySample)
  }

  @Test func `A correlation returns its objects, all or by type`() {
    let unit = HKUnit.millimeterOfMercury()
    let parts = [HKQuantityTypeIdentifier.bloodPressureSystolic, .bloodPressureDiastolic].map {
      HKQuantitySample(
        type: HKQuantityType($0), quantity: HKQuantity(unit: unit, doubleValue: 100),
        start: Make.date(0), end: Make.date(0))
    }
    let pressure = HKCorrelation(
      type: HKCorrelationType(.bloodPressure), start: Make.date(0), end: Make.date(0),
      objects: Set(parts))
    #expect(pressure.objects == Set(parts))
    #expect(pressure.objects(for: HKQuantityType(.bloodPressureSystolic)) == [parts[0]])
    #expect(pressure.objects(for: Make.heartRate).isEmpty)
  }

  @Test func `Identifiers are of version 4 and never repeat across threads`() async {
    let ids = await withTaskGroup(of: [UUID].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1000).map { _ in IdentifierSource.next() } } }
      return await group.reduce(into: [UUID]()) { $0 += $1 }
    }
    #expect(Set(ids).count == 8000)
    #expect(ids.allSatisfy { $0.uuid.6 >> 4 == 4 && $0.uuid.8 >> 6 == 2 })
  }

  @Test func `Identifiers of one process share only their first half`() {
    let ids = (0..<4096).map { _ in Identifier(IdentifierSource.next()) }
    // There is one prefix, or two if the stream of a million identifiers has just ended.
    #expect(Set(ids.map(\.high)).count <= 2)
    // Each of the 62 bits is set about half of the time. A counter would change only a few of them.
    for bit in 0..<62 {
      let count = ids.count { $0.low >> UInt64(bit) & 1 == 1 }
      #expect((1800...2300).contains(count), "bit \(bit) is set in \(count) of 4096")
    }
  }

  @Test func `A new stream of identifiers begins after one ends, and none repeats`() {
    var maker = IdentifierMaker(streamLength: 128)
    let ids = (0..<1000).map { _ in maker() }
    #expect(Set(ids).count == 1000)
    let streams = stride(from: 0, to: 1000, by: 128).map { ids[$0].high }
    #expect(Set(streams).count == 8)
    for (place, id) in ids.enumerated() {
      let stream = IdentifierStreams.ofThisProcess[id.high]
      #expect(stream?.high == streams[place / 128])
      #expect(stream?.number(of: id) == UInt64(place % 128))
    }
  }
}

@Suite struct SamplesValidationTests {
  private func quantityError(
    _ type: HKQuantityTypeIdentifier = .heartRate, _ value: Double = 1, _ unit: String = "count/s",
    from start: Double = 0, to end: Double = 1, metadata: [String: Any]? = nil
  ) -> HKInvalidSampleError? {
    do {
      _ = try HKQuantitySample.validated(
        type: HKQuantityType(type),
        quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value),
        start: Make.date(start), end: Make.date(end), metadata: metadata)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A quantity sample that HealthKit would reject throws the reason`() {
    let rate = HKQuantityTypeIdentifier.heartRate.rawValue
    #expect(quantityError() == nil)
    #expect(quantityError(to: 0) == nil)
    #expect(quantityError(from: 2, to: 1) == .endBeforeStart(type: rate))
    #expect(quantityError(from: .nan) == .dateNotFinite(type: rate))
    #expect(quantityError(to: .infinity) == .dateNotFinite(type: rate))
    #expect(quantityError(.heartRate, .nan) == .valueNotFinite(type: rate))
    #expect(quantityError(.heartRate, -.infinity) == .valueNotFinite(type: rate))
    #expect(
      quantityError(.heartRate, 1, "kg") == .incompatibleUnit(type: rate, unit: "kg"))
    #expect(quantityError(to: 345_600) == nil)
    #expect(
      quantityError(to: 345_601) == .tooLong(type: rate, duration: 345_601, allowed: 345_600))
  }

  @Test func `A category value that the type does not have throws`() {
    #expect(
      throws: HKInvalidSampleError.invalidCategoryValue(
        type: Make.sleep.identifier, value: 99)
    ) {
      try HKCategorySample.validated(
        type: Make.sleep, value: 99, start: Make.date(0), end: Make.date(1))
    }
  }

  @Test func `Types with mandatory metadata are refused without it and accepted with it`() throws {
    let insulin = HKQuantityTypeIdentifier.insulinDelivery
    #expect(
      quantityError(insulin, 1, "IU")
        == .missingMetadata(type: insulin.rawValue, key: HKMetadataKeyInsulinDeliveryReason))
    #expect(
      quantityError(insulin, 1, "IU", metadata: [HKMetadataKeyInsulinDeliveryReason: 1]) == nil)
    let flow = HKCategoryType(.menstrualFlow)
    #expect(
      throws: HKInvalidSampleError.missingMetadata(
        type: flow.identifier, key: HKMetadataKeyMenstrualCycleStart)
    ) {
      try HKCategorySample.validated(
        type: flow, value: 1, start: Make.date(0), end: Make.date(1), metadata: ["a": 1])
    }
    _ = try HKCategorySample.validated(
      type: flow, value: 1, start: Make.date(0), end: Make.date(1),
      metadata: [HKMetadataKeyMenstrualCycleStart: true])
  }

  @Test func `A sync identifier and a sync version are refused without each other`() {
    let both: [String: Any] = [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: 1]
    #expect(quantityError(metadata: both) == nil)
    #expect(
      quantityError(metadata: [HKMetadataKeySyncIdentifier: "x"])
        == .incompleteSyncIdentity(missing: HKMetadataKeySyncVersion))
    #expect(
      quantityError(metadata: [HKMetadataKeySyncVersion: 1])
        == .incompleteSyncIdentity(missing: HKMetadataKeySyncIdentifier))
  }

  @Test func `Invalid and oversized metadata is refused`() {
    #expect(
      quantityError(metadata: ["k": [1]])
        == .unsupportedMetadataValue(key: "k", valueType: "Array<Int>"))
    #expect(
      quantityError(metadata: [HKMetadataKeyTimeZone: 4])
        == .wrongMetadataClass(key: HKMetadataKeyTimeZone, expected: "a String"))
    #expect(
      quantityError(metadata: [HKMetadataKeyWasUserEntered: "yes"])
        == .wrongMetadataClass(key: HKMetadataKeyWasUserEntered, expected: "a Bool"))
    let longest = String(repeating: "k", count: 1024)
    #expect(quantityError(metadata: [longest: 1]) == nil)
    #expect(
      quantityError(metadata: [longest + "k": 1]) == .metadataKeyTooLong(bytes: 1025, allowed: 1024)
    )
    let big = String(repeating: "v", count: 1 << 20)
    guard case .metadataTooLarge? = quantityError(metadata: ["k": big]) else {
      Issue.record("a megabyte of text was accepted")
      return
    }
  }

  @Test func `A correlation inside a correlation is refused`() {
    let type = HKCorrelationType(.food)
    let inner = HKCorrelation(type: type, start: Make.date(0), end: Make.date(0), objects: [])
    #expect(throws: HKInvalidSampleError.unsupportedCorrelationObject(type: type.identifier)) {
      try HKCorrelation.validated(
        type: type, start: Make.date(0), end: Make.date(0), objects: [inner])
    }
  }

  @Test func `The error is HealthKit's invalid argument with a message`() {
    let error = HKInvalidSampleError.endBeforeStart(type: "T") as NSError
    #expect(error.domain == HKErrorDomain)
    #expect(error.code == HKError.Code.errorInvalidArgument.rawValue)
    #expect(error.localizedDescription == "A sample of T must not end before it starts.")
  }

  @Test func `The plain initialiser traps if the validating one throws`() async {
    await #expect(processExitsWith: .failure) {
      _ = Make.heartRate(from: 2, to: 1)
    }
  }
}

private class FakeSample: HKQuantitySample, @unchecked Sendable {
  override var startDate: Date { .distantPast }
}

extension HKQuantitySample {
  fileprivate convenience init(beats: Double) {
    self.init(
      type: Make.heartRate, quantity: HKQuantity(unit: Make.bpm, doubleValue: beats),
      start: Make.date(0), end: Make.date(0))
  }
}
