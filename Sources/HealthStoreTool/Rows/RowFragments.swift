import Foundation
import HealthStore
import SampleLog

/// Makes what many samples have in common, as members of JSON or fields of CSV.
///
/// A member has a comma in front and is absent when there is nothing to say; so has a field, which
/// is always there.
final class RowFragments {
  /// What the samples of a series have around their UUIDs.
  struct Series {
    /// Before the UUID.
    var front = Fragment()
    /// Between the UUID and the start date.
    var middle = Fragment()
    /// In CSV, the subject's field.
    var subject = Fragment()
    var isCategory = false
    var mayHaveMembers = false
    /// Whether its rows have details.
    var mayHaveDetails = false
    /// Whether rows of other types may belong to its rows.
    var mayOwn = false
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

  /// Lets go of all fragments.
  func clear() { arena = FragmentArena() }

  func series(_ row: RowReference) -> Series {
    let type = reader.type(of: row)
    let (name, subject) = (words.type(of: row), words.subject(row.subject))
    var result = Series()
    result.isCategory = type is HKCategoryType
    result.mayHaveMembers = type is HKCorrelationType
    result.mayHaveDetails = SampleDetails.mayHave(type)
    result.mayOwn = objects?.mayOwn(row.block.type) ?? false
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

  func unit(_ row: RowReference) -> Fragment {
    arena.fragment(text("unit", reader.unit(of: row)))
  }

  /// Who and what recorded a sample.
  func origin(_ row: RowReference) -> Fragment { arena.fragment(originText(row)) }

  private func originText(_ row: RowReference) -> [UInt8] {
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

  /// The name of a category's value, such as `HKCategoryValueSleepAnalysisAsleepCore`.
  func valueName(_ row: RowReference) -> Fragment {
    let category = reader.type(of: row) as? HKCategoryType
    let whole = Int(exactly: row.block.value[row.row])
    let name = whole.flatMap { value in
      category.flatMap { CategoryValueNames.name(of: value, for: $0) }
    }
    return arena.fragment(text("valueName", name ?? ""))
  }

  /// The live samples that a row consists of.
  func members(of row: RowReference) throws -> [UUID] {
    try objects?.members(of: row) ?? words.members(of: row)
  }

  /// The name of the value and the details of a sample of a type that has them.
  func details(_ row: RowReference) throws -> (valueName: [UInt8], details: [UInt8]) {
    let sample = try objects?.sample(of: row) ?? words.sample(of: row)
    guard let (name, details) = SampleDetails.details(of: sample) else {
      return (text("valueName", ""), isCSV ? field([""]) : [])
    }
    return (text("valueName", name), object(RowEncoder.details, details))
  }

  /// The metadata, and whether it may say under what name a later version replaces the sample.
  func metadata(_ row: RowReference) throws -> (text: Fragment, isVersioned: Bool) {
    let metadata = try reader.metadata(of: row) ?? [:]
    return (
      arena.fragment(object("metadata", JSONObject(metadata: metadata))),
      metadata[HKMetadataKeySyncIdentifier] != nil
    )
  }

  /// What the other fields do not say, in base64 as Docs/tool.md describes it.
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
          object.add(ifAny: "role", row.role)
          object.add("value", row.value)
          object.add(ifAny: "extras", base64(row.extras))
          return object
        })
    }
    return object(RowEncoder.contents, result)
  }

  /// `17.2.1`, or nil for a version that is not known or negative, which `ingest` would refuse.
  static func text(_ version: OperatingSystemVersion) -> String? {
    let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
    if numbers == [0, 0, 0] || numbers.contains(where: { $0 < 0 }) { return nil }
    return numbers.map(String.init).joined(separator: ".")
  }

  /// A member or a field that is an object itself.
  private func object(_ name: String, _ object: JSONObject) -> [UInt8] {
    if isCSV { return field([object.text]) }
    var outer = JSONObject()
    outer.add(name, object)
    return members(outer)
  }

  /// The samples that one consists of; empty for nearly all.
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
