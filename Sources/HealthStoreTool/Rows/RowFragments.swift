import Foundation
import HealthStore
import SampleLog

/// Encodes the text that many samples share, as JSON members or CSV fields.
///
/// Members and fields begin with a comma. A member without a value is absent; a field is then
/// empty.
final class RowFragments {
  /// The text of a series, around the UUIDs of its samples.
  struct Series {
    /// The text before the UUID.
    var front = Fragment()
    /// The text between the UUID and the start date.
    var middle = Fragment()
    /// The CSV field of the subject.
    var subject = Fragment()
    var isCategory = false
    var mayHaveMembers = false
    /// Whether samples of the series have details.
    var mayHaveDetails = false
    /// Whether samples of the series may have child rows.
    var mayHaveChildren = false
  }

  let isCSV: Bool
  private let forSpreadsheet: Bool
  let words: RowWords
  let objects: StoredObjects?
  private(set) var arena = FragmentArena()
  var reader: RowReader { words.reader }

  init(isCSV: Bool, forSpreadsheet: Bool, words: RowWords, objects: StoredObjects?) {
    self.isCSV = isCSV
    self.forSpreadsheet = forSpreadsheet
    self.words = words
    self.objects = objects
  }

  /// Releases all fragments.
  func clear() { arena = FragmentArena() }

  func series(_ row: Row) -> Series {
    let type = reader.type(of: row)
    let (name, subject) = (words.type(of: row), words.subject(row.subject))
    var result = Series()
    result.isCategory = type is HKCategoryType
    result.mayHaveMembers = type is HKCorrelationType
    result.mayHaveDetails = SampleDetails.mayHave(type)
    result.mayHaveChildren = objects?.mayHaveChildren(row.block.type) ?? false
    if isCSV {
      result.middle = arena.fragment(field([name]) + [UInt8(ascii: ",")])
      result.subject = arena.fragment(field([subject]))
    } else {
      result.front = arena.fragment(text("type", name).dropFirst() + Array(#","uuid":""#.utf8))
      result.middle = arena.fragment(
        [UInt8(ascii: "\"")] + text("subject", subject) + Array(#","start":""#.utf8))
    }
    return result
  }

  func unit(_ row: Row) -> Fragment {
    arena.fragment(text("unit", reader.unit(of: row)))
  }

  /// Returns the source revision and the device of a sample.
  func origin(_ row: Row) -> Fragment { arena.fragment(originText(row)) }

  private func originText(_ row: Row) -> [UInt8] {
    let revision = reader.sourceRevision(of: row)
    let (name, bundle) = (revision.source.name, revision.source.bundleIdentifier)
    let device = reader.device(of: row).map { JSONObject(device: $0) }
    let (product, system) = (revision.productType, Self.text(revision.operatingSystemVersion))
    if isCSV {
      return field([
        name, bundle, revision.version ?? "", product ?? "", system ?? "", device?.text ?? "",
      ])
    }
    var object = JSONObject()
    object.add(ifAny: "source", name)
    object.add(ifAny: "bundleIdentifier", bundle)
    object.add(ifAny: "version", revision.version)
    object.add(ifAny: "productType", product)
    object.add(ifAny: "operatingSystem", system)
    if let device { object.add("device", device) }
    return members(object)
  }

  /// Returns the name of a category value, such as `HKCategoryValueSleepAnalysisAsleepCore`.
  func valueName(_ row: Row) -> Fragment {
    let category = reader.type(of: row) as? HKCategoryType
    let whole = Int(exactly: row.block.value[row.row])
    let name = whole.flatMap { value in
      category.flatMap { CategoryValueNames.name(of: value, for: $0) }
    }
    return arena.fragment(text("valueName", name ?? ""))
  }

  /// Returns the UUIDs of the contained samples that are not deleted.
  func members(of row: Row) throws -> [UUID] {
    try objects?.members(of: row) ?? words.members(of: row)
  }

  /// Returns the value name and the details of a sample whose type has details.
  func details(_ row: Row) throws -> (valueName: [UInt8], details: [UInt8]) {
    let sample = try objects?.sample(of: row) ?? words.sample(of: row)
    guard let (name, details) = SampleDetails.details(of: sample) else {
      return (text("valueName", ""), isCSV ? field([""]) : [])
    }
    return (text("valueName", name), object(RowEncoder.details, details))
  }

  /// Returns the metadata, and whether it may have a sync identifier for later versions.
  func metadata(_ row: Row) throws -> (text: Fragment, isVersioned: Bool) {
    let metadata = try reader.metadata(of: row) ?? [:]
    return (
      arena.fragment(object("metadata", JSONObject(metadata: metadata))),
      metadata[HKMetadataKeySyncIdentifier] != nil
    )
  }

  /// Returns the field ``RowEncoder/contents``, with bytes in base64 as in Docs/tool.md.
  func contents(_ contents: StoredContents) -> [UInt8] {
    func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
    var result = JSONObject()
    result.add("version", IngestedContents.version)
    result.add(ifAny: "extras", base64(contents.extras))
    if !contents.rows.isEmpty {
      result.add(
        "rows",
        contents.rows.map { row in
          var object = JSONObject()
          object.add("uuid", row.uuid.uuidString)
          object.add(ifAny: "role", row.childType)
          object.add("value", row.value)
          object.add(ifAny: "extras", base64(row.extras))
          return object
        })
    }
    return object(RowEncoder.contents, result)
  }

  /// Returns a version such as `17.2.1`.
  ///
  /// Returns nil if the version is unknown, or negative, which `ingest` would reject.
  static func text(_ version: OperatingSystemVersion) -> String? {
    let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
    if numbers == [0, 0, 0] || numbers.contains(where: { $0 < 0 }) { return nil }
    return numbers.map(String.init).joined(separator: ".")
  }

  /// Returns a member or field whose value is an object.
  private func object(_ name: String, _ object: JSONObject) -> [UInt8] {
    if isCSV { return field([object.text]) }
    var outer = JSONObject()
    outer.add(name, object)
    return members(outer)
  }

  /// Returns the member or field of the contained samples; most samples have none.
  func objects(_ members: [UUID]) -> [UInt8] {
    let uuids = members.map(\.uuidString)
    if isCSV { return field([uuids.isEmpty ? "" : JSONObject.text(uuids)]) }
    var object = JSONObject()
    if !uuids.isEmpty { object.add("objects", uuids) }
    return self.members(object)
  }

  private func text(_ name: String, _ value: String) -> [UInt8] {
    if isCSV { return field([value]) }
    var object = JSONObject()
    object.add(ifAny: name, value)
    return members(object)
  }

  private func field(_ texts: [String]) -> [UInt8] {
    Array(",\(OutputFormat.csv(texts, forSpreadsheet: forSpreadsheet))".utf8)
  }

  private func members(_ object: JSONObject) -> [UInt8] {
    let text = object.text.utf8.dropFirst().dropLast()
    return text.isEmpty ? [] : [UInt8(ascii: ",")] + text
  }
}
