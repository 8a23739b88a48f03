import HealthKit
import SampleLog
import SampleLogSimulation
import Testing

/// Read-only handles and their queries, while another process writes.
@Suite struct ReadOnlyStoreTests {
  private let folder: Folder
  private let writer: WriterProcess
  private let reader: HKHealthStore
  private let heartRate = HKQuantityType(.heartRate)
  private var path: String { folder.path + "/store" }

  init() throws {
    folder = try Folder()
    writer = try WriterProcess(folder.path + "/store")
    var options = HKHealthStore.Options()
    options.refreshInterval = .seconds(0.002)
    reader = try HKHealthStore(
      directory: URL(fileURLWithPath: folder.path + "/store"), mode: .readOnly, options: options)
  }

  /// The arguments of one call of a query's handler.
  private struct Update: Sendable {
    var added: [UUID]
    var deleted: [UUID]
  }

  /// Executes a query that delivers all changes from the beginning.
  private func follow() -> (HKAnchoredObjectQuery, AsyncStream<Update>) {
    let (updates, continuation) = AsyncStream.makeStream(of: Update.self)
    let handler: HKAnchoredObjectQuery.Handler = { _, samples, deleted, _, error in
      guard let samples, let deleted else {
        Issue.record("the query ended with \(String(describing: error))")
        return continuation.finish()
      }
      continuation.yield(Update(added: samples.map(\.uuid), deleted: deleted.map(\.uuid)))
    }
    let query = HKAnchoredObjectQuery(
      type: heartRate, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit,
      resultsHandler: handler)
    query.updateHandler = handler
    reader.execute(query)
    return (query, updates)
  }

  @Test(arguments: 0..<2 as Range<UInt64>)
  func `Live queries see each change of another process once, whatever its writer does`(
    seed: UInt64
  ) async throws {
    var random = Seeded(mixing: seed, 1)
    var writer = writer
    let (anchored, updates) = follow()
    var changes = updates.makeAsyncIterator()
    #expect(await changes.next()?.added == [])
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let observer = HKObserverQuery(sampleType: heartRate, predicate: nil) { _, completion, error in
      continuation.yield(error == nil)
      completion()
    }
    reader.execute(observer)
    var observed = calls.makeAsyncIterator()
    #expect(await observed.next() == true)
    var live: [UUID] = []
    for _ in 0..<80 {
      switch random.below(10) {
      case 0: _ = try writer.order("compact")
      case 1: _ = try writer.order("reopen")
      case 2:
        writer.end(SIGKILL)
        writer = try WriterProcess(path)
      case 3...5 where !live.isEmpty:
        let uuid = live.remove(at: random.below(live.count))
        #expect(try writer.order("delete \(uuid)") == "deleted 1")
        // A second call for the same change would arrive in place of the next change.
        let update = await changes.next()
        #expect(update?.added == [])
        #expect(update?.deleted == [uuid])
        #expect(await observed.next() == true)
      default:
        let uuids = try writer.save(1 + random.below(3))
        live += uuids
        let update = await changes.next()
        #expect(update?.added == uuids)
        #expect(update?.deleted == [])
        #expect(await observed.next() == true)
      }
    }
    reader.stop(anchored)
    reader.stop(observer)
    continuation.finish()
    #expect(await observed.next() == nil, "no further call")
  }

  @Test func `Changes between two polls are delivered once each`()
    async throws
  {
    let (anchored, updates) = follow()
    var random = Seeded(7)
    var live: Set<UUID> = []
    var gone: Set<UUID> = []
    for step in 0..<120 {
      if step % 30 == 29 { _ = try writer.order("compact") }
      if let uuid = live.min(by: { $0.uuidString < $1.uuidString }), random.oneIn(3) {
        _ = try writer.order("delete \(uuid)")
        live.remove(uuid)
        gone.insert(uuid)
      } else {
        live.formUnion(try writer.save(1 + random.below(3)))
      }
    }
    let last = try writer.save(1)[0]
    live.insert(last)
    var added: Set<UUID> = []
    var deleted: Set<UUID> = []
    for await update in updates {
      for uuid in update.added {
        #expect(added.insert(uuid).inserted)
        #expect(!deleted.contains(uuid))
      }
      for uuid in update.deleted { #expect(deleted.insert(uuid).inserted) }
      if update.added.contains(last) { break }
    }
    #expect(added.subtracting(deleted) == live)
    #expect(deleted == gone)
    reader.stop(anchored)
  }

  @Test
  func `A query that starts after an acknowledged save of another process sees it`() async throws {
    let all = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], sortDescriptors: [])
    let changes = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var count = 0
    for step in 0..<20 {
      count += try writer.save(2).count
      if step == 10 { _ = try writer.order("compact") }
      #expect(try await all.result(for: reader).count == count)
      #expect(try await changes.result(for: reader).addedSamples.count == count)
    }
  }

  @Test func `A sequence of changes continues with the commits of another process`() async throws {
    let descriptor = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: heartRate)], anchor: nil)
    var results = descriptor.results(for: reader).makeAsyncIterator()
    #expect(try await results.next()?.addedSamples.isEmpty == true)
    for _ in 0..<10 {
      let uuids = try writer.save(2)
      #expect(try await results.next()?.addedSamples.map(\.uuid) == uuids)
      _ = try writer.order("delete \(uuids[0])")
      #expect(try await results.next()?.deletedObjects.map(\.uuid) == [uuids[0]])
    }
  }
}
