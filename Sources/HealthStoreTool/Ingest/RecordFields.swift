import AppleHealthExport
import Foundation
import HealthStore

/// Typed access to the fields of one record.
struct RecordFields {
  let record: RecordReader.Record

  init(_ record: RecordReader.Record) { self.record = record }

  /// Returns a field's text, or nil if the field is absent.
  func text(_ name: String) throws(IngestProblem) -> String? {
    guard let value = record[name] else { return nil }
    guard let text = Self.text(value) else { throw IngestProblem("The field \(name) is no text") }
    return text
  }

  private static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .text(let text), .cell(let text): text
    default: nil
    }
  }

  func required(_ name: String) throws(IngestProblem) -> String {
    guard let text = try text(name) else { throw IngestProblem("The field \(name) is missing") }
    return text
  }

  /// Returns a field's number, or nil if the field is absent.
  func number(_ name: String) throws(IngestProblem) -> Double? {
    guard let value = record[name] else { return nil }
    return try Self.number(value, "The field \(name)")
  }

  /// Converts a JSON number, or a CSV cell that is written like one, to a finite number.
  private static func number(_ value: JSONValue, _ name: String) throws(IngestProblem) -> Double {
    let number: Double? =
      switch value {
      case .number(let number): number
      case .integer(let number): Double(number)
      // `Double.init` also accepts hexadecimal digits.
      case .cell(let text): text.lowercased().contains("x") ? nil : Double(text)
      default: nil
      }
    guard let number, number.isFinite else { throw IngestProblem("\(name) is no number") }
    return number
  }

  private func object(_ name: String) throws(IngestProblem) -> [String: JSONValue]? {
    guard let value = record[name] else { return nil }
    guard case .object(let members) = value else {
      throw IngestProblem("The field \(name) is no object of JSON")
    }
    return members
  }

  func uuid() throws(IngestProblem) -> UUID? {
    guard let value = record["uuid"] else { return nil }
    return try Self.uuid(value)
  }

  private static func uuid(_ value: JSONValue?) throws(IngestProblem) -> UUID {
    guard let text = text(value), let uuid = UUID(uuidString: text) else {
      throw IngestProblem("The field uuid is no UUID")
    }
    return uuid
  }

  /// Returns a field's time in seconds since 2001-01-01 00:00 UTC, or nil if the field is absent.
  func date(_ name: String) throws(IngestProblem) -> Double? {
    guard let text = try text(name) else { return nil }
    guard let seconds = Self.seconds(text) else {
      throw IngestProblem("The field \(name) is no time such as 2024-03-01T08:30:00Z")
    }
    return seconds
  }

  /// Parses a time into seconds since 2001-01-01 00:00 UTC; exact for text that ``UTCText`` wrote.
  static func seconds(_ text: String) -> Double? {
    UTCText.seconds(of: text)
      ?? TimeArgument.date(text)?.timeIntervalSinceReferenceDate
  }

  /// Returns the source revision, or nil if the record has none of its fields.
  func revision() throws(IngestProblem) -> HKSourceRevision? {
    let (name, bundle) = (try text("source"), try text("bundleIdentifier"))
    let (version, product) = (try text("version"), try text("productType"))
    let system = try text("operatingSystem")
    if name == nil, bundle == nil, version == nil, product == nil, system == nil { return nil }
    let numbers = try system.map { text throws(IngestProblem) in
      let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map {
        $0.allSatisfy(\.isNumber) ? Int($0) : nil
      }
      guard (1...3).contains(numbers.count), numbers.allSatisfy({ $0 != nil }) else {
        throw IngestProblem("The field operatingSystem is no version such as 17.2.1")
      }
      return numbers.compactMap(\.self) + [0, 0]
    }
    return HKSourceRevision(
      source: HKSource(name: name ?? "", bundleIdentifier: bundle ?? ""), version: version,
      productType: product,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: numbers?[0] ?? 0, minorVersion: numbers?[1] ?? 0,
        patchVersion: numbers?[2] ?? 0))
  }

  func device() throws(IngestProblem) -> HKDevice? {
    guard let fields = try object("device") else { return nil }
    var texts: [String: String] = [:]
    for (name, value) in fields {
      guard Self.deviceFields.contains(name), case .text(let text) = value else {
        throw IngestProblem("A device has no \(name) that is such a text")
      }
      texts[name] = text
    }
    return HKDevice(
      name: texts["name"], manufacturer: texts["manufacturer"], model: texts["model"],
      hardwareVersion: texts["hardwareVersion"], firmwareVersion: texts["firmwareVersion"],
      softwareVersion: texts["softwareVersion"], localIdentifier: texts["localIdentifier"],
      udiDeviceIdentifier: texts["udiDeviceIdentifier"])
  }

  private static let deviceFields: Set = [
    "name", "manufacturer", "model", "hardwareVersion", "firmwareVersion", "softwareVersion",
    "localIdentifier", "udiDeviceIdentifier",
  ]

  /// Returns the metadata; text under a HealthKit key for dates becomes a date.
  func metadata() throws(IngestProblem) -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in try object("metadata") ?? [:] {
      result[key] = try Self.metadata(value, key)
    }
    return result
  }

  /// Returns an activity summary and its day, which is that of the field `start` in UTC.
  func activityDay() throws(IngestProblem) -> (day: DateComponents, HKActivitySummary) {
    guard let start = try date("start") else { throw IngestProblem("The field start is missing") }
    var (moveMode, isPaused) = (HKActivityMoveMode.activeEnergy, false)
    var quantities: [String: HKQuantity] = [:]
    for (name, value) in try object(RowEncoder.details) ?? [:] {
      switch (name, value) {
      case ("day", _): break
      case ("moveMode", .text("appleMoveTime")): moveMode = .appleMoveTime
      case ("moveMode", .text("activeEnergy")): moveMode = .activeEnergy
      case ("isPaused", .truth(let value)): isPaused = value
      case (_, .object(let object)):
        quantities[name] = try Self.quantity(object, "The detail \(name)")
      default: throw IngestProblem("An activity summary has no \(name) of this kind")
      }
    }
    guard
      let summary = HKActivitySummary(
        fields: quantities, moveMode: moveMode, isPaused: isPaused)
    else {
      throw IngestProblem("The field \(RowEncoder.details) has a quantity that no day has")
    }
    let day = ActivityDay.calendar.dateComponents(
      [.era, .year, .month, .day], from: Date(timeIntervalSinceReferenceDate: start))
    guard day.era == 1, (1...9999).contains(day.year ?? 0) else {
      throw IngestProblem("The field start is no day of the years 1 to 9999")
    }
    return (day, summary)
  }

  private static func metadata(_ value: JSONValue, _ key: String) throws(IngestProblem) -> Any {
    switch value {
    case .text(let text):
      guard metadataKind(ofKey: key) == .date, let seconds = seconds(text) else { return text }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .truth(let value): return NSNumber(value: value)
    case .integer(let value): return NSNumber(value: value)
    case .number(let value):
      guard value.isFinite else { throw IngestProblem("The metadata \(key) is too great a number") }
      return NSNumber(value: value)
    // JSON has no NaN or infinity; exports write null for them.
    case .null: return NSNumber(value: Double.nan)
    case .array, .cell:
      throw IngestProblem("The metadata \(key) is an array, which no sample can have")
    case .object(let object): return try quantity(object, "The metadata \(key)")
    }
  }

  private static func quantity(
    _ object: [String: JSONValue], _ name: String
  ) throws(IngestProblem) -> HKQuantity {
    guard object.count == 2, let number = object["value"], case .text(let unit) = object["unit"]
    else { throw IngestProblem("\(name) is no object of a value and a unit") }
    let value = try Self.number(number, name)
    do {
      return HKQuantity(unit: try HKUnit.parse(unit), doubleValue: value)
    } catch {
      throw IngestProblem("\(name) has no unit \(unit)")
    }
  }

  /// Returns the contents that only `healthstore export` writes, or nil if they are absent.
  func contents() throws(IngestProblem) -> IngestedContents? {
    guard let fields = try object(RowEncoder.contents) else { return nil }
    guard fields["version"] == .integer(Int64(IngestedContents.version)) else {
      throw IngestProblem("The field contents is of a version that this program does not know")
    }
    var result = IngestedContents(extras: try Self.bytes(fields["extras"]))
    guard case .array(let rows) = fields["rows"] ?? .array([]) else { throw Self.noRow }
    for row in rows {
      guard case .object(let row) = row, case .text(let childType) = row["role"],
        let value = row["value"]
      else { throw Self.noRow }
      result.rows.append(
        IngestedContents.Row(
          uuid: try Self.uuid(row["uuid"]), childType: childType,
          value: try Self.number(value, "A row of the field contents"),
          extras: try Self.bytes(row["extras"])))
    }
    return result
  }

  private static let noRow = IngestProblem("The field contents has a row that makes no sense")

  private static func bytes(_ value: JSONValue?) throws(IngestProblem) -> [UInt8] {
    guard let value else { return [] }
    guard case .text(let text) = value, let data = Data(base64Encoded: text) else {
      throw IngestProblem("The field contents has something that is not base64")
    }
    return [UInt8](data)
  }
}

/// The parts of a sample that the other fields do not represent.
struct IngestedContents {
  /// The version of the representation that this program writes and reads.
  static let version = 1

  /// A child row of the sample.
  struct Row {
    var uuid: UUID
    var childType: String
    var value: Double
    var extras: [UInt8]
  }

  var extras: [UInt8]
  var rows: [Row] = []
}
