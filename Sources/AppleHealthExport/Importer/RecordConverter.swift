import Foundation
import HealthStore

/// Why a record cannot become a sample.
struct ImportRejection: Error {
  var problem: ImportProblem
}

/// Turns records of an export into samples; objects that many records share are made once.
struct RecordConverter {
  /// Metadata values that stayed text, by key.
  private(set) var keptAsText: [String: Int] = [:]
  var allowance = NameAllowance()
  /// The names of the last row of this library's own.
  var admitted: (type: String, unit: String, source: [UInt8], device: [UInt8]) = ("", "", [], [])

  private struct Origin: Hashable {
    var name: String
    var version: String?
  }

  // Texts come from the file; past this size, forgetting them all costs less than keeping them.
  private static let mostCached = 4096
  /// The bytes of the longest text that is worth keeping.
  private static let longestCached = 1024
  private var types: [String: HKSampleType?] = [:]
  private var units: [String: HKUnit?] = [:]
  private var revisions: [Origin: HKSourceRevision] = [:]
  private var devices: [String: HKDevice] = [:]

  /// Whether correlations contain samples of the type.
  static func mayBeMember(_ identifier: String) -> Bool {
    identifier.hasPrefix("HKQuantityTypeIdentifierBloodPressure")
      || identifier.hasPrefix("HKQuantityTypeIdentifierDietary")
  }

  /// The sample that a record stands for.
  mutating func sample(
    _ record: ExportRecord, _ uuid: UUID
  ) throws(ImportRejection) -> ImportedSample {
    let value: Double
    var unit: HKUnit?
    switch type(record.type) {
    case let type as HKQuantityType:
      unit = try self.unit(record.unit ?? "", of: type)
      value = try Self.number(record)
    case let type as HKCategoryType:
      value = Double(try Self.categoryValue(record.value, of: type))
    case .some:
      throw ImportRejection(problem: .unknownType(record.type))
    case nil:
      // Of a later system: a number with a unit explains itself.
      guard let text = record.unit, let known = try self.unit(text, record.type) else {
        throw ImportRejection(problem: .unknownType(record.type))
      }
      unit = known
      value = try Self.number(record)
      try allowance.admit(unknownType: record.type)
    }
    return try sample(
      uuid, record.type, record.startDate, record.endDate, value, unit, record.origin,
      record.metadata)
  }

  /// The correlation that one of an export stands for, without its members.
  mutating func sample(
    _ correlation: ExportCorrelation, _ uuid: UUID
  ) throws(ImportRejection) -> ImportedSample {
    guard type(correlation.type) is HKCorrelationType else {
      throw ImportRejection(problem: .unknownType(correlation.type))
    }
    var sample = try sample(
      uuid, correlation.type, correlation.startDate, correlation.endDate, 0, nil,
      correlation.origin, correlation.metadata)
    sample.isCorrelation = true
    return sample
  }

  /// Whether this version knows a type.
  mutating func isKnown(_ identifier: String) -> Bool { type(identifier) != nil }

  private static func number(_ record: ExportRecord) throws(ImportRejection) -> Double {
    guard let number = record.value.flatMap({ Double($0) }), number.isFinite else {
      throw ImportRejection(problem: .invalidNumber(type: record.type))
    }
    return number
  }

  mutating func sample(
    _ uuid: UUID, _ type: String, _ start: Date, _ end: Date, _ value: Double,
    _ unit: HKUnit?, _ origin: ExportOrigin, _ metadata: [ExportEntry]
  ) throws(ImportRejection) -> ImportedSample {
    ImportedSample(
      uuid: uuid, type: type, start: start, end: end, value: value, unit: unit,
      sourceRevision: try revision(origin, type), device: try device(origin.device, type),
      metadata: self.metadata(metadata))
  }

  mutating func type(_ identifier: String) -> HKSampleType? {
    if let known = types[identifier] { return known }
    let type = HKObjectType.make(identifier: identifier) as? HKSampleType
    if identifier.utf8.count > Self.longestCached { return type }
    if types.count >= Self.mostCached { types.removeAll() }
    types[identifier] = .some(type)
    return type
  }

  mutating func unit(
    _ text: String, of type: HKQuantityType
  ) throws(ImportRejection) -> HKUnit {
    guard let unit = try unit(text, type.identifier), type.is(compatibleWith: unit) else {
      throw ImportRejection(problem: .unusableUnit(type: type.identifier, unit: text))
    }
    return unit
  }

  private mutating func unit(
    _ text: String, _ type: String
  ) throws(ImportRejection) -> HKUnit? {
    if let known = units[text] { return known }
    guard text.utf8.count <= NameAllowance.longestUnit else {
      throw ImportRejection(problem: .nameTooLong(type: type, what: "unit"))
    }
    let unit = try? HKUnit.parse(text)
    if let unit {
      try allowance.admit(
        unit.unitString.utf8, "unit", type: type, longest: NameAllowance.longestUnit)
    }
    if units.count >= Self.mostCached { units.removeAll() }
    units[text] = .some(unit)
    return unit
  }

  private static func categoryValue(
    _ text: String?, of type: HKCategoryType
  ) throws(ImportRejection) -> Int {
    // Types that are about the time alone have no value in some versions' files.
    let text = text ?? "0"
    let value = CategoryValueNames.value(named: text, for: type) ?? Int(text)
    guard let value, type.isValid(categoryValue: value) else {
      throw ImportRejection(problem: .unknownValue(type: type.identifier, value: text))
    }
    return value
  }

  private mutating func revision(
    _ origin: ExportOrigin, _ type: String
  ) throws(ImportRejection) -> HKSourceRevision {
    let key = Origin(name: origin.sourceName, version: origin.sourceVersion)
    if let known = revisions[key] { return known }
    // The name stands in for the bundle identifier, which exports do not have.
    let revision = HKSourceRevision(
      source: HKSource(name: key.name, bundleIdentifier: key.name), version: key.version,
      productType: nil,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 0, minorVersion: 0, patchVersion: 0))
    try allowance.admit(
      revision.storedBytes, "source", type: type, longest: NameAllowance.longestOrigin)
    let length = key.name.utf8.count + (key.version?.utf8.count ?? 0)
    if length > Self.longestCached { return revision }
    if revisions.count >= Self.mostCached { revisions.removeAll() }
    revisions[key] = revision
    return revision
  }

  private mutating func device(
    _ text: String?, _ type: String
  ) throws(ImportRejection) -> HKDevice? {
    guard let text else { return nil }
    if let known = devices[text] { return known }
    let description = DeviceDescription(text)
    let device = HKDevice(
      name: description.name, manufacturer: description.manufacturer, model: description.model,
      hardwareVersion: description.hardwareVersion, firmwareVersion: description.firmwareVersion,
      softwareVersion: description.softwareVersion, localIdentifier: description.localIdentifier,
      udiDeviceIdentifier: description.udiDeviceIdentifier)
    try allowance.admit(
      device.storedBytes, "device", type: type, longest: NameAllowance.longestOrigin)
    if text.utf8.count > Self.longestCached { return device }
    if devices.count >= Self.mostCached { devices.removeAll() }
    devices[text] = device
    return device
  }

  mutating func metadata(_ entries: [ExportEntry]) -> [String: Any] {
    var result: [String: Any] = [:]
    for entry in entries {
      if let value = value(entry) {
        result[entry.key] = value
      } else {
        // Better a text than nothing.
        result[entry.key] = entry.value
        let key = entry.key.clipped
        let isNamed = keptAsText[key] != nil || keptAsText.count < 256
        keptAsText[isNamed ? key : "", default: 0] += 1
      }
    }
    return result
  }

  /// The value in the class that HealthKit gives to the key's; nil when the text is none.
  private mutating func value(_ entry: ExportEntry) -> Any? {
    guard let kind = metadataKind(ofKey: entry.key) else { return entry.value }
    let object: Any
    switch MetadataText.value(entry.value, as: MetadataText.Kind(kind)) {
    case .string(let text): object = text
    case .boolean(let flag): object = NSNumber(value: flag)
    case .integer(let number): object = NSNumber(value: number)
    case .number(let number):
      object = Int(exactly: number).map { NSNumber(value: $0) } ?? NSNumber(value: number)
    case .date(let date): object = date
    case .quantity(let number, let text):
      // Metadata keeps its units as text, so that they are no names of the store's.
      guard text.utf8.count <= NameAllowance.longestUnit, let unit = try? HKUnit.parse(text) else {
        return nil
      }
      object = HKQuantity(unit: unit, doubleValue: number)
    case nil: return nil
    }
    return kind.admits(object) ? object : nil
  }
}

extension MetadataText.Kind {
  /// How the values of a kind of key are written.
  init(_ kind: MetadataKeyKind) {
    self =
      switch kind {
      case .string: .string
      case .number: .number
      case .bool: .boolean
      case .date: .date
      case .quantity: .quantity
      case .enumeration: .integer
      }
  }
}
