import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Collections that follow a store, compared with fresh ones and with the slow reference.
@Suite struct LiveCollectionTests {
  @Test(arguments: 0..<Trials.count(24, quick: 2))
  func `a live collection equals a fresh one and the reference`(seed: Int) throws {
    let directory = StoreDirectory()
    var history = try LiveHistory(seed: seed, at: directory.url)
    for step in 0..<14 {
      try history.change()
      try history.check("seed \(seed), step \(step)")
    }
  }

  @Test func `only the intervals that a change touches are reported`() throws {
    let store = HKHealthStore.inMemory()
    let reader = StoreReader(try store.location.open(), subject: "")
    let request = StatisticsRequest(
      quantityType: Make.steps, condition: .always, options: .cumulativeSum)
    let grid = StatisticsGrid(
      anchor: Make.date(0), components: DateComponents(hour: 1), calendar: .current)
    let feed = try ChangeFeed(
      reader.store.database, after: nil, of: LiveCollection.selection(request, reader))
    var live = try LiveCollection(request, grid, reader)
    func sample(_ start: Double, _ end: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: Make.steps, quantity: HKQuantity(unit: .count(), doubleValue: 8),
        start: Make.date(start), end: Make.date(end))
    }
    _ = try live.update(from: feed)
    let long = sample(1_800, 7_200)
    try reader.store.save([long, sample(36_000, 36_000)], subject: "")
    #expect(try live.update(from: feed) == [0, 1, 10])
    try reader.store.delete([long], subject: "")
    #expect(try live.update(from: feed) == [0, 1])
    #expect(try live.update(from: feed) == nil)
    #expect(live.collection.statistics().count == 1)
  }

  @Test func `an instant at the end of a series touches the interval that begins then`() throws {
    let store = HKHealthStore.inMemory()
    let reader = StoreReader(try store.location.open(), subject: "")
    let request = StatisticsRequest(
      quantityType: Make.steps, condition: .always, options: .cumulativeSum)
    let grid = StatisticsGrid(
      anchor: Make.date(0), components: DateComponents(hour: 1), calendar: .current)
    let feed = try ChangeFeed(
      reader.store.database, after: nil, of: LiveCollection.selection(request, reader))
    var live = try LiveCollection(request, grid, reader)
    _ = try live.update(from: feed)
    let first = Make.date(0).timeIntervalSinceReferenceDate
    let series = try Make.series(
      Make.steps, [(first, first + 60, 5), (first + 7_200, first + 7_200, 3)])
    try reader.store.save([series], subject: "")
    #expect(try live.update(from: feed) == [0, 2])
    #expect(live.collection.table[2]?.merged.sum == 3)
    try reader.store.delete([series], subject: "")
    #expect(try live.update(from: feed) == [0, 2])
  }

  @Test func `statistics of a series with missing points name the file`() throws {
    let store = HKHealthStore.inMemory()
    let reader = StoreReader(try store.location.open(), subject: "")
    let built = try Make.series(Make.steps, [(0, 60, 5), (60, 90, 3)]).materialized
    let lacking = BuiltSample(
      uuid: built.uuid, sampleType: built.sampleType, startDate: built.startDate,
      endDate: built.endDate, quantity: built.quantity, checkedMetadata: [],
      payload: QuantitySeriesPayload(
        count: 1_500, minimum: 3, maximum: 5,
        mostRecent: QuantityValue(value: 3, start: 60, end: 90)),
      children: built.contents?.children ?? [])
    try reader.store.save([HKQuantitySample.make(lacking)], subject: "")
    let request = StatisticsRequest(
      quantityType: Make.steps, condition: .always, options: .cumulativeSum)
    #expect {
      _ = try reader.statistics(request)
    } throws: { error in
      guard case StoreError.damaged(_, _, let reason) = error else { return false }
      return reason.contains("points that are missing")
    }
  }
}

/// A store with random samples, a collection that follows it, and the expected statistics.
private struct LiveHistory {
  private let url: URL
  private let request: StatisticsRequest
  private let grid: StatisticsGrid
  private var random: Seeded
  private var store: OpenStore
  private var feed: ChangeFeed
  private var live: LiveCollection
  private var samples: [HKQuantitySample] = []
  private var order: [String] = []

  private static let sources = ["a", "b", "c"]

  private static func open(_ url: URL) throws -> OpenStore {
    var options = Database.Options()
    options.blockRowCount = 8
    options.sealsInBackground = false
    return OpenStore(try Database(path: url.path, options: options))
  }

  init(seed: Int, at url: URL) throws {
    self.url = url
    random = Seeded(mixing: UInt64(seed), 77)
    let types: [HKQuantityTypeIdentifier] = [
      .stepCount, .heartRate, .bodyMass, .environmentalAudioExposure,
    ]
    let type = HKQuantityType(types[seed % 4])
    var options: HKStatisticsOptions =
      type.aggregationStyle == .cumulative
      ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
    if seed / 4 % 2 == 1 { options.formUnion([.separateBySource, .mostRecent, .duration]) }
    request = StatisticsRequest(quantityType: type, condition: .always, options: options)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    grid = StatisticsGrid(
      anchor: testStart,
      components: seed % 3 == 0 ? DateComponents(hour: 6) : DateComponents(day: 1),
      calendar: calendar)
    store = try Self.open(url)
    (feed, live) = try Self.follow(request, grid, store)
  }

  private static func follow(
    _ request: StatisticsRequest, _ grid: StatisticsGrid, _ store: OpenStore
  ) throws -> (ChangeFeed, LiveCollection) {
    let reader = StoreReader(store, subject: "")
    let feed = try ChangeFeed(
      store.database, after: nil, of: LiveCollection.selection(request, reader))
    return (feed, try LiveCollection(request, grid, reader))
  }

  mutating func change() throws {
    switch random.below(7) {
    case 0 where !samples.isEmpty:
      samples.shuffle(using: &random)
      let gone = samples.suffix(1 + random.below(samples.count))
      samples.removeLast(gone.count)
      try store.delete(Array(gone), subject: "")
    case 1: try store.database.compact()
    case 2: try store.database.seal()
    case 3:
      try store.close()
      store = try Self.open(url)
      (feed, live) = try Self.follow(request, grid, store)
    case 4:
      order = Self.sources.shuffled(using: &random)
      let type = store.database.symbols.intern(request.quantityType.identifier)
      try store.setSourceOrder(order, of: SeriesKey(subject: 0, type: type))
    default: try save()
    }
  }

  private mutating func save() throws {
    // Often uses one source without overlap: such blocks are not swept.
    let only = random.oneIn(2) ? Self.sources[random.below(3)] : nil
    let first = Double(random.below(40)) * 21_600
    let isInstant = random.oneIn(2)
    let unit = request.quantityType.canonicalUnit
    let new = try (0..<1 + random.below(40)).map { number in
      let start = only == nil ? first + Double(random.below(200_000)) : first + Double(number) * 900
      let length = isInstant ? 0 : only == nil ? Double(random.below(40_000)) : 600
      return try HKQuantitySample.validated(
        type: request.quantityType,
        quantity: HKQuantity(unit: unit, doubleValue: Double(1 + random.below(90))),
        start: testStart.addingTimeInterval(start),
        end: testStart.addingTimeInterval(start + length),
        sourceRevision: Make.revision(only ?? Self.sources[random.below(3)]))
    }
    let condensed = try (0..<random.below(4)).map { _ in try series(only, first) }
    try store.save(new + condensed, subject: "")
    samples += new + condensed
  }

  /// A sample of several values, instants and intervals.
  ///
  /// Some are at its end, where intervals of the collection often begin.
  private mutating func series(_ only: String?, _ first: Double) throws -> HKQuantitySample {
    let start = testStart.timeIntervalSinceReferenceDate + first
    let length = Double(1 + random.below(8)) * 21_600
    var values: [(Double, Double, Double)] = []
    for _ in 0..<(random.oneIn(20) ? 1_100 : 1 + random.below(12)) {
      let begin =
        random.oneIn(4)
        ? Double(random.below(Int(length) / 21_600 + 1)) * 21_600
        : Double(random.below(Int(length)))
      let end = random.oneIn(2) ? begin : min(length, begin + Double(random.below(30_000)))
      values.append((start + begin, start + end, Double(1 + random.below(90))))
    }
    return try Make.series(
      request.quantityType, values, from: start, to: start + length,
      revision: Make.revision(only ?? Self.sources[random.below(3)]))
  }

  mutating func check(_ name: String) throws {
    let before = live.collection.table
    var changed: Set<Int> = []
    while let some = try live.update(from: feed) { changed.formUnion(some) }
    let fresh = try StoreReader(store, subject: "").collection(request, grid)
    let (found, expected) = (rows(live.collection), rows(fresh))
    expectSame(found, expected, "\(name), fresh")
    expectSame(found, try reference(), "\(name), reference")
    let touched = Set(rows(before).keys).union(found.keys).filter {
      before[$0] != live.collection.table[$0]
    }
    #expect(touched == changed, "\(name)")
    try checkNumbers(fresh.statistics(), "\(name), numbers")
  }

  /// Expects ``IntervalStatistics`` to have the values of the objects, in total and within bounds.
  private mutating func checkNumbers(_ objects: [HKStatistics], _ name: String) throws {
    let intervals = try IntervalStatistics.Intervals(
      anchor: grid.anchor,
      every: grid.step.days == 1 ? DateComponents(day: 1) : DateComponents(hour: 6),
      calendar: grid.calendar)
    func rows(_ bounds: Bounds) throws -> [IntervalStatistics.Row] {
      try IntervalStatistics(
        of: request.quantityType, request.options, in: intervals, startingIn: bounds, subject: "",
        database: store.database, snapshot: store.database.snapshot()
      ).rows.filter { $0.source == nil }
    }
    let all = try rows(.all)
    #expect(all.map(\.start) == objects.map(\.startDate.timeIntervalSinceReferenceDate), "\(name)")
    #expect(all.map(\.end) == objects.map(\.endDate.timeIntervalSinceReferenceDate), "\(name)")
    for (row, object) in zip(all, objects) {
      #expect(row.sum == object.sumQuantity()?.value, "\(name)")
      #expect(row.average == object.averageQuantity()?.value, "\(name)")
      #expect(row.minimum == object.minimumQuantity()?.value, "\(name)")
      #expect(row.maximum == object.maximumQuantity()?.value, "\(name)")
    }
    guard let first = all.first, let last = all.last else { return }
    let span = Int(last.start - first.start) + 2
    let lower = first.start - 1 + Double(random.below(span))
    let bounds = Bounds(lower: lower, upper: lower + Double(random.below(span)))
    let (found, expected) = (try rows(bounds), all.filter { bounds.contains($0.start) })
    #expect(found.map(\.start) == expected.map(\.start), "\(name)")
    #expect(found.map(\.count) == expected.map(\.count), "\(name)")
    for (one, other) in zip(found, expected) {
      let (sum, wanted) = (one.sum ?? one.average ?? 0, other.sum ?? other.average ?? 0)
      #expect(abs(sum - wanted) <= 1e-9 * max(1, abs(wanted)), "\(name)")
    }
  }

  private func rows(_ collection: HKStatisticsCollection) -> [Int: StatisticsInterval] {
    rows(collection.table)
  }

  private func rows(_ table: StatisticsTable) -> [Int: StatisticsInterval] {
    var rows: [Int: StatisticsInterval] = [:]
    table.forEach { rows[$0.index] = $0 }
    return rows
  }

  private func reference() throws -> [Int: StatisticsInterval] {
    let ranked = order.isEmpty ? Self.sources : order
    let spans = samples.enumerated().flatMap { number, sample in
      let chunks = sample.materialized.contents?.children.compactMap { $0 as? PointChunk } ?? []
      let points = chunks.flatMap { chunk in (0..<chunk.count).map { chunk.value($0) } }
      let whole = QuantityValue(
        value: sample.quantity.doubleValue(for: request.quantityType.canonicalUnit),
        start: sample.startDate.timeIntervalSinceReferenceDate,
        end: sample.endDate.timeIntervalSinceReferenceDate)
      return (points.isEmpty ? [whole] : points).map { value in
        StatisticsSpan(
          start: value.start, end: value.end, value: value.value,
          rank: ranked.firstIndex(of: sample.sourceRevision.source.bundleIdentifier) ?? 0,
          sequence: UInt64(number))
      }
    }
    guard let first = spans.map(\.start).min(), let last = spans.map(\.end).max() else {
      return [:]
    }
    let indices = grid.index(at: first)...grid.index(at: last) + 1
    let found = StatisticsReference(
      boundaries: indices.map { grid.start(of: $0) }, firstIndex: indices.lowerBound,
      style: request.quantityType.aggregationStyle, sourceOfRank: [0, 1, 2]
    ).intervals(spans)
    return Dictionary(uniqueKeysWithValues: found.map { ($0.index, $0) })
  }

  private func expectSame(
    _ found: [Int: StatisticsInterval], _ expected: [Int: StatisticsInterval], _ name: String
  ) {
    #expect(Set(found.keys) == Set(expected.keys), "\(name)")
    for (index, interval) in found {
      let other = expected[index]?.merged ?? StatisticsValues()
      #expect(interval.count == expected[index]?.count, "\(name), interval \(index)")
      #expect(interval.merged.minimum == nil || interval.merged.minimum == other.minimum, "\(name)")
      #expect(interval.merged.maximum == nil || interval.merged.maximum == other.maximum, "\(name)")
      for (one, two) in [
        (interval.merged.sum, other.sum), (interval.merged.average, other.average),
        (interval.merged.duration, other.duration),
        (interval.merged.mostRecent?.end, other.mostRecent?.end),
      ] {
        guard let one else { continue }
        let isClose = two.map { abs(one - $0) <= 1e-9 * max(1, abs(one)) } ?? false
        #expect(isClose, "\(name), interval \(index): \(one) is not \(two ?? .nan)")
      }
    }
  }
}
