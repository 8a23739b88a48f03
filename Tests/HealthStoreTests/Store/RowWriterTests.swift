import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// The batches of a writer, and its look-ups of samples that are imported again.
@Suite struct RowWriterTests {
  private let database: Database

  init() throws { database = try Database(path: "store", fileSystem: MemoryFileSystem()) }

  private func makeWriter() -> RowWriter { RowWriter(database, subject: "") }

  private func sample(
    _ value: Double = 60, at offset: TimeInterval = 0, type: HKQuantityType = testHeartRate,
    metadata: [String: Any] = [:]
  ) -> IncomingSample {
    let start = testStart.addingTimeInterval(offset)
    return IncomingSample(
      uuid: UUID(), type: type.identifier, start: start, end: start.addingTimeInterval(1),
      value: value, unit: type == testSteps ? HKUnit.count() : testBeats,
      sourceRevision: revision("org.example"), device: nil, metadata: metadata)
  }

  private func version(_ version: Int, _ name: String) -> [String: Any] {
    [HKMetadataKeySyncIdentifier: name, HKMetadataKeySyncVersion: version]
  }

  // MARK: Commits

  @Test func `Each commit of a writer reports its own samples`() throws {
    var writer = makeWriter()
    try writer.add(sample(metadata: version(2, "a")))
    try writer.add(sample(61))
    let count = writer.count
    let first = try writer.commit()
    #expect(count == 2 && first.added.count == 2 && first.known.isEmpty)
    #expect(first.superseded == 0 && first.supersededTypes.isEmpty)
    try writer.add(sample(metadata: version(1, "a")))
    let second = try writer.commit()
    #expect(second.superseded == 1 && second.supersededTypes == [testHeartRate.identifier])
    try writer.add(sample(type: testSteps, metadata: version(1, "b")))
    let third = try writer.commit()
    #expect(third.added == [testSteps.identifier] && third.superseded == 0)
    try writer.add(sample(type: testSteps, metadata: version(1, "b")))
    try writer.add(sample(metadata: version(1, "c")))
    let fourth = try writer.commit()
    #expect(fourth.superseded == 1 && fourth.supersededTypes == [testSteps.identifier])
    let rest = writer.count
    #expect(rest == 0)
  }

  @Test func `A writer finds the samples that it committed`() throws {
    var writer = makeWriter()
    let wasNew = writer.isNewSubject()
    let beat = sample(60.5)
    let before = try writer.row(beat.uuid)
    try writer.add(beat)
    _ = try writer.commit()
    let row = try writer.row(beat.uuid)
    let isNew = writer.isNewSubject()
    #expect(wasNew && !isNew && before == nil)
    let number = writer.number(of: try #require(row))
    #expect(number.value == 60.5 && number.unit == testBeats)
    let type = HKCategoryType(.sleepAnalysis).identifier
    let sleep = IncomingSample(
      uuid: UUID(), type: type, start: testStart, end: testStart, value: 2, unit: nil,
      sourceRevision: .current, device: nil, metadata: [:])
    try writer.add(sleep)
    _ = try writer.commit()
    let other = try writer.row(sleep.uuid)
    let category = writer.number(of: try #require(other))
    #expect(category.value == 2 && category.unit == nil)
  }

  @Test func `Each sample that is linked to a workout has its own row, added once`() async throws {
    let store = HKHealthStore(database: database)
    let workout = try HKWorkout.validated(
      activityType: .running, start: testStart, end: testStart + 600)
    try await store.save(workout)
    let linked = (0..<3).map { sample(Double($0)) }
    for round in [[0, 1], [1, 2], [2, 0]] {
      var again = IncomingSample(
        uuid: workout.uuid, type: HKObjectType.workoutType().identifier, start: testStart,
        end: testStart + 600, value: 37, unit: nil, sourceRevision: .current, device: nil,
        metadata: [:])
      again.payload = workout.materialized.contents?.payload
      again.linked = round.map { linked[$0] }
      var writer = makeWriter()
      try writer.add(again)
      let outcome = try writer.commit()
      #expect(outcome.known == [again.type] && outcome.added.isEmpty)
    }
    let snapshot = database.snapshot()
    let row = try #require(try snapshot.row(Identifier(workout.uuid)))
    let members = try snapshot.payloads(WorkoutLinksPayload.self, of: row).flatMap(\.members)
    #expect(members.count == 3 && Set(members.map(\.id.uuid)) == Set(linked.map(\.uuid)))
  }

  /// An imported workout with links to some samples.
  private func workout(linking samples: [IncomingSample]) throws -> IncomingSample {
    let workout = try HKWorkout.validated(
      activityType: .running, start: testStart, end: testStart + 600)
    var imported = IncomingSample(
      uuid: workout.uuid, type: HKObjectType.workoutType().identifier, start: testStart,
      end: testStart + 600, value: 37, unit: nil, sourceRevision: .current, device: nil,
      metadata: [:])
    imported.payload = workout.materialized.contents?.payload
    imported.children = [WorkoutLinksPayload(samples)]
    return imported
  }

  @Test func `A workout depends on its samples and is recounted if one is not in the store`() throws
  {
    let (stored, absent, new) = (sample(1), sample(2), sample(3))
    let (named, renewed) = (
      sample(4, metadata: version(1, "a")), sample(5, metadata: version(1, "b"))
    )
    var writer = makeWriter()
    try writer.add(stored)
    try writer.add(sample(6, metadata: version(2, "b")))
    _ = try writer.commit()
    // The last one is older than the stored version, so its commit leaves it out.
    for (linked, isMarked, isRecounted) in [
      ([stored, new, named], false, false), ([stored, absent], false, true),
      ([stored, absent], true, true), ([new, renewed], false, true),
    ] {
      var writer = makeWriter()
      for one in [new, named, renewed] { try writer.add(one) }
      var workout = try workout(linking: linked)
      if isMarked { workout.children.append(WorkoutRecountPayload()) }
      try writer.add(workout)
      let dependencies = writer.batch.dependencies
      #expect(dependencies == Set(linked.map { Identifier($0.uuid) }))
      _ = try writer.commit()
      let snapshot = database.snapshot()
      let row = try #require(try snapshot.row(Identifier(workout.uuid)))
      let marks = try snapshot.payloads(WorkoutRecountPayload.self, of: row)
      #expect(marks.count == (isRecounted ? 1 : 0), "\(linked.map(\.value))")
      var batch = Batch()
      for one in [new, named] { batch.delete(Identifier(one.uuid)) }
      try database.commit(batch)
    }
  }

  @Test func `Links to samples outside a workout's dates have a negative number`() throws {
    for (offset, number) in [(0.0, 0.0), (599, 0), (-0.5, -1), (599.5, -1)] {
      var writer = makeWriter()
      let workout = try workout(linking: [sample(at: offset)])
      try writer.add(workout)
      _ = try writer.commit()
      let id = Identifier(
        childOf: Identifier(workout.uuid), type: WorkoutLinksPayload.childType, number: 0)
      #expect(try database.snapshot().row(id)?.value == number, "\(offset)")
    }
  }

  @Test func `A writer asks its store's delegate before a commit, and waits for it afterwards`()
    throws
  {
    let (isAllowed, confirmed) = (Locked(false), Locked<[UInt64]>([]))
    let refusal = StoreError.invalid("not the primary")
    let store = OpenStore(
      database,
      confirmer: CommitConfirmer(
        checkSaving: { if isAllowed.withLock({ !$0 }) { throw refusal } },
        confirm: { last in
          confirmed.withLock { $0.append(last) }
          if last > 1 { throw refusal }
        }))
    var writer = RowWriter(store, subject: "")
    /// Commits and returns whether the delegate refused it.
    func isRefused(_ writer: inout RowWriter) throws -> Bool {
      do {
        _ = try writer.commit()
        return false
      } catch let error as StoreError where error == refusal {
        return true
      }
    }
    try writer.add(sample())
    let (wasAsked, pending) = (try isRefused(&writer), writer.count)
    #expect(wasAsked && pending == 1 && database.end == 0)
    isAllowed.withLock { $0 = true }
    let wasRefused = try isRefused(&writer)
    #expect(!wasRefused && database.end == 1 && confirmed.withLock { $0 } == [1])
    try writer.add(sample())
    let (wasDoubted, rest) = (try isRefused(&writer), writer.count)
    #expect(wasDoubted && rest == 0 && database.end == 2 && confirmed.withLock { $0 } == [1, 2])
  }

  @Test func `A sync identity may have 65,535 bytes, and a longer one is refused by itself`() throws
  {
    let prefix = "org.example".utf8.count + 1
    for length in [65_535, 65_536] {
      var writer = makeWriter()
      let name = String(repeating: "a", count: length - prefix)
      var wasRefused = false
      do {
        try writer.add(sample(metadata: version(1, name)))
      } catch is HKInvalidSampleError {
        wasRefused = true
      }
      try writer.add(sample())
      let outcome = try writer.commit()
      #expect(wasRefused == (length > 65_535))
      #expect(outcome.added.count == (wasRefused ? 1 : 2))
    }
  }

  // MARK: Look-ups

  @Test func `The likeness of samples depends on every column and the metadata`() throws {
    var base = sample(metadata: ["a": 1])
    base.device = HKDevice(
      name: "Strap", manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
      softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
    var writer = makeWriter()
    try writer.add(base)
    let plain = sample(70)
    try writer.add(plain)
    _ = try writer.commit()
    let found = try writer.row(base.uuid)
    let row = try #require(found)
    let changes: [(Likeness, (inout IncomingSample) -> Void)] = [
      (.equal, { _ in }), (.equal, { $0.uuid = UUID() }), (.distant, { $0.value = 61 }),
      (.close, { $0.unit = HKUnit(from: "count/s") }),
      (.close, { $0.sourceRevision = revision("org.example", "2") }),
      (.close, { $0.device = nil }), (.close, { $0.start.addTimeInterval(0.5) }),
      (.close, { $0.end.addTimeInterval(1) }), (.close, { $0.metadata = [:] }),
      (.close, { $0.metadata = ["a": 2] }), (.close, { $0.metadata = ["a": 1, "b": 1] }),
      // Such metadata cannot be stored.
      (.close, { $0.metadata = ["a": [1]] }),
    ]
    for (number, (expected, change)) in changes.enumerated() {
      var other = base
      change(&other)
      let likeness = try writer.likeness(of: other, to: row)
      #expect(likeness == expected, "change \(number)")
    }
    let foundPlain = try writer.row(plain.uuid)
    let plainRow = try #require(foundPlain)
    var other = plain
    let equal = try writer.likeness(of: other, to: plainRow)
    other.metadata = ["a": 1]
    let close = try writer.likeness(of: other, to: plainRow)
    #expect(equal == .equal && close == .close)
  }

  /// Commits a correlation with one member, and a sample outside it.
  private func commitMeal() throws -> (whole: IncomingSample, part: IncomingSample, UUID) {
    var whole = IncomingSample(
      uuid: UUID(), type: HKCorrelationType(.food).identifier, start: testStart,
      end: testStart + 1, value: 0, unit: nil, sourceRevision: revision("org.example"), device: nil,
      metadata: version(3, "meal"))
    whole.metadata[HKMetadataKeyExternalUUID] = "x"
    var part = sample()
    part.memberOf = [Identifier(whole.uuid)]
    whole.payload = CorrelationPayload([part.asMember])
    let plain = sample(61)
    var writer = makeWriter()
    for one in [whole, part, plain] { try writer.add(one) }
    _ = try writer.commit()
    return (whole, part, plain.uuid)
  }

  @Test func `A member belongs to a live correlation, a version to its sync identity`() throws {
    let (whole, part, plain) = try commitMeal()
    var writer = makeWriter()
    let snapshot = database.snapshot()
    let rows = try [whole.uuid, part.uuid, plain].map { try snapshot.row(Identifier($0)) }
    let (wholeRow, partRow) = (try #require(rows[0]), try #require(rows[1]))
    let plainRow = try #require(rows[2])
    let identities = [version(3, "meal"), version(4, "meal"), version(3, "dish"), [:]].map {
      SyncIdentity($0, revision("org.example"))
    }
    var isMember: [Bool] = []
    var isVersion: [Bool] = []
    for identity in identities {
      for row in [wholeRow, partRow, plainRow] {
        isMember.append(try writer.isMember(row, notOf: identity))
        isVersion.append(try writer.isVersion(row, of: identity))
      }
    }
    let (no, yes) = (false, true)
    #expect(isMember == [no, no, no, no, no, no, no, yes, no, no, yes, no])
    #expect(isVersion == [yes, no, no, no, no, no, no, no, no, no, yes, yes])
    var batch = Batch()
    batch.delete(Identifier(whole.uuid))
    try database.commit(batch)
    var later = makeWriter()
    let isStillMember = try later.isMember(partRow, notOf: nil)
    #expect(!isStillMember)
  }

  @Test func `A correlation is found by type, source, second and identity`() throws {
    let (whole, part, _) = try commitMeal()
    var other = revision("org.example")
    other = HKSourceRevision(
      source: HKSource(name: "Other", bundleIdentifier: "org.example"), version: other.version,
      productType: other.productType, operatingSystemVersion: other.operatingSystemVersion)
    let changes: [(Int, (inout IncomingSample) -> Void)] = [
      (1, { _ in }), (1, { $0.uuid = UUID() }), (1, { $0.value = 5 }),
      (1, { $0.start.addTimeInterval(0.3) }), (1, { $0.end.addTimeInterval(0.9) }),
      (1, { $0.sourceRevision = revision("org.example", "2") }),
      (0, { $0.sourceRevision = other }), (0, { $0.start.addTimeInterval(-0.1) }),
      (0, { $0.end.addTimeInterval(1) }), (0, { $0.end.addTimeInterval(-0.1) }),
      (0, { $0.metadata[HKMetadataKeyExternalUUID] = "y" }),
      (0, { $0.metadata[HKMetadataKeyExternalUUID] = nil }),
      (0, { $0.metadata[HKMetadataKeySyncVersion] = 4 }),
      (0, { $0.metadata[HKMetadataKeySyncIdentifier] = "dish" }),
      (0, { $0.type = HKCorrelationType(.bloodPressure).identifier }),
    ]
    var writer = makeWriter()
    for (number, (count, change)) in changes.enumerated() {
      var sought = whole
      change(&sought)
      let found = try writer.correlations(like: sought)
      #expect(found.map { $0.row.id.uuid } == (count > 0 ? [whole.uuid] : []), "change \(number)")
      #expect(found.allSatisfy { $0.members.map { $0.row?.id.uuid } == [part.uuid] })
      #expect(found.allSatisfy { $0.members.map(\.member) == [part.asMember] })
    }
  }

  // MARK: Rows of other stores

  @Test func `A child row of another store needs dates and a value that are finite`() throws {
    var extras = Extras()
    extras.memberOf = [Identifier(UUID())]
    WorkoutRecountPayload().add(to: &extras)
    var row = StoredSample(
      uuid: UUID(), type: HKObjectType.workoutType().identifier,
      childType: WorkoutRecountPayload.childType, start: 1, end: 2, value: 0)
    row.extras = extras.encoded
    let changes: [(Bool, (inout StoredSample) -> Void)] = [
      (true, { _ in }), (true, { $0.end = 1 }), (false, { $0.end = 0 }),
      (false, { $0.start = -.infinity }), (false, { $0.end = .infinity }),
      (false, { $0.value = .nan }), (false, { $0.childType = nil }),
      (false, { $0.childType = "effort" }), (false, { $0.extras = [] }),
    ]
    var writer = makeWriter()
    for (number, (isValid, change)) in changes.enumerated() {
      var other = row
      change(&other)
      var wasRefused = false
      do {
        try writer.check(child: other)
      } catch {
        wasRefused = true
      }
      #expect(wasRefused == !isValid, "change \(number)")
    }
  }

  @Test func `A row of another store keeps every column`() throws {
    var row = StoredSample(
      uuid: UUID(), type: testHeartRate.identifier, start: 1.25, end: 2.5, value: 61)
    row.unit = "count/s"
    row.source = revision("org.example").storedBytes
    row.device = HKDevice.local().storedBytes
    var extras = Extras()
    extras.metadata = try MetadataCoding.encode(["a": 1])
    row.extras = extras.encoded
    var writer = makeWriter()
    // Two rows, because the second one uses the names of the first.
    var twin = row
    twin.uuid = UUID()
    for one in [row, twin] { try writer.add(one) }
    _ = try writer.commit()
    for id in [row.uuid, twin.uuid] {
      let found = try #require(try database.snapshot().row(Identifier(id)))
      let (block, place) = (found.block, found.row)
      #expect(block.start[place] == 1.25 && block.end[place] == 2.5 && block.value[place] == 61)
      #expect(database.symbols.text(block.unit[place]) == "count/s")
      #expect(database.symbols.name(block.source[place]) == row.source)
      #expect(database.symbols.name(block.device[place]) == row.device)
      #expect([UInt8](block.extras(at: place)) == row.extras)
      #expect(database.symbols.text(block.type) == row.type)
    }
  }

  /// Returns whether a writer refuses to add something.
  private func isRefused(_ add: (inout RowWriter) throws -> Void) throws -> Bool {
    var writer = makeWriter()
    var wasRefused = false
    do {
      try add(&writer)
    } catch is HKInvalidSampleError {
      wasRefused = true
    }
    // Other rows can be committed in both cases.
    try writer.add(sample())
    _ = try writer.commit()
    return wasRefused
  }

  @Test func `A source or device of another store may have 65,535 bytes, and no more`() throws {
    let row = StoredSample(
      uuid: UUID(), type: testHeartRate.identifier, start: 1, end: 2, value: 61)
    func source(_ length: Int) -> [UInt8] {
      HKSourceRevision(
        source: HKSource(
          name: String(repeating: "a", count: length), bundleIdentifier: "org.example"),
        version: nil
      )
      .storedBytes
    }
    func device(_ length: Int) -> [UInt8] {
      HKDevice(
        name: String(repeating: "a", count: length), manufacturer: nil, model: nil,
        hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil,
        udiDeviceIdentifier: nil
      )
      .storedBytes
    }
    for size in [65_535, 65_536] {
      var (first, second) = (row, row)
      (first.unit, second.unit) = ("count/s", "count/s")
      (first.uuid, second.uuid) = (UUID(), UUID())
      first.source = source(size - source(60_000).count + 60_000)
      second.device = device(size - device(60_000).count + 60_000)
      #expect(first.source.count == size && second.device.count == size)
      for one in [first, second] {
        #expect(try isRefused { try $0.add(one) } == (size > 65_535))
      }
    }
    var long = row
    long.unit = String(repeating: "m", count: 65_536)
    #expect(try isRefused { try $0.add(long) })
  }

  @Test func `A series of another store needs all of its points, each in its own row`() throws {
    let type = HKSeriesType.heartbeat().identifier
    func makeSeries(
      count: Int = 4, layout: PointLayout = .heartbeats
    ) -> (StoredSample, [StoredSample]) {
      var whole = StoredSample(uuid: UUID(), type: type, start: 1, end: 9, value: 0)
      var extras = Extras()
      HeartbeatSeriesPayload(count: count).add(to: &extras)
      whole.extras = extras.encoded
      let rows = (0..<2).map { number in
        let id = Identifier(
          childOf: Identifier(whole.uuid), type: PointChunk.childType, number: UInt64(number))
        var row = StoredSample(
          uuid: id.uuid, type: type, childType: PointChunk.childType, start: 1, end: 9,
          value: Double(number))
        var extras = Extras()
        extras.memberOf = [Identifier(whole.uuid)]
        PointChunk(layout, columns: [[1, 2], [0, 1]]).add(to: &extras)
        row.extras = extras.encoded
        return row
      }
      return (whole, rows)
    }
    let changes: [(Bool, (inout StoredSample, inout [StoredSample]) -> Void)] = [
      (true, { _, _ in }), (false, { _, rows in rows.removeLast() }),
      (false, { _, rows in rows.swapAt(0, 1) }), (false, { _, rows in rows[1].uuid = UUID() }),
      (false, { _, rows in rows[1] = rows[0] }), (false, { _, rows in rows[0].extras = [] }),
      (false, { whole, _ in whole.extras = [] }), (false, { whole, _ in whole.extras = [1] }),
      (false, { whole, rows in (whole, rows) = makeSeries(count: 3) }),
      (false, { whole, rows in (whole, rows) = makeSeries(layout: .voltages) }),
    ]
    for (number, (isValid, change)) in changes.enumerated() {
      var (whole, rows) = makeSeries()
      change(&whole, &rows)
      #expect(try isRefused { try $0.add(whole, children: rows) } == !isValid, "change \(number)")
    }
  }
}
