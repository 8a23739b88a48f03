import Foundation
import HealthStore
import SampleLog

/// One sample in the words of the command line.
struct RowText {
  private let row: RowReference
  private let words: RowWords
  private var reader: RowReader { words.reader }

  init(_ row: RowReference, _ words: RowWords) {
    self.row = row
    self.words = words
  }

  private var block: Block { row.block }
  private var start: Double { block.start[row.row] }
  private var end: Double { block.end[row.row] }
  private var value: Double { block.value[row.row] }
  private var type: String { words.type(of: row) }

  /// The name of a category's value, such as `HKCategoryValueSleepAnalysisAsleepCore`.
  private var valueName: String? {
    guard let type = reader.type(of: row) as? HKCategoryType, let whole = Int(exactly: value) else {
      return nil
    }
    return CategoryValueNames.name(of: whole, for: type)
  }

  /// The members of the object that ``object()`` returns, and the columns of CSV.
  static let fields = [
    "uuid", "type", "start", "end", "value", "unit", "source", "bundleIdentifier", "version",
    "device", "metadata", "subject", "valueName", "objects",
  ]

  /// Where the subject is among ``fields``.
  static let subjectField = 11

  /// What is known of the sample; members that it does not have are absent.
  func object() throws -> JSONObject {
    var object = JSONObject()
    object.add("type", type)
    object.add("uuid", "\(row.id)")
    object.add(ifAny: "subject", reader.subject(of: row))
    object.add("start", UTCText.text(start))
    object.add("end", UTCText.text(end))
    let members = reader.members(of: row)
    if members.isEmpty { object.add("value", value) }
    object.add(ifAny: "valueName", valueName)
    object.add(ifAny: "unit", reader.unit(of: row))
    object.add(membersOf: words.origin(of: row))
    if let metadata = try reader.metadata(of: row) {
      object.add("metadata", JSONObject(metadata: metadata))
    }
    if !members.isEmpty { object.add("objects", members.map(\.uuidString)) }
    return object
  }

  /// The same; what is an object or an array in JSON is its text.
  func csvFields() throws -> [String] {
    let revision = reader.sourceRevision(of: row)
    let members = reader.members(of: row)
    return [
      "\(row.id)", type, UTCText.text(start), UTCText.text(end),
      members.isEmpty ? Figures.number(value) : "", reader.unit(of: row), revision.source.name,
      revision.source.bundleIdentifier, revision.version ?? "",
      reader.device(of: row).map { JSONObject(device: $0).text } ?? "",
      try reader.metadata(of: row).map { JSONObject(metadata: $0).text } ?? "",
      reader.subject(of: row), valueName ?? "",
      members.isEmpty ? "" : JSONObject.text(members.map(\.uuidString)),
    ]
  }

  static let tableTitle =
    "START (UTC)".padded(to: 19) + "  " + "END (UTC)".padded(to: 19) + "  "
    + "VALUE".paddedLeft(to: 10) + " " + "UNIT".padded(to: 10) + "  SOURCE"

  /// A line in columns of fixed width, because a table that streams cannot look ahead.
  func tableLine() -> String {
    let name = valueName.map { name in
      let family = "HKCategoryValue"
      return String(name.dropFirst(name.hasPrefix(family) ? family.count : 0))
    }
    let number = name == nil ? Figures.short(value).paddedLeft(to: 10) : ""
    let unit = reader.unit(of: row).printable.padded(to: 10)
    let middle = name.map { $0.padded(to: 21) } ?? "\(number) \(unit)"
    return "\(UTCText.short(start))  \(UTCText.short(end))  \(middle)  "
      + reader.sourceRevision(of: row).source.name.printable
  }
}
