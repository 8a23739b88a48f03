import Foundation
import HealthStore

/// An error that rejects an item of an export, or a part of one.
struct ImportRejection: Error {
  var problem: ImportProblem
}

/// A converter of records to samples, which caches the objects that many records share.
struct RecordConverter {
  /// The number of metadata values kept as text, by key.
  var keptAsText: [String: Int] = [:]
  /// The metadata keys with several values since the last call of ``takeRepeated()``.
  private var repeated: [ImportProblem] = []
  var allowance = NameAllowance()
  /// The names of the last row with attributes of this library.
  var admitted: (type: String, unit: String, source: [UInt8], device: [UInt8]) = ("", "", [], [])

  private struct Origin: Hashable {
    var name: String
    var version: String?
  }

  // Cached texts come from the file. A cache that reaches this size is cleared, to bound memory.
  private static let mostCached = 4096
  /// The maximum size of a cached text, in bytes.
  private static let longestCached = 1024
  private var types: [String: HKSampleType?] = [:]
  private var lastType: (name: String, type: HKSampleType?)?
  private var units: [String: HKUnit?] = [:]
  private var revisions: [Origin: HKSourceRevision] = [:]
  private var devices: [String: HKDevice] = [:]
  /// The unit of the last quantity, and its conversion to base units.
  private var base: (unit: UnitForm, conversion: UnitConversion)?

  /// The metadata key for the name of a category value whose number is unknown.
  static let categoryNameKey = CategoryValueNames.unknownNameKey
  /// The number of a category value whose name is unknown, which no type uses.
  static let unknownCategoryValue = CategoryValueNames.unknownValue
  /// The metadata key for the name of an unknown workout activity.
  static let activityNameKey = "HealthStoreWorkoutActivityName"
  private static let categoryPrefix = "HKCategoryTypeIdentifier"

  /// Returns whether a type, known or not, is a category type.
  static func isCategory(_ identifier: String) -> Bool { identifier.hasPrefix(categoryPrefix) }

  /// Returns whether correlations or workouts may contain copies of samples of the type.
  static func mayBeMember(_ identifier: String) -> Bool {
    identifier.hasPrefix("HKQuantityTypeIdentifierBloodPressure")
      || identifier.hasPrefix("HKQuantityTypeIdentifierDietary")
      || identifier.hasSuffix("WorkoutEffortScore")
  }

  /// A placeholder for an identifier that is not assigned yet.
  static let noIdentifier = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  /// Converts a record to a sample without an identifier.
  mutating func sample(
    _ record: ExportRecord
  ) throws(ImportRejection) -> IncomingSample {
    let value: Double
    var unit: HKUnit?
    var valueName: String?
    switch type(record.type) {
    case let type as HKQuantityType:
      unit = try self.unit(record.unit ?? "", of: type)
      value = try Self.number(record)
    case let type as HKCategoryType:
      let number: Int
      (number, valueName) = try Self.categoryValue(record.value, of: type, record.type)
      value = Double(number)
    case .some:
      throw ImportRejection(problem: .unknownType(record.type))
    case nil where record.unit == nil && Self.isCategory(record.type):
      let number: Int
      (number, valueName) = try Self.categoryValue(record.value, of: nil, record.type)
      value = Double(number)
      try allowance.admit(unknownType: record.type)
    case nil:
      // For a type that this version does not know, a number with a unit is stored as a quantity.
      guard let text = record.unit, let known = try self.unit(text, record.type) else {
        throw ImportRejection(problem: .unknownType(record.type))
      }
      unit = known
      value = try Self.number(record)
      try allowance.admit(unknownType: record.type)
    }
    var sample = try sample(
      record.type, record.startDate, record.endDate, value, unit, record.origin,
      record.metadata)
    if let valueName { sample.metadata[Self.categoryNameKey] = valueName }
    return sample
  }

  /// Returns the type or value of an imported record that this version does not know, or nil.
  mutating func unknown(_ record: ExportRecord, _ sample: IncomingSample) -> String? {
    guard let type = type(sample.type) else { return sample.type }
    if sample.unit != nil { return nil }
    guard let category = type as? HKCategoryType,
      !category.isValid(categoryValue: Int(sample.value))
    else { return nil }
    return record.value?.hasPrefix("HK") == true
      ? record.value : "\(sample.type) \(record.value ?? "")"
  }

  /// Converts a number to the base units of its unit's dimension.
  mutating func baseValue(_ value: Double, _ unit: HKUnit) -> Double {
    if let base, base.unit === unit.form { return base.conversion(value) }
    let conversion = UnitConversion(toBaseUnitsOf: unit.form)
    base = (unit.form, conversion)
    return conversion(value)
  }

  /// Converts a correlation to a sample without members and identifier.
  mutating func sample(
    _ correlation: ExportCorrelation
  ) throws(ImportRejection) -> IncomingSample {
    guard type(correlation.type) is HKCorrelationType else {
      throw ImportRejection(problem: .unknownType(correlation.type))
    }
    return try sample(
      correlation.type, correlation.startDate, correlation.endDate, 0, nil,
      correlation.origin, correlation.metadata)
  }

  /// Returns whether this version knows a type.
  mutating func isKnown(_ identifier: String) -> Bool { type(identifier) != nil }

  private static func number(_ record: ExportRecord) throws(ImportRejection) -> Double {
    guard let number = record.value.flatMap({ NumberText.finite($0) }) else {
      throw ImportRejection(problem: .invalidNumber(type: record.type))
    }
    return number
  }

  /// Creates a sample without an identifier.
  mutating func sample(
    _ type: String, _ start: Date, _ end: Date, _ value: Double,
    _ unit: HKUnit?, _ origin: ExportOrigin, _ metadata: [ExportEntry]
  ) throws(ImportRejection) -> IncomingSample {
    IncomingSample(
      uuid: Self.noIdentifier, type: type, start: start, end: end, value: value, unit: unit,
      sourceRevision: try revision(origin, type), device: try device(origin.device, type),
      metadata: self.metadata(metadata, of: type))
  }

  mutating func type(_ identifier: String) -> HKSampleType? {
    if let lastType, lastType.name == identifier { return lastType.type }
    if let known = types[identifier] {
      lastType = (identifier, known)
      return known
    }
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

  /// Returns the number of a category value, and its name if this version does not know the number.
  private static func categoryValue(
    _ text: String?, of type: HKCategoryType?, _ identifier: String
  ) throws(ImportRejection) -> (value: Int, name: String?) {
    // Some versions write no value for types that record only a time.
    guard let text else { return (0, nil) }
    let isNone = type == nil && text == "HKCategoryValueNotApplicable"
    let named = isNone ? 0 : type.flatMap { CategoryValueNames.value(named: text, for: $0) }
    if let value = named ?? Int(text) {
      guard value.magnitude <= 1 << 53 else {
        throw ImportRejection(problem: .unknownValue(type: identifier, value: text))
      }
      return (value, nil)
    }
    guard !text.isEmpty, text.utf8.count <= NameAllowance.longestType else {
      throw ImportRejection(problem: .unknownValue(type: identifier, value: text))
    }
    return (unknownCategoryValue, text)
  }

  private mutating func revision(
    _ origin: ExportOrigin, _ type: String
  ) throws(ImportRejection) -> HKSourceRevision {
    let key = Origin(name: origin.sourceName, version: origin.sourceVersion)
    if let known = revisions[key] { return known }
    // The name replaces the bundle identifier, which exports do not contain.
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

  /// Removes and returns the problems found since the last call.
  mutating func takeRepeated() -> [ImportProblem] {
    if repeated.isEmpty { return [] }
    defer { repeated = [] }
    return repeated
  }

  /// Records keys that have several values, of which the last is kept.
  private mutating func noteRepeated(_ entries: [ExportEntry], of type: String) {
    var texts: [String: String] = [:]
    for entry in entries {
      if let other = texts.updateValue(entry.value, forKey: entry.key), other != entry.value {
        repeated.append(.repeated(type: type, what: "values of \(entry.key.clipped)"))
      }
    }
  }

  mutating func metadata(_ entries: [ExportEntry], of type: String) -> [String: Any] {
    var result: [String: Any] = [:]
    defer { if result.count < entries.count { noteRepeated(entries, of: type) } }
    for entry in entries {
      if let value = value(entry) {
        result[entry.key] = value
      } else {
        // A value that cannot be parsed is kept as text.
        result[entry.key] = entry.value
        let key = entry.key.clipped
        let isNamed = keptAsText[key] != nil || keptAsText.count < 256
        keptAsText[isNamed ? key : "", default: 0] += 1
      }
    }
    return result
  }

  /// Returns the value in the class that HealthKit documents for the key, or nil if it is invalid.
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
      // Metadata stores its units as text, so they do not count as names of the store.
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
  /// Creates the text format of a kind of metadata key.
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
