import HealthStore
import SampleLog

/// Writes samples as JSON or CSV, straight into bytes.
///
/// What samples have in common is put into words once: type, subject, unit, source, metadata.
struct RowEncoder {
  /// The fields of CSV, which are the members of objects in JSON.
  ///
  /// What is an object or an array in JSON is its text in CSV.
  static let fields = [
    "uuid", "type", "start", "end", "value", "unit", "source", "bundleIdentifier", "version",
    "productType", "operatingSystem", "device", "metadata", "subject", "valueName", "objects",
  ]

  /// What an export adds: everything that the other fields do not say.
  static let contents = "contents"

  private struct Origin: Hashable {
    var source: Symbol
    var device: Symbol
  }

  private struct NamedValue: Hashable {
    var type: Symbol
    var value: Double
  }

  private let fragments: RowFragments
  private var dates = DateText()
  private var series = LastUsed<SeriesKey, RowFragments.Series>()
  private var units = LastUsed<Symbol, [UInt8]>()
  private var origins = LastUsed<Origin, [UInt8]>()
  private var valueNames = LastUsed<NamedValue, [UInt8]>()
  private var metadata = LastUsed<[UInt8], RowFragments.Metadata>()
  /// Where the contents of samples are read; nil where they are left out.
  private let objects: StoredObjects?

  /// Writes the contents of samples, too, where their objects are given.
  init(isCSV: Bool, _ words: RowWords, contentsOf objects: StoredObjects? = nil) {
    fragments = RowFragments(isCSV: isCSV, words: words, objects: objects)
    self.objects = objects
  }

  /// Appends the members of a sample's object without braces, or its fields without a line's end.
  mutating func append(_ block: Block, _ row: Int, to text: inout TextBuffer) throws {
    let fragments = fragments
    let isCSV = fragments.isCSV
    let series = series.value(of: block.key(at: row)) { fragments.series(RowReference(block, row)) }
    if !isCSV { text.append(series.front) }
    text.append(block.id[row])
    text.append(series.middle)
    dates.append(block.start[row], to: &text)
    text.append(literal: isCSV ? "," : #"","end":""#)
    dates.append(block.end[row], to: &text)
    text.append(isCSV ? UInt8(ascii: ",") : UInt8(ascii: "\""))
    let members =
      series.mayHaveMembers ? fragments.reader.members(of: RowReference(block, row)) : []
    if members.isEmpty {
      let value = block.value[row]
      if !isCSV { text.append(literal: #","value":"#) }
      if isCSV || value.isFinite { text.append(number: value) } else { text.append("null") }
    }
    if !isCSV { appendValueName(block, row, series, &text) }
    text.append(
      units.value(of: block.unit[row]) { fragments.unit(RowReference(block, row)) })
    text.append(
      origins.value(of: Origin(source: block.source[row], device: block.device[row])) {
        fragments.origin(RowReference(block, row))
      })
    let bytes = block.metadata(at: row)
    var isVersioned = false
    if bytes.isEmpty {
      if isCSV { text.append(UInt8(ascii: ",")) }
    } else {
      let metadata = try metadata.value(of: [UInt8](bytes)) {
        try fragments.metadata(RowReference(block, row))
      }
      isVersioned = metadata.isVersioned
      text.append(metadata.text)
    }
    if isCSV {
      text.append(series.subject)
      appendValueName(block, row, series, &text)
    }
    if !members.isEmpty {
      text.append(fragments.objects(members))
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
    guard let objects else { return }
    // Most have none, which is soon seen.
    let isMore = block.extras[row] != 0 && !Self.isAll(bytes, of: block.extras(at: row))
    if isMore || isVersioned || series.mayOwn,
      let contents = try objects.contents(of: RowReference(block, row))
    {
      text.append(fragments.contents(contents))
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
  }

  /// Whether a part at the end of some bytes is all of them but what says how long it is.
  private static func isAll(
    _ part: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer
  ) -> Bool {
    guard let start = part.baseAddress, let all = bytes.baseAddress else { return false }
    return start + part.count == all + bytes.count
  }

  private mutating func appendValueName(
    _ block: Block, _ row: Int, _ series: RowFragments.Series, _ text: inout TextBuffer
  ) {
    guard let category = series.category else {
      if fragments.isCSV { text.append(UInt8(ascii: ",")) }
      return
    }
    let fragments = fragments
    let value = block.value[row]
    text.append(
      valueNames.value(of: NamedValue(type: block.type, value: value)) {
        fragments.valueName(value, category)
      })
  }
}
