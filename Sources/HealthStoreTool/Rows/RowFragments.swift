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
    var traits = RowFields.Traits()
  }

  let isCSV: Bool
  private let forSpreadsheet: Bool
  private let fields: RowFields
  private(set) var arena = FragmentArena()

  init(isCSV: Bool, forSpreadsheet: Bool, _ fields: RowFields) {
    self.isCSV = isCSV
    self.forSpreadsheet = forSpreadsheet
    self.fields = fields
  }

  /// Releases all fragments.
  func clear() { arena = FragmentArena() }

  func series(_ row: Row) -> Series {
    let series = fields.series(row)
    var result = Series(traits: series.traits)
    if isCSV {
      result.middle = arena.fragment(field([series.type]) + [UInt8(ascii: ",")])
      result.subject = arena.fragment(field([series.subject]))
    } else {
      result.front = arena.fragment(
        text("type", series.type).dropFirst() + Array(#","uuid":""#.utf8))
      result.middle = arena.fragment(
        [UInt8(ascii: "\"")] + text("subject", series.subject) + Array(#","start":""#.utf8))
    }
    return result
  }

  func unit(_ row: Row) -> Fragment { arena.fragment(text("unit", fields.unit(row))) }

  /// Returns the source revision and the device of a sample.
  func origin(_ row: Row) -> Fragment {
    let origin = fields.origin(row)
    if isCSV {
      return arena.fragment(
        field([
          origin.source, origin.bundleIdentifier, origin.version, origin.productType,
          origin.operatingSystem, origin.device?.text ?? "",
        ]))
    }
    var object = JSONObject()
    object.add(ifAny: "source", origin.source)
    object.add(ifAny: "bundleIdentifier", origin.bundleIdentifier)
    object.add(ifAny: "version", origin.version)
    object.add(ifAny: "productType", origin.productType)
    object.add(ifAny: "operatingSystem", origin.operatingSystem)
    if let device = origin.device { object.add("device", device) }
    return arena.fragment(members(object))
  }

  /// Returns the name of a category value.
  func valueName(_ row: Row) -> Fragment {
    arena.fragment(text("valueName", fields.valueName(row)))
  }

  /// Returns the UUIDs of the contained samples that are not deleted.
  func members(of row: Row) throws -> [UUID] { try fields.members(of: row) }

  /// Returns the value name and the details of a sample whose type has details.
  func details(_ row: Row) throws -> (valueName: [UInt8], details: [UInt8]) {
    guard let (name, details) = try fields.details(row) else {
      return (text("valueName", ""), isCSV ? field([""]) : [])
    }
    return (text("valueName", name), object(RowEncoder.details, details))
  }

  /// Returns the metadata, and whether it may have a sync identifier for later versions.
  func metadata(_ row: Row) throws -> (text: Fragment, isVersioned: Bool) {
    let (metadata, isVersioned) = try fields.metadata(row)
    return (arena.fragment(object("metadata", metadata)), isVersioned)
  }

  /// Returns the field ``RowEncoder/contents``, or nil if the sample has none.
  func contents(_ row: Row) throws -> [UInt8]? {
    try fields.contents(row).map { object(RowEncoder.contents, $0) }
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
