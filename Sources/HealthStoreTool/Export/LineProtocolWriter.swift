import HealthStore
import SampleLog

/// Writes InfluxDB line protocol, with a measurement per type.
///
/// Subject, source, device and unit are tags.
final class LineProtocolWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private let objects: StoredObjects
  private var keys = LastUsed<Key, Series>()
  /// The number of points whose time does not fit in 64-bit nanoseconds.
  private var leftOut = 0

  private struct Key: Hashable {
    var series: SeriesKey
    var unit: Symbol
    var source: Symbol
    var device: Symbol
  }

  /// The text that the points of a series share.
  private final class Series {
    /// The measurement and the tags.
    let front: [UInt8]
    let category: HKCategoryType?
    let hasValue: Bool
    let isWorkout: Bool
    /// The tags of the series except the unit, such as `source=Watch`.
    let tags: [String]

    init(
      front: [UInt8], tags: [String], category: HKCategoryType?, hasValue: Bool, isWorkout: Bool
    ) {
      self.front = front
      self.tags = tags
      self.isWorkout = isWorkout
      self.category = category
      self.hasValue = hasValue
    }
  }

  /// The time of the latest point of each measurement and tag set.
  ///
  /// A database replaces a point if another one has the same measurement, tags and time.
  private var times: [[UInt8]: Int64] = [:]
  private var type: SeriesKey?

  init(_ words: RowWords, _ objects: StoredObjects, _ sink: ExportSink) {
    self.words = words
    self.objects = objects
    self.sink = sink
  }

  var losses: [String] {
    leftOut == 0
      ? []
      : [
        "\(Figures.count(leftOut, "sample")) left out: line protocol has no times before 1678 and "
          + "after 2262."
      ]
  }

  func add(_ block: Block, _ row: Int) throws {
    let key = block.key(at: row)
    if key != type {
      // Series are written one after another, so the keys of earlier ones do not recur.
      times.removeAll(keepingCapacity: true)
      type = key
    }
    let (start, end) = (block.start[row], block.end[row])
    guard let nanoseconds = Self.nanoseconds(start) else {
      leftOut += 1
      return
    }
    let series = keys.value(
      of: Key(
        series: key, unit: block.unit[row], source: block.source[row], device: block.device[row])
    ) { make(Row(block, row)) }
    let figures =
      series.isWorkout
      ? (try objects.sample(of: Row(block, row)) as? HKWorkout).map(WorkoutFigures.init)
      : nil
    let unknown = try words.unknownValueName(Row(block, row))
    // Samples are written in order of start, so the times after the latest point are free.
    let time = max(nanoseconds, (times[series.front] ?? .min) &+ 1)
    times[series.front] = time
    sink.text.append(series.front)
    sink.text.append(literal: " duration=")
    sink.text.append(number: end - start)
    if let unknown {
      sink.text.append(",valueName=\"\(LineProtocol.fieldText(unknown))\"")
    } else if series.hasValue {
      sink.text.append(literal: ",value=")
      sink.text.append(number: block.value[row])
    }
    if let category = series.category, let whole = Int(exactly: block.value[row]),
      let name = CategoryValueNames.name(of: whole, for: category)
    {
      sink.text.append(",valueName=\"\(LineProtocol.fieldText(name))\"")
    }
    if let figures { sink.text.append(LineProtocol.fields(of: figures)) }
    sink.text.append(literal: ",uuid=\"")
    sink.text.append(block.id[row])
    sink.text.append(literal: "\" ")
    sink.text.append("\(time)\n")
    if let figures { add(figures, "\(block.id[row])", series) }
  }

  /// Adds a point for each part of a workout, and for each type of its statistics.
  ///
  /// The workout's UUID is a tag, so only points of the same workout can replace each other.
  private func add(_ workout: WorkoutFigures, _ uuid: String, _ series: Series) {
    var times: [String: Int64] = [:]
    func add(_ measurement: String, _ tags: [String], _ fields: String, _ date: Date) {
      guard let nanoseconds = Self.nanoseconds(date.timeIntervalSinceReferenceDate) else { return }
      // InfluxDB ingests sorted tags fastest.
      let front = ([measurement] + (series.tags + tags).sorted()).joined(separator: ",")
      let time = max(nanoseconds, (times[front] ?? .min) &+ 1)
      times[front] = time
      sink.text.append("\(front) \(fields) \(time)\n")
    }
    func add(_ statistics: [HKStatistics], part: Int, _ date: Date) {
      for one in statistics {
        let found = one.named.filter { $0.quantity?.value.isFinite == true }
        guard let unit = found.first?.quantity?.unit.unitString else { continue }
        add(
          "workoutStatistics",
          [
            "type=\(LineProtocol.tag(one.quantityType.shortName))",
            "unit=\(LineProtocol.tag(unit))", "workout=\(uuid)",
          ],
          "part=\(part)i"
            + found.map { ",\($0.name)=\(Figures.number($0.quantity?.value ?? 0))" }.joined(), date)
      }
    }
    add(workout.statistics, part: 0, workout.start)
    for (index, part) in workout.parts.enumerated() {
      var fields = [
        "activeDuration=\(Figures.number(part.activeSeconds))",
        "duration=\(Figures.number(part.end.timeIntervalSince(part.start)))", "part=\(index + 1)i",
      ]
      if !part.activity.isEmpty { fields.insert("activity=\"\(part.activity)\"", at: 1) }
      add(
        "workoutPart", ["kind=\(LineProtocol.tag(part.kind))", "workout=\(uuid)"],
        fields.joined(separator: ","), part.start)
      add(part.statistics, part: index + 1, part.start)
    }
  }

  func add(_ days: [ActivityDay], of choice: ActivityDays) throws {
    for day in days {
      guard let time = Self.nanoseconds(day.start) else {
        leftOut += 1
        continue
      }
      let subject = LineProtocol.tag(day.subject)
      var fields = [
        "isPaused=\(day.summary.isPaused)", "moveMode=\"\(day.summary.activityMoveMode)\"",
      ]
      for (name, quantity, unit) in day.summary.fields {
        guard let number = quantity?.number(in: unit) else { continue }
        fields.append("\(name)=\(Figures.number(number))")
      }
      fields += ["energyUnit=\"kcal\"", "timeUnit=\"min\""]
      sink.text.append(
        "\(ActivityDay.typeName)\(subject.isEmpty ? "" : ",subject=\(subject)") "
          + "\(fields.joined(separator: ",")) \(time)\n")
      try sink.flushIfFull()
    }
  }

  func delete(_ change: Change) throws { throw Self.noDeletions }

  func erase(_ subject: String) throws { throw Self.noDeletions }

  private static let noDeletions = Failure(
    "Line protocol cannot say that samples are gone.", status: .failed)

  /// Returns a time in nanoseconds since 1970, or nil if it does not fit in 64 bits.
  static func nanoseconds(_ secondsSince2001: Double) -> Int64? {
    // The fraction is scaled separately; the product of the sum would round to 100s of nanoseconds.
    let whole = secondsSince2001.rounded(.down)
    guard (whole + 978_307_200).magnitude < 9_223_372_035 else { return nil }
    let part = Int64(((secondsSince2001 - whole) * 1e9).rounded())
    return (Int64(whole) + 978_307_200) * 1_000_000_000 + part
  }

  private func make(_ row: Row) -> Series {
    let reader = words.reader
    let type = reader.type(of: row)
    let tags = [
      ("device", reader.device(of: row)?.name ?? ""),
      ("source", reader.sourceRevision(of: row).source.name),
      ("subject", reader.subject(of: row)), ("unit", reader.unit(of: row)),
    ]
    // Line protocol does not permit empty tags.
    let spelt = tags.map { name, value -> String in
      let text = LineProtocol.tag(value)
      return text.isEmpty ? "" : "\(name)=\(text)"
    }
    let front = ([LineProtocol.measurement(words.type(of: row))] + spelt.filter { !$0.isEmpty })
      .joined(separator: ",")
    let hasValue = type is HKQuantityType || type is HKCategoryType || type == nil
    return Series(
      front: Array(front.utf8), tags: spelt.dropLast().filter { !$0.isEmpty },
      category: type as? HKCategoryType, hasValue: hasValue, isWorkout: type is HKWorkoutType)
  }
}
