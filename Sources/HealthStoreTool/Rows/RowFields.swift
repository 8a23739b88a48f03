import Foundation
import HealthStore
import SampleLog

/// The text fields of samples, which are the same in every row format.
///
/// A field that a sample does not have is empty or nil.
final class RowFields {
  /// The fields that samples of a type may have.
  struct Traits {
    var isCategory = false
    var mayHaveMembers = false
    /// Whether samples of the type have details.
    var mayHaveDetails = false
    /// Whether samples of the type may have child rows.
    var mayHaveChildren = false
  }

  /// The fields that all samples of a series share.
  struct Series {
    var type = ""
    var subject = ""
    var traits = Traits()
  }

  /// The source revision and the device that recorded a sample.
  struct Origin {
    var source = ""
    var bundleIdentifier = ""
    var version = ""
    var productType = ""
    var operatingSystem = ""
    var device: JSONObject?
  }

  let words: RowWords
  let objects: StoredObjects?
  private var reader: RowReader { words.reader }

  /// Creates a reader of fields; contents are available only with `objects`.
  init(_ words: RowWords, _ objects: StoredObjects?) {
    self.words = words
    self.objects = objects
  }

  func series(_ row: Row) -> Series {
    let type = reader.type(of: row)
    return Series(
      type: words.type(of: row), subject: words.subject(row.subject),
      traits: Traits(
        isCategory: type is HKCategoryType, mayHaveMembers: type is HKCorrelationType,
        mayHaveDetails: SampleDetails.mayHave(type),
        mayHaveChildren: objects?.mayHaveChildren(row.block.type) ?? false))
  }

  func unit(_ row: Row) -> String { reader.unit(of: row) }

  func origin(_ row: Row) -> Origin {
    let revision = reader.sourceRevision(of: row)
    return Origin(
      source: revision.source.name, bundleIdentifier: revision.source.bundleIdentifier,
      version: revision.version ?? "", productType: revision.productType ?? "",
      operatingSystem: Self.text(revision.operatingSystemVersion) ?? "",
      device: reader.device(of: row).map { JSONObject(device: $0) })
  }

  /// Returns the name of a category value, such as `HKCategoryValueSleepAnalysisAsleepCore`.
  func valueName(_ row: Row) -> String {
    let category = reader.type(of: row) as? HKCategoryType
    let whole = Int(exactly: row.block.value[row.row])
    let name = whole.flatMap { value in
      category.flatMap { CategoryValueNames.name(of: value, for: $0) }
    }
    return name ?? ""
  }

  /// Returns the UUIDs of the contained samples that are not deleted.
  func members(of row: Row) throws -> [UUID] {
    try objects?.members(of: row) ?? words.members(of: row)
  }

  /// Returns the value name and the details of a sample whose type has details.
  func details(_ row: Row) throws -> (valueName: String, object: JSONObject)? {
    SampleDetails.details(of: try objects?.sample(of: row) ?? words.sample(of: row))
  }

  /// Returns the metadata and whether it has a sync identifier.
  ///
  /// A sample with a sync identifier can be replaced by a later version.
  func metadata(_ row: Row) throws -> (object: JSONObject, isVersioned: Bool) {
    let metadata = try reader.metadata(of: row) ?? [:]
    return (JSONObject(metadata: metadata), metadata[HKMetadataKeySyncIdentifier] != nil)
  }

  /// Returns the field ``RowEncoder/contents``, with bytes in base64 as Docs/tool.md describes.
  func contents(_ row: Row) throws -> JSONObject? {
    guard let contents = try objects?.contents(of: row) else { return nil }
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
    return result
  }

  /// Returns the text of a version, such as `17.2.1`.
  ///
  /// Returns nil if the version is unknown or has a negative part, which `ingest` rejects.
  static func text(_ version: OperatingSystemVersion) -> String? {
    let numbers = [version.majorVersion, version.minorVersion, version.patchVersion]
    if numbers == [0, 0, 0] || numbers.contains(where: { $0 < 0 }) { return nil }
    return numbers.map(String.init).joined(separator: ".")
  }
}
