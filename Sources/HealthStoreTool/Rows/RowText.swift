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

  /// Adds what is known of the sample to an object.
  func add(to object: inout JSONObject) throws {
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
    if let metadata = try reader.metadata(of: row) { object.add("metadata", metadata: metadata) }
    if !members.isEmpty { object.add("objects", members.map(\.uuidString)) }
  }

  static let csvTitles = [
    "uuid", "type", "start", "end", "value", "unit", "source", "bundleIdentifier", "version",
    "device", "metadata",
  ]

  func csvFields() throws -> [String] {
    let revision = reader.sourceRevision(of: row)
    var metadata = JSONObject()
    if let known = try reader.metadata(of: row) { metadata.add("metadata", metadata: known) }
    // The object inside, without the member's name around it.
    let inner = metadata.text.dropFirst(#"{"metadata":"#.count).dropLast()
    return [
      "\(row.id)", type, UTCText.text(start), UTCText.text(end), Figures.number(value),
      reader.unit(of: row), revision.source.name, revision.source.bundleIdentifier,
      revision.version ?? "", Self.name(reader.device(of: row)), String(inner),
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

  private static func name(_ device: HKDevice?) -> String {
    device?.name ?? device?.model ?? device?.localIdentifier ?? ""
  }
}
