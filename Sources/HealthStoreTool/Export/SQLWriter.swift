import Foundation
import HealthStore
import SampleLog

/// Writes statements that SQLite and PostgreSQL both understand, in one transaction.
final class SQLWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private let objects: StoredObjects
  private var origins = LastUsed<Origin, String>()
  private var series = LastUsed<SeriesKey, Series>()
  private var metadata = LastUsed<[UInt8], String>()
  /// Samples of the statement that is being written.
  private var count = 0
  /// Members and points, which follow the samples.
  private var rest = ""

  private struct Origin: Hashable {
    var unit: Symbol
    var source: Symbol
    var device: Symbol
  }

  private struct Series {
    /// Subject and type.
    var text: String
    var category: HKCategoryType?
    var hasMembers: Bool
    var mayOwn: Bool
  }

  private static let mostRows = 256

  init(_ words: RowWords, _ objects: StoredObjects, _ sink: ExportSink) {
    self.words = words
    self.objects = objects
    self.sink = sink
  }

  func begin() throws {
    sink.text.append(
      """
      BEGIN;
      CREATE TABLE IF NOT EXISTS sample (uuid TEXT PRIMARY KEY, subject TEXT NOT NULL,
       type TEXT NOT NULL, start_date TIMESTAMP WITH TIME ZONE NOT NULL,
       end_date TIMESTAMP WITH TIME ZONE NOT NULL, value DOUBLE PRECISION, value_name TEXT,
       unit TEXT, source TEXT, bundle_identifier TEXT, version TEXT, product_type TEXT,
       operating_system TEXT, device TEXT, metadata TEXT);
      CREATE INDEX IF NOT EXISTS sample_by_time ON sample (subject, type, start_date);
      CREATE TABLE IF NOT EXISTS member (sample TEXT NOT NULL, member TEXT NOT NULL,
       PRIMARY KEY (sample, member));
      CREATE TABLE IF NOT EXISTS point (sample TEXT NOT NULL, number INTEGER NOT NULL,
       start_date TIMESTAMP WITH TIME ZONE NOT NULL, end_date TIMESTAMP WITH TIME ZONE NOT NULL,
       value DOUBLE PRECISION, latitude DOUBLE PRECISION, longitude DOUBLE PRECISION,
       altitude DOUBLE PRECISION, horizontal_accuracy DOUBLE PRECISION,
       vertical_accuracy DOUBLE PRECISION, course DOUBLE PRECISION, speed DOUBLE PRECISION,
       PRIMARY KEY (sample, number));

      """)
  }

  func add(_ block: Block, _ row: Int) throws {
    let reference = RowReference(block, row)
    let series = series.value(of: block.key(at: row)) { make(reference) }
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
    let name = series.category.flatMap { category in
      whole.flatMap { CategoryValueNames.name(of: $0, for: category) }
    }
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
    sink.text.append(")")
    if series.hasMembers {
      // Those that have been deleted are named there still.
      for member in try objects.members(of: reference) where try objects.row(member) != nil {
        try addRest("member", "('\(block.id[row])','\(member.uuidString)')")
      }
    }
    if series.mayOwn { try addPoints(reference) }
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
  }

  func erase(_ subject: String) throws {
    endStatement()
    let whose = "(SELECT uuid FROM sample WHERE subject = \(SQLText.text(subject)))"
    sink.text.append(
      """
      DELETE FROM point WHERE sample IN \(whose);
      DELETE FROM member WHERE sample IN \(whose) OR member IN \(whose);
      DELETE FROM sample WHERE subject = \(SQLText.text(subject));

      """)
  }

  func end() throws {
    endStatement()
    sink.text.append("COMMIT;\n")
  }

  private func endStatement() {
    if count == 0 { return }
    // A sample that is there already stays as it is: none ever changes.
    sink.text.append("\n ON CONFLICT DO NOTHING;\n")
    sink.text.append(rest)
    rest = ""
    count = 0
  }

  /// Adds a row that is about a sample, behind which it is written.
  private func addRest(_ table: String, _ values: String) throws {
    rest += "INSERT INTO \(table) VALUES \(values) ON CONFLICT DO NOTHING;\n"
    guard rest.utf8.count > 64 << 10 else { return }
    endStatement()
    try sink.flushIfFull()
  }

  private func addPoints(_ row: RowReference) throws {
    var number = 0
    let (id, start) = ("\(row.id)", row.block.start[row.row])
    try objects.forEachChunk(of: row) { chunk in
      for point in 0..<chunk.count {
        try addRest("point", "('\(id)',\(number),\(SQLText.point(point, of: chunk, start)))")
        number += 1
      }
    }
  }

  private func make(_ row: RowReference) -> Series {
    let type = words.reader.type(of: row)
    return Series(
      text: SQLText.text(words.reader.subject(of: row)) + "," + SQLText.text(words.type(of: row)),
      category: type as? HKCategoryType,
      hasMembers: type is HKCorrelationType || type is HKWorkoutType,
      mayOwn: objects.mayOwn(row.block.type))
  }

  private func origin(_ row: RowReference) -> String {
    let revision = words.reader.sourceRevision(of: row)
    let device = words.reader.device(of: row).map { JSONObject(device: $0).text }
    return [
      words.reader.unit(of: row), revision.source.name, revision.source.bundleIdentifier,
      revision.version, revision.productType, RowFragments.text(revision.operatingSystemVersion),
      device,
    ].map { SQLText.optional($0 ?? "") }.joined(separator: ",")
  }
}

/// How SQL spells values, so that SQLite and PostgreSQL take them for the same.
enum SQLText {
  /// A literal; PostgreSQL has no character 0, which becomes U+FFFD.
  static func text(_ text: String) -> String {
    "'" + text.replacing("\0", with: "\u{FFFD}").replacing("'", with: "''") + "'"
  }

  /// A literal, or NULL for no text.
  static func optional(_ text: String) -> String { text.isEmpty ? "NULL" : self.text(text) }

  /// A date in UTC with six digits behind the second, so that dates as text are in order, too.
  static func date(_ secondsSince2001: Double) -> String {
    // The years 1 to 9999.
    guard secondsSince2001 >= -63_113_904_000 else { return "'-infinity'" }
    guard secondsSince2001 < 252_423_993_600 else { return "'infinity'" }
    var whole = secondsSince2001.rounded(.down)
    var micros = Int(((secondsSince2001 - whole) * 1e6).rounded())
    if micros == 1_000_000 { (whole, micros) = (whole + 1, 0) }
    let digits = "\(micros)"
    let fraction = String(repeating: "0", count: 6 - digits.count) + digits
    return "'" + UTCText.text(whole).dropLast() + ".\(fraction)Z'"
  }

  /// The columns of a point of a series that starts then, behind its number.
  static func point(_ point: Int, of chunk: PointChunk, _ start: Double) -> String {
    func date(_ column: Int, after start: Double = 0) -> String {
      self.date(start + chunk[column, point])
    }
    func number(_ column: Int) -> String {
      let value = chunk[column, point]
      return value.isFinite ? Figures.number(value) : "NULL"
    }
    let nowhere = String(repeating: ",NULL", count: 7)
    switch chunk.layout {
    case .quantities: return "\(date(0)),\(date(1)),\(number(2))\(nowhere)"
    case .heartbeats, .voltages:
      let moment = date(0, after: start)
      return "\(moment),\(moment),\(number(1))\(nowhere)"
    case .locations:
      let columns = [1, 2, 3, 4, 5, 6, 8].map(number).joined(separator: ",")
      return "\(date(0)),\(date(0)),NULL,\(columns)"
    }
  }
}
