import AppleHealthExport
import Foundation
import HealthKit
import SampleLog
import Testing

/// The listings of the articles about programs and servers.
@Suite struct ArticleListingTests {
  private let folder: Folder
  private let directory: URL

  init() throws {
    folder = try Folder()
    directory = folder.url.appending(path: "store")
  }

  @Test func `first questions are answered`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save([beat(60), walk(100)])

    let start = Calendar.current.startOfDay(for: Date())
    let predicate = HKQuery.predicateForSamples(withStart: start, end: nil, options: [])
    let today = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate, predicate: predicate)], sortDescriptors: [])
    let samples = try await today.result(for: store)

    #expect(samples.isEmpty)

    let days = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.stepCount)), options: .cumulativeSum,
      anchorDate: start, intervalComponents: DateComponents(day: 1))
    for day in try await days.result(for: store).statistics() {
      print(day.startDate, day.sumQuantity()?.doubleValue(for: .count()) ?? 0)
    }
  }

  @Test func `an anchor returns the changes since the last run`() async throws {
    let file = folder.url.appending(path: "anchor")
    let store = HKHealthStore.inMemory()
    func run() async throws -> Int {
      let kept = try? Data(contentsOf: file)  // nil on the first run
      let anchor = try kept.flatMap {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: $0)
      }
      let feed = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: heartRate)], anchor: anchor)
      let changes = try await feed.result(for: store)
      print("\(changes.addedSamples.count) added, \(changes.deletedObjects.count) deleted")
      try NSKeyedArchiver.archivedData(
        withRootObject: changes.newAnchor, requiringSecureCoding: true
      )
      .write(to: file, options: .atomic)
      return changes.addedSamples.count
    }
    try await store.save([beat(60), beat(61, 60)])
    #expect(try await run() == 2)
    try await store.save(beat(62, 120))
    #expect(try await run() == 1)
  }

  @Test func `each person has a handle`() async throws {
    let samples = [beat(60)]

    let database = try HealthDatabase(directory: directory)
    let ada = database.store(subject: "ada")
    try await ada.save(samples)

    for summary in try await database.subjects() {
      print(summary.subject, summary.sampleCount, summary.lastDate)
    }
    try database.close()

    await #expect(throws: HKError.self) { try await database.subjects() }
    try await severalSubjects()
  }

  private func severalSubjects() async throws {
    let database = try HealthDatabase(directory: directory)
    try await database.store(subject: "guest-17").save(walk(5))
    try await database.store(subject: "ada-old").save(walk(7))
    try await database.erase(subject: "ada")

    try await database.rename(subject: "guest-17", to: "ada")
    let move = try await database.merge(subject: "ada-old", into: "ada")
    print("\(move.sampleCount) samples have moved")

    #expect(try await database.subjects().map(\.sampleCount) == [2])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    let store = database.store(subject: "ada")
    store.calendar = calendar

    try await store.save(beat(60))
    let everybody = database.cohort()
    let beats = try await everybody.totals(
      of: .quantitySample(type: HKQuantityType(.heartRate)), groupedBy: .subject)
    let steps = try await everybody.statistics(
      of: .quantitySample(type: HKQuantityType(.stepCount)), .cumulativeSum,
      every: DateComponents(day: 1), from: midnight)

    #expect(beats.map(\.sampleCount) == [1])
    #expect(steps.count == 1)
    let rates = try await database.cohort().totals(
      of: .quantitySample(type: HKQuantityType(.heartRate)),
      every: DateComponents(day: 1), from: midnight, groupedBy: .subject)

    #expect(rates.count == 1)
    try await database.erase(subject: "ada")
    try await database.compact()

    #expect(try await database.subjects().isEmpty)
  }

  @Test func `a person is opened, saved and closed`() async throws {
    let samples = [beat(60)]

    let database = try HealthDatabase(directory: directory)
    try await database.store(subject: "ada").save(samples)
    try database.close()
  }

  @Test func `a database is opened with a quota for each person`() async throws {
    var options = HKHealthStore.Options()
    options.subjectQuota = SubjectQuota(sampleCount: 5_000_000)
    let database = try HealthDatabase(directory: directory, options: options)

    #expect(try await database.subjects().isEmpty)
  }

  @Test func `a server sets options and deletes expired samples`() async throws {
    var options = HKHealthStore.Options(memoryByteCount: 512 << 20)
    options.deletionRetention = .seconds(90 * 86_400)
    options.onEvent = { event in
      if event.isProblem { FileHandle.standardError.write(Data("\(event)\n".utf8)) }
    }
    let database = try HealthDatabase(directory: directory, options: options)

    let store = database.store(subject: "ada")
    try await store.save(beat(60, -20 * 365 * 86_400))
    let year = 365.0 * 86_400
    let policy = ExpiryPolicy(ages: [HKQuantityType(.heartRate): year], otherTypes: 10 * year)
    for summary in try await database.subjects() {
      try await database.store(subject: summary.subject).deleteExpired(policy)
    }
    try await database.compact()

    #expect(try await database.subjects().isEmpty)
    try await expire(store)
    let text = try await database.metrics().prometheusText

    #expect(text.contains("healthstore_commits_total"))
  }

  private func expire(_ store: HKHealthStore) async throws {
    let year = 365.0 * 86_400
    let policy = ExpiryPolicy(ages: [HKQuantityType(.heartRate): year], otherTypes: 10 * year)
    try await store.deleteExpired(policy)
  }

  @Test func `a backup is made and restored`() async throws {
    let copy = folder.url.appending(path: "copy")
    try await back(up: HKHealthStore(directory: directory), to: copy)
    let store = try restore(copy, to: folder.url.appending(path: "restored"))
    let beats = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], sortDescriptors: [])
    #expect(try await beats.result(for: store).count == 1)
  }

  private func back(up store: HKHealthStore, to directory: URL) async throws {
    try await store.save(beat(60))
    let backup = try await store.backup(to: directory)
    print("up to \(backup.end): \(backup.fileCount) files, \(backup.byteCount) bytes")
  }

  private func restore(_ backup: URL, to directory: URL) throws -> HKHealthStore {
    let restored = try Database.restore(from: backup.path, to: directory.path)
    let store = try HKHealthStore(directory: directory)

    #expect(restored.fileCount > 0)
    return store
  }

  @Test func `an export is written, read and imported`() async throws {
    let store = HKHealthStore.inMemory()
    try await store.save(beat(60))
    let path = folder.url.appending(path: "export").path

    let summary = try ExportWriter(from: store).write(to: path)

    #expect(summary.written == 1)
    try read(path)
    try load(path)
  }

  private func read(_ path: String) throws {
    let reader = ExportReader(try ExportSource.open(path))
    while let item = try reader.next() {
      if case .record(let record) = item { print(record.type, record.value ?? "") }
    }
    print(reader.summary)
  }

  private func load(_ path: String) throws {
    let importer = try ExportImporter(into: HKHealthStore(directory: directory))
    let summary = try importer.run(ExportReader(ExportSource.open(path)))

    #expect(summary.added == 1)
  }
}
