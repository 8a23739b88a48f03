import AppleHealthExport

/// Reads records of named fields from CSV or JSON lines.
struct RecordReader {
  enum Format: String, CaseIterable { case csv, jsonl }

  /// The fields of one record by name, without empty CSV cells and JSON nulls.
  typealias Record = [String: JSONValue]

  private var lines: LineReader
  private var format: Format?
  /// The column names of CSV.
  private var titles: [String] = []
  /// The first line of JSON, which was read to detect the format.
  private var first: LineReader.Line?
  /// The line at which the latest record begins, counted from 1.
  private(set) var line = 0

  /// The fields whose CSV cells contain JSON.
  private static let objects: Set = [
    "device", "metadata", "objects", RowEncoder.details, RowEncoder.contents,
  ]

  /// The names of all fields.
  static let names = ["kind"] + RowEncoder.fields + [RowEncoder.contents, "anchor"]

  private static let isKnown = Set(names)

  /// Creates a reader of an input; if the format is nil, the first character determines it.
  init(_ input: any ExportInput, _ format: Format?) throws {
    lines = LineReader(input)
    self.format = format
    try begin()
  }

  /// The number of bytes read from the input.
  var byteCount: Int64 { lines.byteCount }

  private mutating func begin() throws {
    guard var line = try nextLine() else { return }
    self.line = line.number
    // Spreadsheets write a byte-order mark first.
    if line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
    if format == nil { format = line.bytes.first == UInt8(ascii: "{") ? .jsonl : .csv }
    guard format == .csv else {
      first = line
      return
    }
    titles = try csv(line)
    for (index, title) in titles.enumerated() {
      try Self.check(title)
      if titles[..<index].contains(title) {
        throw IngestProblem("The field \(title) is there twice")
      }
    }
  }

  private static func check(_ name: String) throws(IngestProblem) {
    if names.contains(name) { return }
    throw IngestProblem("There is no field \(name)" + Suggestion.question(name, among: names))
  }

  /// Returns the next record, or nil at the end of the input.
  ///
  /// - Throws: ``IngestProblem`` if the record is invalid, and ``ExportError`` if reading fails.
  mutating func next() throws -> Record? {
    guard let line = try first ?? nextLine() else { return nil }
    first = nil
    self.line = line.number
    return format == .csv ? try record(csv(line)) : try Self.record(json: line.bytes)
  }

  /// Returns the next line that is not blank.
  private mutating func nextLine() throws -> LineReader.Line? {
    while let line = try lines.next() {
      if line.bytes.contains(where: { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: " ") }) {
        return line
      }
    }
    return nil
  }

  private func record(_ fields: [String]) throws -> Record {
    guard fields.count == titles.count else {
      throw IngestProblem(
        "The line has \(Figures.count(fields.count, "field")), and the first line "
          + "\(titles.count)")
    }
    var record: Record = [:]
    for (title, field) in zip(titles, fields) where !field.isEmpty {
      record[title] =
        Self.objects.contains(title) ? try JSONValue(Array(field.utf8)) : .cell(field)
    }
    return record
  }

  private static func record(json bytes: [UInt8]) throws -> Record {
    guard case .object(let record) = try JSONValue(bytes) else {
      throw IngestProblem("A line of JSON must be an object")
    }
    for name in record.keys where !isKnown.contains(name) { try check(name) }
    return record.filter { $0.value != .null }
  }

  /// Parses the fields of a CSV record; a quoted field may continue on the next line.
  private mutating func csv(_ line: LineReader.Line) throws -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var bytes = line.bytes
    var index = 0
    let quote = UInt8(ascii: "\"")
    func text(_ bytes: [UInt8]) throws(IngestProblem) -> String {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw IngestProblem("The text is not UTF-8")
      }
      return text
    }
    while true {
      if index < bytes.count, bytes[index] == quote {
        index += 1
        while true {
          if index == bytes.count {
            guard let more = try lines.next() else {
              throw IngestProblem("A quotation mark has no counterpart")
            }
            guard field.count + more.bytes.count < LineReader.longest else {
              throw IngestProblem("A field has more than \(LineReader.longest) bytes")
            }
            field.append(UInt8(ascii: "\n"))
            (bytes, index) = (more.bytes, 0)
          } else if bytes[index] != quote {
            field.append(bytes[index])
            index += 1
          } else if index + 1 < bytes.count, bytes[index + 1] == quote {
            field.append(quote)
            index += 2
          } else {
            index += 1
            break
          }
        }
      } else {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
          field.append(bytes[index])
          index += 1
        }
        // The line ends with CR LF.
        if index == bytes.count, field.last == UInt8(ascii: "\r") { field.removeLast() }
      }
      fields.append(try text(field))
      field.removeAll(keepingCapacity: true)
      if index == bytes.count || bytes[index...].elementsEqual([UInt8(ascii: "\r")]) {
        return fields
      }
      guard bytes[index] == UInt8(ascii: ",") else {
        throw IngestProblem("Something follows a quotation mark")
      }
      index += 1
    }
  }
}
