import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Random workouts, correlations and their members, replaced and deleted in any order, compared
/// with a plain model while the store seals, compacts and reopens.
@Suite struct WorkoutGraphTests {
  @Test(arguments: 0..<Trials.count(12, quick: 6))
  func `every workout has the samples of the model`(seed: Int) async throws {
    var graph = try WorkoutGraph(seed: UInt64(seed))
    for step in 0..<120 {
      try await graph.step()
      if step % 12 == 11 { try await graph.check() }
    }
    try await graph.check()
  }
}

/// A store and its expected content.
private struct WorkoutGraph {
  /// A workout or sample with a name that newer versions keep.
  struct Entry {
    var id: UUID
    var version = 1
    /// The names of members.
    var members: Set<Int> = []
    /// The effort ratings of the workout, and the samples that carry them.
    var efforts: [Double: UUID] = [:]
  }

  private let files = MemoryFileSystem()
  private var database: Database
  private var store: HKHealthStore
  private var random: Seeded
  private var nextName = 0
  private var beats: [Int: Entry] = [:]
  private var workouts: [Int: Entry] = [:]
  private var meals: [Int: Entry] = [:]
  /// The results so far of anchored queries for the samples of some workouts.
  private var followed: [UUID: Followed] = [:]

  /// The state of a reader that follows a workout.
  struct Followed {
    var anchor: HKQueryAnchor?
    var ids: Set<UUID> = []
  }

  init(seed: UInt64) throws {
    random = Seeded(seed)
    database = try Self.open(files)
    store = HKHealthStore(database: database)
  }

  private static func open(_ files: MemoryFileSystem) throws -> Database {
    var options = Database.Options()
    options.sealsInBackground = false
    return try Database(path: "store", options: options, fileSystem: files)
  }

  private mutating func name() -> Int {
    nextName += 1
    return nextName
  }

  private func metadata(_ name: Int, _ version: Int) -> [String: Any] {
    [HKMetadataKeySyncIdentifier: "\(name)", HKMetadataKeySyncVersion: version]
  }

  /// Every second one has a sync identifier.
  private func beat(_ name: Int, version: Int = 1) throws -> HKQuantitySample {
    try heartBeat(
      Double(name), at: Double(name * 10 % 977 + version),
      metadata: name % 2 == 0 ? metadata(name, version) : nil)
  }

  private func workout(_ name: Int, version: Int = 1) throws -> HKWorkout {
    // Many begin at the same time.
    let from = testStart.addingTimeInterval(Double(name % 5 * 100))
    return try HKWorkout.validated(
      activityType: .running, start: from, end: from.addingTimeInterval(Double(50 + version)),
      metadata: name % 2 == 0 ? metadata(name, version) : nil)
  }

  mutating func step() async throws {
    switch random.next() % 18 {
    case 0, 1, 2:
      let name = name()
      let sample = try beat(name)
      try await store.save(sample)
      beats[name] = Entry(id: sample.uuid)
    case 3, 4:
      let name = name()
      let made = try workout(name)
      try await store.save(made)
      workouts[name] = Entry(id: made.uuid)
    case 5, 6, 7: try await add()
    case 8:
      guard let name = pick(workouts.keys.filter { $0 % 2 == 0 }), var entry = workouts[name] else {
        return
      }
      entry.version += 1
      let made = try workout(name, version: entry.version)
      try await store.save(made)
      entry.id = made.uuid
      workouts[name] = entry
    case 9:
      guard let name = pick(beats.keys.filter { $0 % 2 == 0 }), var entry = beats[name] else {
        return
      }
      entry.version += 1
      let made = try beat(name, version: entry.version)
      try await store.save(made)
      entry.id = made.uuid
      beats[name] = entry
    case 10: try await delete(\.beats)
    case 11: try await delete(\.workouts)
    case 12: try await saveMeal()
    case 13: try await deleteSome()
    case 16, 17: try await rate()
    case 14: try database.seal()
    default:
      try database.compact()
      try database.close()
      database = try Self.open(files)
      store = HKHealthStore(database: database)
    }
  }

  /// Adds new and existing samples to a workout.
  private mutating func add() async throws {
    guard let name = pick(Array(workouts.keys)), let entry = workouts[name] else { return }
    let predicate = HKQuery.predicateForObject(with: entry.id)
    let found = try #require(
      try await store.read(.workout(predicate)).first, "workout \(name) is there")
    var samples: [HKSample] = []
    var names: Set<Int> = []
    for _ in 0..<Int(random.next() % 4) {
      let new = self.name()
      let sample = try beat(new)
      samples.append(sample)
      names.insert(new)
      beats[new] = Entry(id: sample.uuid)
    }
    if let old = pick(Array(beats.keys)), let id = beats[old]?.id, !names.contains(old) {
      samples += try await store.read(
        .quantitySample(
          type: testHeartRate, predicate: HKQuery.predicateForObject(with: id)))
      names.insert(old)
    }
    try await store.addSamples(samples, to: found)
    workouts[name]?.members.formUnion(names)
  }

  /// Saves a meal that contains a new sample of energy.
  private mutating func saveMeal() async throws {
    let energy = try HKQuantitySample.validated(
      type: HKQuantityType(.dietaryEnergyConsumed),
      quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 1), start: testStart, end: testStart)
    let meal = try HKCorrelation.validated(
      type: HKCorrelationType(.food), start: testStart, end: testStart, objects: [energy])
    let name = name()
    if let workout = pick(Array(workouts.keys)), let id = workouts[workout]?.id {
      let found = try await store.read(.workout(HKQuery.predicateForObject(with: id)))
      try await store.addSamples([meal], to: try #require(found.first))
      workouts[workout]?.members.insert(name)
    } else {
      try await store.save(meal)
    }
    meals[name] = Entry(id: meal.uuid)
  }

  /// Rates the effort of a workout, deletes a rating or removes its relationship.
  private mutating func rate() async throws {
    guard let name = pick(Array(workouts.keys)), let entry = workouts[name] else { return }
    let predicate = HKQuery.predicateForObject(with: entry.id)
    let found = try #require(try await store.read(.workout(predicate)).first)
    let type = HKQuantityType(.workoutEffortScore)
    guard let (value, id) = entry.efforts.min(by: { $0.key < $1.key }), random.next() % 2 == 0
    else {
      let value = Double(self.name())
      let sample = try HKQuantitySample.validated(
        type: type, quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: value),
        start: testStart, end: testStart)
      try await store.relateWorkoutEffortSample(sample, with: found, activity: nil)
      workouts[name]?.efforts[value] = sample.uuid
      return
    }
    let samples = try await store.read(
      .quantitySample(type: type, predicate: HKQuery.predicateForObject(with: id)))
    if random.next() % 2 == 0 {
      try await store.delete(samples)
    } else {
      let sample = try #require(samples.first)
      try await store.unrelateWorkoutEffortSample(sample, from: found, activity: nil)
    }
    workouts[name]?.efforts[value] = nil
  }

  private mutating func delete(_ path: WritableKeyPath<WorkoutGraph, [Int: Entry]>) async throws {
    guard let name = pick(Array(self[keyPath: path].keys)), let entry = self[keyPath: path][name]
    else { return }
    let type: HKSampleType = path == \.beats ? testHeartRate : .workoutType()
    let predicate = HKQuery.predicateForObject(with: entry.id)
    let found: [HKSample] = try await store.read(.sample(type: type, predicate: predicate))
    try await store.delete(found)
    self[keyPath: path][name] = nil
  }

  /// Deletes the workouts that begin at a random time.
  private mutating func deleteSome() async throws {
    let part = Int(random.next() % 5)
    let from = testStart.addingTimeInterval(Double(part * 100))
    let gone = workouts.keys.filter { $0 % 5 == part }
    let predicate = HKQuery.predicateForSamples(
      withStart: from, end: from.addingTimeInterval(1), options: .strictStartDate)
    let count = try await store.deleteObjects(of: .workoutType(), predicate: predicate)
    #expect(count == gone.count)
    for name in gone { workouts[name] = nil }
  }

  private mutating func pick(_ names: [Int]) -> Int? {
    names.isEmpty ? nil : names.sorted()[Int(random.next() % UInt64(names.count))]
  }

  /// Reads the changes among a workout's samples, and compares the total with the model.
  private mutating func follow(_ workout: HKWorkout, _ members: Set<UUID>) async throws {
    var mine = followed[workout.uuid] ?? Followed()
    while true {
      let page = try await HKAnchoredObjectQueryDescriptor(
        predicates: [
          .quantitySample(
            type: testHeartRate, predicate: HKQuery.predicateForObjects(from: workout))
        ], anchor: mine.anchor, limit: Int(random.next() % 3) + 1
      ).result(for: store)
      mine.anchor = page.newAnchor
      for sample in page.addedSamples {
        #expect(mine.ids.insert(sample.uuid).inserted, "a sample is delivered once")
      }
      for deleted in page.deletedObjects { mine.ids.remove(deleted.uuid) }
      if page.addedSamples.isEmpty, page.deletedObjects.isEmpty { break }
    }
    #expect(mine.ids == members)
    followed[workout.uuid] = mine
  }

  /// Compares a workout's statistics with its samples.
  private func check(_ workout: HKWorkout, says values: [Double]) {
    let said = workout.statistics(for: testHeartRate)
    #expect(said?.minimumQuantity()?.doubleValue(for: testBeats) == values.min())
    #expect(said?.maximumQuantity()?.doubleValue(for: testBeats) == values.max())
    let average = said?.averageQuantity()?.doubleValue(for: testBeats)
    let expected = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    #expect(average.map { ($0 * 1e6).rounded() } == expected.map { ($0 * 1e6).rounded() })
  }

  /// Compares the store with the model.
  mutating func check() async throws {
    let all = try await store.read(.workout())
    #expect(Set(all.map(\.uuid)) == Set(workouts.values.map(\.id)))
    #expect(try await store.beats().sorted() == beats.keys.sorted().map(Double.init))
    for (name, entry) in workouts {
      let found = try #require(all.first { $0.uuid == entry.id })
      let within = HKQuery.predicateForObjects(from: found)
      let members = entry.members.filter { beats[$0] != nil }
      #expect(
        try await store.beats(within).sorted() == members.sorted().map(Double.init),
        "workout \(name)")
      check(found, says: members.map(Double.init))
      try await follow(found, Set(members.compactMap { beats[$0]?.id }))
      let eaten = try await store.read(
        .correlation(type: HKCorrelationType(.food), predicate: within))
      #expect(
        Set(eaten.map(\.uuid)) == Set(entry.members.compactMap { meals[$0]?.id }),
        "meals of \(name)")
      #expect(eaten.allSatisfy { $0.objects.count == 1 })
    }
    let rated = try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default
    ).result(for: store).relationships
    #expect(
      Dictionary(uniqueKeysWithValues: rated.map { ($0.workout.uuid, ids($0.samples)) })
        == Dictionary(
          uniqueKeysWithValues: workouts.values.filter { !$0.efforts.isEmpty }.map {
            ($0.id, Set($0.efforts.values))
          }))
    try await checkChildRows()
    try database.checkInvariants()
  }

  private func ids(_ samples: [HKSample]?) -> Set<UUID> { Set((samples ?? []).map(\.uuid)) }

  /// Every child row of a workout belongs to an existing workout.
  private func checkChildRows() async throws {
    let snapshot = database.snapshot()
    let live = Set(workouts.values.map { Identifier($0.id) })
    for key in snapshot.series where snapshot.symbols.isChildType(key.type) {
      for row in try snapshot.select([key]) {
        let parent = try #require(try snapshot.extras(of: row).memberOf.first)
        #expect(live.contains(parent))
      }
    }
    let ratings = try await store.read(.quantitySample(type: HKQuantityType(.workoutEffortScore)))
    #expect(
      try database.statistics().sampleCount
        == beats.count + workouts.count + 2 * meals.count + ratings.count)
  }
}

/// SplitMix64, the same everywhere.
private struct Seeded {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}
