import Foundation
import HealthStore
import SampleLog

/// Encodes samples as JSON or CSV, directly into a byte buffer.
///
/// Text that samples share is encoded once and cached: type, subject, unit, source and metadata.
struct RowEncoder {
  /// The names of the CSV fields and JSON members.
  ///
  /// An object or array of JSON is a cell with its JSON text in CSV.
  static let fields = [
    "uuid", "type", "start", "end", "value", "unit", "source", "bundleIdentifier", "version",
    "productType", "operatingSystem", "device", "metadata", "subject", "valueName", "objects",
    details,
  ]

  /// The field for details of samples that have more than a number; each value has its unit.
  static let details = "details"

  /// The field of exports for everything that the other fields do not represent.
  static let contents = "contents"

  private struct Origin: Hashable {
    var source: Symbol
    var device: Symbol
  }

  private struct NamedValue: Hashable {
    var type: Symbol
    var value: Double
  }

  /// The encoded extras of a sample.
  private struct Blob {
    /// The JSON member or CSV field of the metadata; empty if there is none.
    var metadata = Fragment()
    var hasMetadata = false
    /// Whether the extras may contain more than the metadata.
    var isMore = false
  }

  private let fragments: RowFragments
  private let isCSV: Bool
  private var dates = DateText()
  private var series = LastUsed<SeriesKey, RowFragments.Series>()
  private var units = LastUsed<Symbol, Fragment>()
  private var origins = LastUsed<Origin, Fragment>()
  private var valueNames = LastUsed<NamedValue, Fragment>()
  private var blobs = BlobCache<Blob>()
  /// Whether the field ``contents`` is written.
  private let hasContents: Bool

  /// The size of the cached text at which it is discarded, in bytes.
  private static let fragmentLimit = 4 << 20

  /// Creates an encoder that also writes the field ``contents`` if `objects` is given.
  init(
    isCSV: Bool, forSpreadsheet: Bool = false, _ words: RowWords,
    contentsOf objects: StoredObjects? = nil
  ) {
    fragments = RowFragments(
      isCSV: isCSV, forSpreadsheet: forSpreadsheet, RowFields(words, objects))
    self.isCSV = isCSV
    hasContents = objects != nil
  }

  /// Appends the JSON members of a sample without braces, or its CSV fields without a line end.
  mutating func append(_ block: Block, _ row: Int, to text: inout TextBuffer) throws {
    if fragments.arena.byteCount > Self.fragmentLimit { clear() }
    let key = block.key(at: row)
    let series = series.last(key) ?? findSeries(key, block, row)
    let details =
      series.traits.mayHaveDetails ? try fragments.details(Row(block, row)) : nil
    if !isCSV { text.append(series.front) }
    text.append(block.id[row])
    text.append(series.middle)
    dates.append(block.start[row], to: &text)
    text.append(literal: isCSV ? "," : #"","end":""#)
    dates.append(block.end[row], to: &text)
    text.append(isCSV ? UInt8(ascii: ",") : UInt8(ascii: "\""))
    let members = series.traits.mayHaveMembers ? try fragments.members(of: Row(block, row)) : []
    if members.isEmpty {
      let value = block.value[row]
      if !isCSV { text.append(literal: #","value":"#) }
      if isCSV || value.isFinite { text.append(number: value) } else { text.append("null") }
    }
    if !isCSV { appendValueName(block, row, series, details?.valueName, &text) }
    text.append(units.last(block.unit[row]) ?? findUnit(block, row))
    let origin = Origin(source: block.source[row], device: block.device[row])
    text.append(origins.last(origin) ?? findOrigin(origin, block, row))
    // Most samples have no extras.
    let blob =
      block.extras[row] == 0 ? Blob() : try blobs.entry(block, row) ?? makeBlob(block, row)
    if blob.hasMetadata {
      text.append(blob.metadata)
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
    if isCSV {
      text.append(series.subject)
      appendValueName(block, row, series, details?.valueName, &text)
    }
    if !members.isEmpty {
      text.append(fragments.objects(members))
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
    if let details {
      text.append(details.details)
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
    guard hasContents else { return }
    if blob.isMore || series.traits.mayHaveChildren,
      let contents = try fragments.contents(Row(block, row))
    {
      text.append(contents)
    } else if isCSV {
      text.append(UInt8(ascii: ","))
    }
  }

  private mutating func appendValueName(
    _ block: Block, _ row: Int, _ series: RowFragments.Series, _ known: [UInt8]?,
    _ text: inout TextBuffer
  ) {
    if let known { return text.append(known) }
    guard series.traits.isCategory else {
      if isCSV { text.append(UInt8(ascii: ",")) }
      return
    }
    let name = NamedValue(type: block.type, value: block.value[row])
    text.append(valueNames.last(name) ?? findValueName(name, block, row))
  }

  // MARK: Cache misses

  @inline(never)
  private mutating func findSeries(
    _ key: SeriesKey, _ block: Block, _ row: Int
  ) -> RowFragments.Series {
    let fragments = fragments
    return series.value(of: key) { fragments.series(Row(block, row)) }
  }

  @inline(never)
  private mutating func findUnit(_ block: Block, _ row: Int) -> Fragment {
    let fragments = fragments
    return units.value(of: block.unit[row]) { fragments.unit(Row(block, row)) }
  }

  @inline(never)
  private mutating func findOrigin(_ origin: Origin, _ block: Block, _ row: Int) -> Fragment {
    let fragments = fragments
    return origins.value(of: origin) { fragments.origin(Row(block, row)) }
  }

  @inline(never)
  private mutating func findValueName(
    _ name: NamedValue, _ block: Block, _ row: Int
  ) -> Fragment {
    let fragments = fragments
    return valueNames.value(of: name) { fragments.valueName(Row(block, row)) }
  }

  @inline(never)
  private mutating func makeBlob(_ block: Block, _ row: Int) throws -> Blob {
    var entry = Blob()
    entry.isMore = !Row(block, row).hasOnlyMetadata
    if !block.metadata(at: row).isEmpty {
      let (text, isVersioned) = try fragments.metadata(Row(block, row))
      entry.metadata = text
      entry.hasMetadata = true
      entry.isMore = entry.isMore || isVersioned
    }
    blobs.keep(entry, block, row)
    return entry
  }

  /// Discards all cached text.
  @inline(never)
  private mutating func clear() {
    series = LastUsed()
    units = LastUsed()
    origins = LastUsed()
    valueNames = LastUsed()
    blobs.removeAll()
    fragments.clear()
  }
}
