import Foundation
import HealthStore
import SampleLog

/// Converts records to rows of a store.
struct RecordConverter {
  /// The change that a record describes.
  enum Item {
    /// A sample of a subject, and its child rows.
    case sample(StoredSample, children: [StoredSample], subject: String)
    case deletion(UUID, subject: String)
    /// The activity summary of a day.
    case day(DateComponents, HKActivitySummary, subject: String)
    /// A record that has only an anchor and changes nothing.
    case nothing
  }

  /// The subject of records that name none.
  let subject: String
  private var types: [String: String] = [:]

  init(subject: String) { self.subject = subject }

  mutating func item(_ record: RecordReader.Record) throws -> Item {
    if record.count == 1, record["anchor"] != nil { return .nothing }
    let fields = RecordFields(record)
    let subject = try fields.text("subject") ?? subject
    guard subject.utf8.count <= StoreLimit.nameBytes.maximum else {
      throw IngestProblem("The field subject has too many bytes")
    }
    switch try fields.text("kind") {
    case nil, "added":
      if try fields.text("type") == ActivityDay.typeName {
        let (day, summary) = try fields.activityDay()
        return .day(day, summary, subject: subject)
      }
      return try sample(fields, subject)
    case "deleted":
      guard let uuid = try fields.uuid() else {
        throw IngestProblem("What is deleted needs the field uuid")
      }
      return .deletion(uuid, subject: subject)
    case "erased":
      throw IngestProblem(
        "Everything of the subject was erased, which `healthstore erase` has to do here, too")
    case let kind?: throw IngestProblem("There is no kind \(kind)")
    }
  }

  private mutating func sample(_ fields: RecordFields, _ subject: String) throws -> Item {
    let identifier = try identifier(try fields.required("type"))
    let type = HKSampleType.named(identifier)
    guard let start = try fields.date("start") else {
      throw IngestProblem("The field start is missing")
    }
    let contents = try fields.contents()
    let metadata = try fields.metadata()
    let revision = try fields.revision()
    try SyncIdentity.check(metadata, of: identifier)
    let identity = SyncIdentity(metadata, revision ?? .unknown)
    guard let uuid = try fields.uuid() ?? identity.map({ _ in UUID() }) else {
      throw IngestProblem(
        "There is neither the field uuid nor metadata with a sync identifier and version, so "
          + "another run would save it again")
    }
    var sample = StoredSample(
      uuid: uuid, type: identifier, start: start, end: try fields.date("end") ?? start,
      value: try value(fields, type, contents))
    sample.unit = try unit(fields, type)
    sample.source = revision?.storedBytes ?? []
    sample.device = try fields.device()?.storedBytes ?? []
    if let contents {
      sample.extras = contents.extras
    } else {
      if fields.record["objects"] != nil { throw Self.needsContents(type) }
      var extras = Extras()
      if !metadata.isEmpty { extras.metadata = try MetadataCoding.encode(metadata) }
      if let identity {
        if revision?.source.bundleIdentifier.utf8.contains(0) == true {
          throw IngestProblem("The field bundleIdentifier has a character of the value 0")
        }
        extras.syncIdentifier = identity.identifier
        extras.syncVersion = identity.version
      }
      sample.extras = extras.encoded
    }
    let children = (contents?.rows ?? []).map { row in
      var child = StoredSample(
        uuid: row.uuid, type: identifier, childType: row.childType, start: sample.start,
        end: sample.end,
        value: row.value)
      child.extras = row.extras
      return child
    }
    for row in children where row.parent != uuid {
      throw IngestProblem("The field contents has a row of another sample")
    }
    return .sample(sample, children: children, subject: subject)
  }

  private mutating func identifier(_ text: String) throws -> String {
    if let known = types[text] { return known }
    let identifier: String
    do {
      identifier = try TypeArgument.identifier(text)
    } catch {
      throw IngestProblem(String(error.sentence.dropLast()))
    }
    if HKSampleType.named(identifier) == nil {
      let known = HKSampleType.all.map(\.identifier)
      if let meant = Suggestion.nearest(identifier, among: known) {
        throw IngestProblem("There is no type \(identifier); did you mean \(meant)?")
      }
    }
    if types.count < 4096 { types[text] = identifier }
    return identifier
  }

  private func value(
    _ fields: RecordFields, _ type: HKSampleType?, _ contents: IngestedContents?
  ) throws -> Double {
    switch type {
    case is HKQuantityType, nil: break
    case let type as HKCategoryType:
      if let value = try fields.number("value") {
        return value
      }
      let name = try fields.required("valueName")
      guard let value = CategoryValueNames.value(named: name, for: type) else {
        throw IngestProblem("The type \(type.shortName) has no value \(name)")
      }
      return Double(value)
    case .some(let type):
      guard contents != nil else { throw Self.needsContents(type) }
      return try fields.number("value") ?? 0
    }
    guard let value = try fields.number("value") else {
      throw IngestProblem("The field value is missing")
    }
    return value
  }

  private static func needsContents(_ type: HKSampleType?) -> IngestProblem {
    IngestProblem(
      "A sample of \(type?.shortName ?? "the type") needs the field contents, which only "
        + "`healthstore export` writes")
  }

  private func unit(_ fields: RecordFields, _ type: HKSampleType?) throws -> String {
    guard let text = try fields.text("unit") else {
      if type is HKQuantityType { throw IngestProblem("The field unit is missing") }
      return ""
    }
    do {
      return try HKUnit.parse(text).unitString
    } catch {
      throw IngestProblem("There is no unit \(text)")
    }
  }
}
