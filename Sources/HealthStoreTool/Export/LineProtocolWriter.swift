import HealthStore
import SampleLog

/// Writes InfluxDB's line protocol: a measurement for each type, tags for whose and whence.
final class LineProtocolWriter: SampleWriter {
  let sink: ExportSink
  private let words: RowWords
  private var keys = LastUsed<Key, Series>()
  /// Counts samples whose time a number of nanoseconds cannot be.
  private var leftOut = 0

  private struct Key: Hashable {
    var series: SeriesKey
    var unit: Symbol
    var source: Symbol
    var device: Symbol
  }

  /// What the points of a series have in common.
  private final class Series {
    /// The measurement and the tags.
    let front: [UInt8]
    let category: HKCategoryType?
    let hasValue: Bool

    init(front: [UInt8], category: HKCategoryType?, hasValue: Bool) {
      self.front = front
      self.category = category
      self.hasValue = hasValue
    }
  }

  /// The time of the last point of each key as it is written: a point replaces one of the same key
  /// and time.
  private var times: [[UInt8]: Int64] = [:]
  private var type: SeriesKey?

  init(_ words: RowWords, _ sink: ExportSink) {
    self.words = words
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
      // Another measurement or subject: no key comes again.
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
    ) { make(RowReference(block, row)) }
    // Samples come in order of start, so a time that was given away is followed by free ones.
    let time = max(nanoseconds, (times[series.front] ?? .min) &+ 1)
    times[series.front] = time
    sink.text.append(series.front)
    sink.text.append(literal: " duration=")
    sink.text.append(number: end - start)
    if series.hasValue {
      sink.text.append(literal: ",value=")
      sink.text.append(number: block.value[row])
    }
    if let category = series.category, let whole = Int(exactly: block.value[row]),
      let name = CategoryValueNames.name(of: whole, for: category)
    {
      sink.text.append(",valueName=\"\(LineProtocol.fieldText(name))\"")
    }
    sink.text.append(literal: ",uuid=\"")
    sink.text.append(block.id[row])
    sink.text.append(literal: "\" ")
    sink.text.append("\(time)\n")
  }

  func delete(_ change: Change) throws { throw Self.noDeletions }

  func erase(_ subject: String) throws { throw Self.noDeletions }

  private static let noDeletions = Failure(
    "Line protocol cannot say that samples are gone.", status: .failed)

  /// Since 1970; nil for what 64 bits do not hold.
  static func nanoseconds(_ secondsSince2001: Double) -> Int64? {
    // Apart, because the product of both would be rounded to hundreds of nanoseconds.
    let whole = secondsSince2001.rounded(.down)
    guard (whole + 978_307_200).magnitude < 9_223_372_035 else { return nil }
    let part = Int64(((secondsSince2001 - whole) * 1e9).rounded())
    return (Int64(whole) + 978_307_200) * 1_000_000_000 + part
  }

  private func make(_ row: RowReference) -> Series {
    let reader = words.reader
    let type = reader.type(of: row)
    let tags = [
      ("device", reader.device(of: row)?.name ?? ""),
      ("source", reader.sourceRevision(of: row).source.name),
      ("subject", reader.subject(of: row)), ("unit", reader.unit(of: row)),
    ]
    var front = LineProtocol.measurement(words.type(of: row))
    // None may be empty.
    for (name, value) in tags {
      let text = LineProtocol.tag(value)
      if !text.isEmpty { front += ",\(name)=\(text)" }
    }
    let hasValue = type is HKQuantityType || type is HKCategoryType || type == nil
    return Series(
      front: Array(front.utf8), category: type as? HKCategoryType, hasValue: hasValue)
  }
}

/// How line protocol spells names and texts.
enum LineProtocol {
  /// The name of a measurement.
  static func measurement(_ text: String) -> String { escaped(text, [",", " "]) }

  /// The value of a tag; empty for none.
  static func tag(_ text: String) -> String { escaped(text, [",", " ", "="]) }

  /// A text between quotation marks.
  static func fieldText(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  /// There is no way to spell a control character, nor a backslash at the end, which would take the
  /// comma behind it for its own.
  private static func escaped(_ text: String, _ special: Set<Character>) -> String {
    var text = text.printable
    while text.hasSuffix("\\") { text.removeLast() }
    return text.contains(where: special.contains)
      ? text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : String($1) } : text
  }
}
