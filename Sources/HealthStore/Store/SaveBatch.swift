import Foundation
import SampleLog

/// Turns objects into rows of one commit.
struct SaveBatch {
  private(set) var batch = Batch()
  private let symbols: SymbolTable
  private let subject: Symbol
  /// Where older versions are looked up.
  private let snapshot: Snapshot
  /// The running program's revision, which objects get that do not say who recorded them.
  private let ownSource: Symbol
  /// For each contained sample the correlations that contain it.
  private var memberships: [UUID: [Identifier]] = [:]
  // Neighbours mostly share these, and comparing references is all it then takes.
  private var lastType: (type: HKSampleType, symbol: Symbol)?
  private var lastUnit: (unit: HKUnit, symbol: Symbol)?
  private var lastRevision: (revision: HKSourceRevision, symbol: Symbol)?
  private var lastDevice: (device: HKDevice, symbol: Symbol)?

  /// Takes objects; throws when one of them cannot be saved.
  ///
  /// Samples that a correlation contains are saved with it, once.
  init(_ objects: [HKObject], subject: Symbol, snapshot: Snapshot) throws {
    let symbols = snapshot.symbols
    self.snapshot = snapshot
    self.symbols = symbols
    self.subject = subject
    ownSource = symbols.intern(HKSourceRevision.current.storedBytes)
    batch.reserveCapacity(objects.count)
    let correlations = objects.compactMap { $0 as? HKCorrelation }
    var members: [UUID: HKSample] = [:]
    for correlation in correlations {
      let id = Identifier(correlation.uuid)
      for object in correlation.objects {
        members[object.uuid] = object
        memberships[object.uuid, default: []].append(id)
      }
    }
    for object in objects {
      guard let sample = object as? HKSample else {
        throw HKError.make(
          .errorInvalidArgument,
          "A \(Swift.type(of: object)) is not a sample, so it cannot be saved.")
      }
      if !members.isEmpty { members[sample.uuid] = nil }
      try add(sample)
    }
    for sample in members.values.sorted(by: { Identifier($0.uuid) < Identifier($1.uuid) }) {
      try add(sample)
    }
  }

  private mutating func add(_ sample: HKSample) throws {
    let built = sample.materialized
    let type = built.sampleType
    try BuiltSample.check(type, start: built.startDate, end: built.endDate)
    let metadata = try BuiltSample.checked(built.metadata, for: type)
    let value = try value(of: built)
    let revision = built.sourceRevision
    var extras = Extras()
    if let metadata {
      extras.metadata = try MetadataCoding.encode(metadata)
      if let identity = SyncIdentity(metadata, revision ?? .current) {
        extras.syncIdentifier = identity.identifier
        extras.syncVersion = identity.version
      }
    }
    if built.kind == .correlation {
      let objects = built.objects.sorted { Identifier($0.uuid) < Identifier($1.uuid) }
      extras.payloadKind = CorrelationPayload.kind
      extras.payload = CorrelationPayload(objects).encoded
    }
    if !memberships.isEmpty, let owners = memberships[built.uuid] { extras.memberOf = owners }
    if !extras.syncIdentifier.isEmpty {
      // What replaces a member takes its place.
      let key = SeriesKey(subject: subject, type: symbol(of: type))
      let old = try snapshot.row(key, syncIdentifier: extras.syncIdentifier)
      if let old, let before = Extras(old.block.extras(at: old.row)) {
        extras.memberOf += before.memberOf.filter { !extras.memberOf.contains($0) }
      }
    }
    let bytes = extras.encoded
    batch.add(
      subject: subject, type: symbol(of: type), id: Identifier(built.uuid),
      start: built.startDate.timeIntervalSinceReferenceDate,
      end: built.endDate.timeIntervalSinceReferenceDate, value: value,
      unit: built.quantity.map { symbol(of: $0.unit) } ?? 0,
      source: revision.map { symbol(of: $0) } ?? ownSource,
      device: built.device.map { symbol(of: $0) } ?? 0,
      extras: bytes.isEmpty ? 0 : batch.number(ofExtras: bytes))
  }

  /// The number that a row holds; throws when the type does not allow it.
  private func value(of built: BuiltSample) throws -> Double {
    let type = built.sampleType
    switch built.kind {
    case .cumulativeQuantity, .discreteQuantity:
      guard let quantity = built.quantity, let quantityType = type as? HKQuantityType else {
        throw HKError.make(
          .errorInvalidArgument, "A sample of \(type.identifier) needs a quantity.")
      }
      guard quantityType.is(compatibleWith: quantity.unit) else {
        throw HKInvalidSampleError.incompatibleUnit(
          type: type.identifier, unit: quantity.unit.unitString)
      }
      guard quantity.value.isFinite else {
        throw HKInvalidSampleError.valueNotFinite(type: type.identifier)
      }
      return quantity.value
    case .category:
      guard let categoryType = type as? HKCategoryType,
        categoryType.isValid(categoryValue: built.categoryValue)
      else {
        throw HKInvalidSampleError.invalidCategoryValue(
          type: type.identifier, value: built.categoryValue)
      }
      return Double(built.categoryValue)
    case .correlation: return 0
    case .other:
      throw HKError.make(
        .errorInvalidArgument, "Samples of \(type.identifier) cannot be saved by this version.")
    }
  }

  private mutating func symbol(of type: HKSampleType) -> Symbol {
    if let lastType, lastType.type.info === type.info { return lastType.symbol }
    let symbol = symbols.intern(type.identifier)
    lastType = (type, symbol)
    return symbol
  }

  private mutating func symbol(of unit: HKUnit) -> Symbol {
    if let lastUnit, lastUnit.unit.form === unit.form { return lastUnit.symbol }
    let symbol = symbols.intern(unit.unitString)
    lastUnit = (unit, symbol)
    return symbol
  }

  private mutating func symbol(of revision: HKSourceRevision) -> Symbol {
    if let lastRevision, lastRevision.revision === revision { return lastRevision.symbol }
    let symbol = symbols.intern(revision.storedBytes)
    lastRevision = (revision, symbol)
    return symbol
  }

  private mutating func symbol(of device: HKDevice) -> Symbol {
    if let lastDevice, lastDevice.device === device { return lastDevice.symbol }
    let symbol = symbols.intern(device.storedBytes)
    lastDevice = (device, symbol)
    return symbol
  }
}
