import Foundation
import HealthStore
import SampleLog

/// Writes SQL statements for SQLite and PostgreSQL, in one transaction.
final class SQLWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private let objects: StoredObjects
  private var origins = LastUsed<Origin, String>()
  private var series = LastUsed<SeriesKey, Series>()
  private var metadata = LastUsed<[UInt8], String>()
  /// The number of samples in the current statement.
  private var count = 0
  /// The statements for members, points and workouts, which follow the samples.
  private var rest = ""

  private struct Origin: Hashable {
    var unit: Symbol
    var source: Symbol
    var device: Symbol
  }

  private struct Series {
    /// The subject and the type as literals.
    var text: String
    var category: HKCategoryType?
    var hasMembers: Bool
    var mayHaveDetails: Bool
    var mayHaveChildren: Bool
  }

  private static let mostRows = 256

  init(_ words: RowWords, _ objects: StoredObjects, _ sink: ExportSink) {
    self.words = words
    self.objects = objects
    self.sink = sink
  }

  func begin() throws {
    sink.text.append(SQLText.schema)
  }

  func add(_ block: Block, _ row: Int) throws {
    let reference = Row(block, row)
    let series = series.value(of: block.key(at: row)) { make(reference) }
    // The sample is decoded first, so that an unreadable one leaves no partial row.
    let sample = series.mayHaveDetails ? try objects.sample(of: reference) : nil
    let details = SampleDetails.details(of: sample)
    sink.text.append(
      count == 0 ? "INSERT INTO sample VALUES\n ('" : ",\n ('")
    count += 1
    sink.text.append(block.id[row])
    sink.text.append("',\(series.text),")
    sink.text.append("\(SQLText.date(block.start[row])),\(SQLText.date(block.end[row])),")
    if series.hasMembers {
      sink.text.append("NULL")
    } else {
      sink.text.append(number: block.value[row])
    }
    let whole = series.category == nil ? nil : Int(exactly: block.value[row])
    var name = series.category.flatMap { category in
      whole.flatMap { CategoryValueNames.name(of: $0, for: category) }
    }
    if let details { name = details.valueName }
    sink.text.append(",\(SQLText.optional(name ?? "")),")
    sink.text.append(
      origins.value(
        of: Origin(unit: block.unit[row], source: block.source[row], device: block.device[row])
      ) { origin(reference) })
    let bytes = block.metadata(at: row)
    sink.text.append(",")
    sink.text.append(
      bytes.isEmpty
        ? "NULL"
        : try metadata.value(of: [UInt8](bytes)) {
          SQLText.optional(
            JSONObject(metadata: try words.reader.metadata(of: reference) ?? [:]).text)
        })
    sink.text.append(",\(SQLText.optional(details?.object.text ?? "")))")
    if let workout = sample as? HKWorkout {
      for (table, values) in SQLText.rows(of: WorkoutFigures(workout), "\(block.id[row])") {
        try addRest(table, values)
      }
    }
    if series.hasMembers {
      for member in try objects.members(of: reference) {
        try addRest("member", "('\(block.id[row])','\(member.uuidString)')")
      }
    }
    if series.mayHaveChildren { try addPoints(reference) }
    if count >= Self.mostRows { endStatement() }
  }

  func delete(_ change: Change) throws {
    endStatement()
    let id = "\(change.row.id)"
    sink.text.append(
      """
      DELETE FROM point WHERE sample = '\(id)';
      DELETE FROM member WHERE sample = '\(id)' OR member = '\(id)';
      DELETE FROM sample WHERE uuid = '\(id)';

      """)
    guard words.reader.type(of: change.row) is HKWorkoutType else { return }
    for table in SQLText.workoutTables {
      sink.text.append("DELETE FROM \(table) WHERE sample = '\(id)';\n")
    }
  }

  func erase(_ subject: String) throws {
    endStatement()
    let whose = "(SELECT uuid FROM sample WHERE subject = \(SQLText.text(subject)))"
    for table in SQLText.workoutTables {
      sink.text.append("DELETE FROM \(table) WHERE sample IN \(whose);\n")
    }
    sink.text.append(
      """
      DELETE FROM point WHERE sample IN \(whose);
      DELETE FROM member WHERE sample IN \(whose) OR member IN \(whose);
      DELETE FROM sample WHERE subject = \(SQLText.text(subject));
      DELETE FROM activity_summary WHERE subject = \(SQLText.text(subject));

      """)
  }

  func add(_ days: [ActivityDay], of choice: ActivityDays) throws {
    endStatement()
    // Summaries change with their samples, so every export replaces the selected ones.
    sink.text.append("DELETE FROM activity_summary\(SQLText.condition(choice));\n")
    for day in days {
      sink.text.append("INSERT INTO activity_summary VALUES \(SQLText.row(of: day));\n")
      try sink.flushIfFull()
    }
  }

  func end() throws {
    endStatement()
    sink.text.append("COMMIT;\n")
  }

  private func endStatement() {
    // Samples are immutable, so an existing row needs no update.
    if count > 0 { sink.text.append("\n ON CONFLICT DO NOTHING;\n") }
    // `rest` may hold points of a sample whose statement has already ended.
    sink.text.append(rest)
    rest = ""
    count = 0
  }

  /// Adds a row of another table, to be written after the samples.
  private func addRest(_ table: String, _ values: String) throws {
    rest += "INSERT INTO \(table) VALUES \(values) ON CONFLICT DO NOTHING;\n"
    guard rest.utf8.count > 64 << 10 else { return }
    endStatement()
    try sink.flushIfFull()
  }

  private func addPoints(_ row: Row) throws {
    var number = 0
    let (id, start) = ("\(row.id)", row.block.start[row.row])
    var unit: HKUnit?
    try objects.forEachChunk(of: row) { chunk in
      if number == 0 { unit = try objects.unitOfPoints(of: row) }
      for point in 0..<chunk.count {
        let values = SQLText.point(point, of: chunk, start, unit)
        try addRest("point", "('\(id)',\(number),\(values))")
        number += 1
      }
    }
  }

  private func make(_ row: Row) -> Series {
    let type = words.reader.type(of: row)
    return Series(
      text: SQLText.text(words.reader.subject(of: row)) + "," + SQLText.text(words.type(of: row)),
      category: type as? HKCategoryType,
      hasMembers: type is HKCorrelationType || type is HKWorkoutType,
      mayHaveDetails: SampleDetails.mayHave(type),
      mayHaveChildren: objects.mayHaveChildren(row.block.type))
  }

  private func origin(_ row: Row) -> String {
    let revision = words.reader.sourceRevision(of: row)
    let device = words.reader.device(of: row).map { JSONObject(device: $0).text }
    return [
      words.reader.unit(of: row), revision.source.name, revision.source.bundleIdentifier,
      revision.version, revision.productType, RowFields.text(revision.operatingSystemVersion),
      device,
    ].map { SQLText.optional($0 ?? "") }.joined(separator: ",")
  }
}
