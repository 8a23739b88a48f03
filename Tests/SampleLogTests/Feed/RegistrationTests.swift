@testable import SampleLog
import SampleLogSimulation
import Testing

/// Registrations of background delivery: stored as settings, and keeping deletions for a while.
@Suite struct RegistrationTests {
  private let fileSystem = MemoryFileSystem()
  private let now = Locked(0.0)

  private func open(_ change: (inout Database.Options) -> Void = { _ in }) throws -> Database {
    let now = now
    return try Database.inMemory(fileSystem) { options in
      options.clock = { now.withLock { $0 } }
      options.deletionRetention = .seconds(10)
      options.registrationRetention = .seconds(1000)
      change(&options)
    }
  }

  private func pass(_ seconds: Double) { now.withLock { $0 += seconds } }

  /// Saves a sample, seals it, and deletes it.
  private func saveAndDelete(_ database: Database, _ type: String = "heartRate") throws {
    let id = try database.save(type)
    try database.seal()
    try database.delete(id)
  }

  @Test func `A registration begins at the end and keeps its sequence number`() throws {
    let database = try open()
    try database.save()
    let key = database.key("heartRate")
    #expect(try database.registration(of: key) == nil)
    let first = try database.register(key, frequency: 2)
    #expect(first == DeliveryRegistration(frequency: 2, sequence: 1))
    try database.save()
    var second = try database.register(key, frequency: 1)
    #expect(second == DeliveryRegistration(frequency: 1, sequence: 1))
    second.lastDelivery = 7.5
    second.failureCount = 300
    second.isStopped = true
    second.sequence = 2
    try database.update([(key, second)])
    try database.close()
    let again = try open()
    #expect(try again.registration(of: again.key("heartRate")) == second)
    #expect(try again.registration(of: again.key("stepCount")) == nil)
  }

  @Test func `A registration of a later version is refused with its version`() throws {
    let database = try open()
    let key = database.key("heartRate")
    for value in [[9, 1, 2], [200]] as [[UInt8]] {
      try database.set([(SubjectSetting.delivery.key(key, database.symbols), value)])
      let later = StoreError.unsupportedVersion(
        file: "A registration of background delivery", version: Int(value[0]))
      #expect(throws: later) { try database.registration(of: key) }
      #expect(throws: later) { try database.registrations() }
    }
  }

  @Test
  func `A sequence number does not go back, and a removed registration stays removed`() throws {
    let database = try open()
    let key = database.key("heartRate")
    try database.register(key, frequency: 1)
    try database.save()
    var registration = try #require(try database.registration(of: key))
    registration.sequence = 2
    try database.update([(key, registration)])
    registration.sequence = 1
    registration.failureCount = 1
    try database.update([(key, registration)])
    #expect(try database.registration(of: key)?.sequence == 2)
    #expect(try database.registration(of: key)?.failureCount == 1)
    try database.removeRegistrations(of: [key])
    try database.update([(key, registration)])
    #expect(try database.registration(of: key) == nil)
  }

  @Test func `Saving an equal registration writes nothing`() throws {
    let database = try open()
    let key = database.key("heartRate")
    let registration = try database.register(key, frequency: 1)
    let end = database.end
    try database.register(key, frequency: 1)
    try database.update([(key, registration)])
    try database.removeRegistrations(of: [database.key("stepCount")])
    #expect(database.end == end)
  }

  @Test func `A person's registrations are found and removed together, and no others`() throws {
    let database = try open()
    // One subject's name is a prefix of the other's.
    let mine = ["heartRate", "stepCount"].map { database.key($0, subject: "ada") }
    let other = database.key("heartRate", subject: "ada2")
    for key in mine + [other] { try database.register(key, frequency: 1) }
    let found = try database.registrations(of: mine[0].subject)
    #expect(Set(found.map(\.key)) == Set(mine))
    #expect(Set(try database.removeRegistrations(ofSubject: mine[0].subject)) == Set(mine))
    #expect(try database.registrations(of: mine[0].subject).isEmpty)
    #expect(try database.registration(of: other) != nil)
  }

  @Test func `A registration that was already removed is not removed with the others`() throws {
    let database = try open()
    let keys = ["heartRate", "stepCount"].map { database.key($0) }
    for key in keys { try database.register(key, frequency: 1) }
    try database.removeRegistrations(of: [keys[0]])
    #expect(try database.removeRegistrations(ofSubject: keys[0].subject) == [keys[1]])
    #expect(try database.removeRegistrations(ofSubject: keys[0].subject) == [])
  }

  @Test func `The longest subject can be registered`() throws {
    let database = try open()
    let subject = String(repeating: "s", count: StoreLimit.nameBytes.maximum)
    let type = String(repeating: "t", count: StoreLimit.nameBytes.maximum)
    let key = database.key(type, subject: subject)
    try database.register(key, frequency: 1)
    try database.close()
    let again = try open()
    #expect(try again.registration(of: again.key(type, subject: subject)) != nil)
  }

  @Test func `Registering notifies no observer of a commit`() throws {
    let database = try open()
    let key = database.key("heartRate")
    let notices = Locked(0)
    let observation = database.observe([key]) { _ in notices.withLock { $0 += 1 } }
    try database.register(key, frequency: 1)
    var registration = try #require(try database.registration(of: key))
    registration.failureCount = 1
    try database.update([(key, registration)])
    #expect(notices.withLock { $0 } == 0)
    observation.cancel()
  }

  @Test func `A notification without a commit does not advance a feed past a change`() throws {
    let database = try open()
    let key = database.key("heartRate")
    let feed = try ChangeFeed(database, after: nil, of: SeriesSelection([key]))
    #expect(try feed.changedKeys() == [])
    database.notifyObservers(of: key)
    #expect(try feed.changedKeys() == [])
    try database.save()
    #expect(try feed.changedKeys() == [key])
    feed.cancel()
  }

  @Test func `A registration with pending deliveries keeps deletions for a limited time`() throws {
    let database = try open()
    let key = database.key("heartRate")
    try database.register(key, frequency: 1)
    try saveAndDelete(database)
    pass(999)
    #expect(try database.compact().deletionsForgotten == 0)
    #expect(try database.statistics().deletionCount == 1)
    #expect(try database.statistics().segments.map(\.forgettableRowCount) == [0])
    pass(2)
    #expect(try database.statistics().segments.map(\.forgettableRowCount) == [1])
    #expect(try database.compact().deletionsForgotten == 1)
    let registration = try #require(try database.registration(of: key))
    #expect(registration.sequence < database.snapshot().floor)
    #expect(!database.snapshot().hasChanges(in: key, after: registration.sequence))
    #expect(database.snapshot().isBehind(registration, key), "an unknown position counts as behind")
  }

  @Test func `A registration without pending deliveries of its type keeps no deletions`() throws {
    let database = try open()
    try database.register(database.key("heartRate", subject: "quiet"), frequency: 1)
    try database.register(database.key("stepCount"), frequency: 1)
    try saveAndDelete(database)
    pass(11)
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test func `An acknowledged registration keeps no deletions`() throws {
    let database = try open()
    let key = database.key("heartRate")
    var registration = try database.register(key, frequency: 1)
    try saveAndDelete(database)
    registration.sequence = database.end
    try database.update([(key, registration)])
    pass(11)
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test
  func `An acknowledgement of a registration during a compaction does not raise its floor`() throws
  {
    let hook = Locked<(() -> Void)?>(nil)
    let now = now
    let database = try open { options in
      options.clock = {
        // Compaction reads the clock after it takes its snapshot and before it decides the floor.
        hook.withLock { hook in
          defer { hook = nil }
          return hook
        }?()
        return now.withLock { $0 }
      }
    }
    let key = database.key("heartRate")
    var registration = try database.register(key, frequency: 1)
    try saveAndDelete(database)
    try database.seal()
    pass(11)
    registration.sequence = database.end
    hook.withLock { hook in
      hook = { [registration] in
        #expect(throws: Never.self) { try database.update([(key, registration)]) }
      }
    }
    // A power cut could undo the update, so the deletion is still needed.
    #expect(try database.compact().deletionsForgotten == 0)
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test func `A stopped registration keeps no deletions, and a resumed one does`() throws {
    let database = try open()
    let key = database.key("heartRate")
    var registration = try database.register(key, frequency: 1)
    try saveAndDelete(database)
    pass(11)
    registration.isStopped = true
    try database.update([(key, registration)])
    try database.seal()
    #expect(try database.statistics().segments.last?.forgettableRowCount == 1)
    registration.isStopped = false
    try database.update([(key, registration)])
    #expect(try database.compact().deletionsForgotten == 0)
    registration.isStopped = true
    try database.update([(key, registration)])
    // Gives the compaction something to rewrite.
    try saveAndDelete(database, "stepCount")
    pass(11)
    #expect(try database.compact().deletionsForgotten == 2)
  }

  @Test func `A removed registration keeps no deletions`() throws {
    let database = try open()
    let key = database.key("heartRate")
    try database.register(key, frequency: 1)
    try saveAndDelete(database)
    pass(11)
    try database.removeRegistrations(of: [key])
    #expect(try database.compact().deletionsForgotten == 1)
  }

  @Test func `An unreadable registration is an error, and keeps deletions for its time`()
    throws
  {
    let database = try open()
    let key = database.key("heartRate")
    try database.register(key, frequency: 1)
    try database.set([(SubjectSetting.delivery.key(key, database.symbols), [9, 1, 2])])
    #expect(throws: StoreError.self) { try database.registration(of: key) }
    #expect(throws: StoreError.self) { try database.register(key, frequency: 1) }
    try saveAndDelete(database, "stepCount")
    pass(11)
    #expect(try database.compact().deletionsForgotten == 0)
    try database.removeRegistrations(ofSubject: key.subject)
    #expect(try database.registration(of: key) == nil)
  }

  @Test func `Changes are found in logs and in segments, samples and deletions alike`() throws {
    let database = try open { $0.deletionRetention = .seconds(Int64.max) }
    let key = database.key("heartRate")
    #expect(!database.snapshot().hasChanges(in: key, after: 0))
    let id = try database.save()
    try database.save("stepCount")
    for _ in 0..<2 {
      #expect(database.snapshot().hasChanges(in: key, after: 0))
      #expect(!database.snapshot().hasChanges(in: key, after: 1))
      try database.seal()
    }
    try database.delete(id)
    for _ in 0..<2 {
      #expect(database.snapshot().hasChanges(in: key, after: 2))
      #expect(!database.snapshot().hasChanges(in: key, after: 3))
      try database.seal()
    }
    try database.compact()
    #expect(database.snapshot().hasChanges(in: key, after: 2))
  }

  @Test func `A reader next to the writer finds a registration after a refresh`() throws {
    let database = try open()
    let reader = try Database.inMemory(fileSystem, mode: .readOnly)
    try database.register(database.key("heartRate"), frequency: 3)
    #expect(try reader.refresh())
    #expect(try reader.registration(of: reader.key("heartRate"))?.frequency == 3)
    #expect(throws: StoreError.readOnly) {
      try reader.register(reader.key("heartRate"), frequency: 1)
    }
  }
}
