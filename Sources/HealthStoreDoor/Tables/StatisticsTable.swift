import HealthStore
import SampleLog

/// The table `statistics`, with HealthKit's statistics by interval and with sources merged.
struct StatisticsTable: Table {
  enum Place: Int {
    case start, end, count, sum, average, minimum, maximum, duration, unit, source
    case type, subject, every, timeZone, options
  }

  let name = "statistics"
  let columns = [
    Column("start", .real), Column("end", .real), Column("count", .integer), Column("sum", .real),
    Column("average", .real), Column("minimum", .real), Column("maximum", .real),
    Column("duration", .real), Column("unit", .text), Column("source", .text),
    Column("type", .text, isHidden: true), Column("subject", .text, isHidden: true),
    Column("every", .text, isHidden: true), Column("time_zone", .text, isHidden: true),
    Column("options", .text, isHidden: true),
  ]

  func plan(_ query: inout QueryPlan, _ connection: Connection) throws {
    _ = query.useArgument(Place.type.rawValue, isList: true)
    let isOfOne = query.useArgument(Place.subject.rawValue, isList: true)
    for place in [Place.every, .timeZone, .options] {
      _ = query.useArgument(place.rawValue, isList: false)
    }
    let ranges = query.use(
      Place.start.rawValue, [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual])
    for index in ranges { query.terms[index].isList = false }
    query.rows = (isOfOne ? 400 : 4000) / (ranges.isEmpty ? 1 : 10)
    query.cost = 1e4 + query.rows
  }

  func open(_ request: CursorRequest, _ connection: Connection) throws -> any TableCursor {
    let (store, snapshot) = (try connection.opened(), try connection.snapshot())
    guard let types = request.texts(of: Place.type.rawValue) else {
      throw DoorError(
        "statistics needs a type: SELECT * FROM statistics('stepCount', 'SUBJECT', '1d', 'UTC').")
    }
    let every = try request.argument(Place.every.rawValue, "every") ?? "1d"
    let zone = try request.argument(Place.timeZone.rawValue, "time_zone") ?? "UTC"
    let words = try request.argument(Place.options.rawValue, "options")
    var query = StatisticsQuery(
      intervals: try Every.intervals(every, timeZone: zone), isSeparate: false)
    switch words {
    case nil, "": break
    case "separateBySource": query.isSeparate = true
    case let words?:
      throw DoorError("statistics has no option \"\(words)\"; the only option is separateBySource.")
    }
    for condition in request.conditions where condition.column == Place.start.rawValue {
      guard let value = condition.values.first,
        let bounds = Bounds(condition.comparison, value)
      else { return ListCursor(List(columns: [])) }
      query.starts = query.starts.intersection(UnixTime.dates(bounds))
    }
    query.reads = { request.reads($0.rawValue) }
    let wanted = try types.sorted().map { try (name: $0, type: StatisticsQuery.type($0)) }
    let subjects = request.texts(of: Place.subject.rawValue)
    var rest = wanted.flatMap { name, type in
      store.series(of: subjects, snapshot) { store.reader.type($0) == type }
        .map { (name, type, $0.subject) }
    }[...]
    return ListCursor {
      guard let (name, type, subject) = rest.popFirst() else { return nil }
      var list = try query.list(of: type, subject, store, snapshot)
      list.columns += [name, subject, every, zone, words].map { text in
        .text([String?](repeating: text, count: list.count))
      }
      return list
    }
  }
}

/// The parameters of statistics that do not depend on type and subject.
struct StatisticsQuery {
  var intervals: IntervalStatistics.Intervals
  var isSeparate: Bool
  /// The range of interval starts, in seconds since 2001-01-01 00:00 UTC.
  var starts = Bounds.all
  /// Returns whether the query reads a column; other columns need not be computed.
  var reads: (StatisticsTable.Place) -> Bool = { _ in true }

  /// Returns the quantity type with a short name or identifier.
  ///
  /// - Throws: A ``DoorError`` if there is no such type or if it is not a quantity type.
  static func type(_ name: String) throws -> HKQuantityType {
    guard let type = HKSampleType.named(name) else {
      throw DoorError("There is no type \"\(name)\".")
    }
    guard let type = type as? HKQuantityType else {
      throw DoorError("Only quantity types have statistics; \(type.shortName) is not one.")
    }
    return type
  }

  func list(
    of type: HKQuantityType, _ subject: String, _ store: Store, _ snapshot: Snapshot
  ) throws -> List {
    let statistics = try IntervalStatistics(
      of: type, options(type), in: intervals, startingIn: starts, subject: subject,
      database: store.database, snapshot: snapshot)
    let rows = statistics.rows
    return List(columns: [
      .date(rows.map(\.start)), .date(rows.map(\.end)), .integer(rows.map { Int64($0.count) }),
      .real(rows.map(\.sum)), .real(rows.map(\.average)), .real(rows.map(\.minimum)),
      .real(rows.map(\.maximum)), .real(rows.map(\.duration)),
      .text(rows.map { _ in statistics.unit.unitString }), .text(rows.map { $0.source?.name }),
    ])
  }

  private func options(_ type: HKQuantityType) -> HKStatisticsOptions {
    var options: HKStatisticsOptions = isSeparate ? .separateBySource : []
    if reads(.duration) { options.insert(.duration) }
    guard type.aggregationStyle != .cumulative else { return options.union(.cumulativeSum) }
    if reads(.average) { options.insert(.discreteAverage) }
    if reads(.minimum) { options.insert(.discreteMin) }
    if reads(.maximum) { options.insert(.discreteMax) }
    return options
  }
}
