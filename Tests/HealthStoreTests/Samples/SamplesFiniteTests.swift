import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// Numbers that are NaN, infinite, or out of range for their meaning.
@Suite struct SamplesFiniteTests {
  private func error(_ metadata: [String: Any]) -> HKInvalidSampleError? {
    do {
      _ = try heartBeat(60, metadata: metadata)
      return nil
    } catch {
      return error as? HKInvalidSampleError
    }
  }

  private func synchronised(_ version: Any) -> [String: Any] {
    [HKMetadataKeySyncIdentifier: "id", HKMetadataKeySyncVersion: version]
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a date or quantity in metadata that is not finite is refused`(number: Double) {
    let date = Date(timeIntervalSinceReferenceDate: number)
    let quantity = HKQuantity(unit: .gram(), doubleValue: number)
    for value: Any in [date, date as NSDate, quantity] {
      #expect(error(["key": value]) == .metadataNotFinite(key: "key"))
    }
    #expect(error(["key": number]) == nil)
  }

  @Test func `a sync version that is not a 64-bit integer is refused`() {
    let bad: [Any] = [
      UInt64.max, UInt64(Int64.max) + 1, 1e300, -1e300, Double.infinity, Double.nan, 1.2, 0x1p63,
      Float(0.5), true, false,
    ]
    for version in bad {
      guard case .invalidSyncVersion? = error(synchronised(version)) else {
        Issue.record("\(version) was accepted")
        continue
      }
    }
    for version: Any in [0, -1, Int64.max, Int64.min, 2.0, UInt64(Int64.max), -0x1p63] {
      #expect(error(synchronised(version)) == nil, "\(version)")
    }
  }

  @Test func `an empty sync identifier is refused`() {
    let error = error([HKMetadataKeySyncIdentifier: "", HKMetadataKeySyncVersion: 1])
    #expect(error?.description.contains("its sync identifier is empty.") == true)
  }

  @Test func `an integral version replaces a lesser one, in any notation`()
    async throws
  {
    let store = HKHealthStore.inMemory()
    for (place, version) in ([1, 2.0, Int64.max - 1, Int64.max] as [Any]).enumerated() {
      try await store.save(heartBeat(Double(place), metadata: synchronised(version)))
      #expect(try await store.beats() == [Double(place)])
    }
  }

  @Test func `constructing such a sample traps with a message that names the key`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = HKQuantitySample(
        type: testHeartRate, quantity: HKQuantity(unit: testBeats, doubleValue: 60),
        start: testStart, end: testStart,
        metadata: ["a key": Date(timeIntervalSinceReferenceDate: .nan)])
    }
    guard TrapMessages.arePrinted else { return }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("The metadata value of a key must be finite."))
  }

  @Test func `an unchecked sample is refused on saving`() async throws {
    let store = HKHealthStore.inMemory()
    let good = try heartBeat(60)
    for (metadata, expected) in [
      (
        ["key": Date(timeIntervalSinceReferenceDate: .nan)],
        HKInvalidSampleError.metadataNotFinite(key: "key")
      ), (synchronised(1.9), .invalidSyncVersion("1.9")),
    ] as [([String: Any], HKInvalidSampleError)] {
      // As decoded from an archive of an earlier version.
      let sample = HKQuantitySample(
        built: BuiltSample(
          uuid: UUID(), sampleType: testHeartRate, startDate: testStart, endDate: testStart,
          quantity: good.quantity, metadata: metadata))
      do {
        try await store.save([good, sample])
        Issue.record("\(expected) was saved")
      } catch let error as HKError {
        #expect(error.code == .errorInvalidArgument)
        #expect(error.userInfo[NSUnderlyingErrorKey] as? HKInvalidSampleError == expected)
      }
    }
    #expect(try await store.beats().isEmpty)
  }

  @Test func `a bundle identifier with a NUL cannot match another's sync identifier`() async throws
  {
    let store = HKHealthStore.inMemory()
    let sample = try heartBeat(60, metadata: synchronised(1), source: revision("a\0b"))
    do {
      try await store.save(sample)
      Issue.record("the sample was saved")
    } catch let error as HKError {
      let cause = error.userInfo[NSUnderlyingErrorKey] as? HKInvalidSampleError
      #expect(cause == .invalidBundleIdentifier("a\0b"))
    }
    try await store.save(heartBeat(61, source: revision("a\0b")))
    #expect(try await store.beats() == [61])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `stored metadata that is not finite is an error that names it`(
    number: Double
  ) async throws {
    let database = try Database(path: "/old", fileSystem: MemoryFileSystem())
    let symbols = database.symbols
    var extras = Extras()
    // A key, the tag of a date, and its bits.
    extras.metadata =
      [1, 1, 1, 100, 7] + withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    let id = UUID()
    var batch = Batch()
    batch.add(
      subject: 0, type: symbols.intern(testHeartRate.identifier), id: Identifier(id), start: 5,
      end: 6, value: 60, unit: symbols.intern("count/min"),
      extras: batch.intern(extras: extras.encoded))
    try database.commit(batch)
    let store = HKHealthStore(database: database)
    let error = await #expect(throws: HKError.self) {
      try await store.read(.quantitySample(type: testHeartRate))
    }
    #expect(error?.code == .errorDatabaseInaccessible)
    #expect(error?.description.contains(id.uuidString) == true)
    let anchored = await #expect(throws: HKError.self) {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: testHeartRate)], anchor: nil
      ).result(for: store)
    }
    #expect(anchored?.description.contains(id.uuidString) == true)
    let sample = HKQuantitySample(
      built: BuiltSample(
        uuid: id, sampleType: testHeartRate, startDate: testStart, endDate: testStart))
    try await store.delete(sample)
    #expect(try await store.beats().isEmpty)
  }

  @Test(arguments: [-1e300, 1e300])
  func `samples of an earlier version are read, printed, archived and exported`(
    number: Double
  ) async throws {
    let database = try Database(path: "/old", fileSystem: MemoryFileSystem())
    let symbols = database.symbols
    let date = Date(timeIntervalSinceReferenceDate: number)
    var extras = Extras()
    extras.metadata = try MetadataCoding.encode([
      "date": date, "quantity": HKQuantity(unit: .gram(), doubleValue: number),
      HKMetadataKeySyncIdentifier: "id", HKMetadataKeySyncVersion: number,
    ])
    extras.syncIdentifier = [1]
    var batch = Batch()
    batch.add(
      subject: 0, type: symbols.intern(testHeartRate.identifier), id: Identifier(UUID()),
      start: 5, end: 6, value: 60, unit: symbols.intern("count/min"),
      extras: batch.intern(extras: extras.encoded))
    try database.commit(batch)
    let store = HKHealthStore(database: database)
    let found = try await store.read(.quantitySample(type: testHeartRate))
    let sample = try #require(found.first)
    #expect(!sample.description.isEmpty && !sample.debugDescription.isEmpty)
    let stored = try #require(sample.metadata?["date"] as? Date).timeIntervalSinceReferenceDate
    #expect(stored.bitPattern == number.bitPattern)
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: sample, requiringSecureCoding: true)
    let again = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: HKQuantitySample.self, from: archive)
    #expect(again?.metadata?.count == 4)
    for operation: HKComparisonOperator in [.equalTo, .lessThan, .greaterThan, .notEqualTo] {
      for key in ["date", "quantity", HKMetadataKeySyncVersion] {
        let predicate = HKQuery.predicateForObjects(
          withMetadataKey: key, operatorType: operation, value: try #require(sample.metadata?[key]))
        let isAdmitted = predicate.evaluate(with: sample)
        #expect(try await store.beats(predicate).count == (isAdmitted ? 1 : 0))
        #expect(!predicate.description.isEmpty)
      }
    }
  }

  @Test func `every date of a sample is printed`() {
    for number in [Double.nan, .infinity, -.infinity] {
      let sample = HKSample(
        built: BuiltSample(
          uuid: UUID(), sampleType: Make.heartRate, startDate: Make.date(number),
          endDate: Make.date(number)))
      #expect(sample.description.contains("since 2001"))
    }
  }

  @Test func `a predicate that cannot compare a date throws`() {
    let none = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(
      throws: HKPredicateFormatError.unsuitableConstant(
        keyPath: "metadata.k", constant: "nan s since 2001")
    ) {
      try NSPredicate.healthPredicate(format: "metadata.k LIKE %@", arguments: [none])
    }
  }
}
