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
  // Samples share these few, and comparing references is all it then takes.
  private var types = SymbolsOfObjects<TypeInfo>()
  private var units = SymbolsOfObjects<UnitForm>()
  private var revisions = SymbolsOfObjects<HKSourceRevision>()
  private var devices = SymbolsOfObjects<HKDevice>()

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
    let samples = try objects.map { object in
      guard let sample = object as? HKSample else {
        throw HKError.make(
          .errorInvalidArgument,
          "A \(Swift.type(of: object)) is not a sample, so it cannot be saved.")
      }
      return sample
    }
    var members: [UUID: HKSample] = [:]
    for sample in samples where sample.kind == .correlation {
      guard let correlation = sample as? HKCorrelation else { continue }
      let id = Identifier(correlation.uuid)
      for object in correlation.objects {
        members[object.uuid] = object
        memberships[object.uuid, default: []].append(id)
      }
    }
    for sample in samples {
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
    let revision = built.sourceRevision
    var extras = Extras()
    extras.metadata = try built.checkedMetadata ?? encodedMetadata(built)
    if !extras.metadata.isEmpty {
      if let identity = SyncIdentity(built.metadata, revision ?? .current) {
        // It stands in front of the sync identifier, from which a NUL divides it.
        let bundle = (revision ?? .current).source.bundleIdentifier
        if bundle.utf8.contains(0) { throw HKInvalidSampleError.invalidBundleIdentifier(bundle) }
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
      if let old {
        let before = try snapshot.extras(of: old)
        extras.memberOf += before.memberOf.filter { !extras.memberOf.contains($0) }
      }
    }
    let bytes = extras.encoded
    batch.add(
      subject: subject, type: symbol(of: type), id: Identifier(built.uuid),
      start: built.startDate.timeIntervalSinceReferenceDate,
      end: built.endDate.timeIntervalSinceReferenceDate,
      value: built.quantity?.value ?? Double(built.categoryValue),
      unit: built.quantity.map { symbol(of: $0.unit) } ?? 0,
      source: revision.map { symbol(of: $0) } ?? ownSource,
      device: built.device.map { symbol(of: $0) } ?? 0,
      extras: bytes.isEmpty ? 0 : batch.number(ofExtras: bytes))
  }

  /// Throws when the sample's type does not allow its fields; returns its metadata's binary form.
  private func encodedMetadata(_ built: BuiltSample) throws -> [UInt8] {
    let type = built.sampleType
    try BuiltSample.check(type, start: built.startDate, end: built.endDate)
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
    case .category:
      guard let categoryType = type as? HKCategoryType,
        categoryType.isValid(categoryValue: built.categoryValue)
      else {
        throw HKInvalidSampleError.invalidCategoryValue(
          type: type.identifier, value: built.categoryValue)
      }
    case .correlation: break
    case .other:
      throw HKError.make(
        .errorInvalidArgument, "Samples of \(type.identifier) cannot be saved by this version.")
    }
    return try BuiltSample.checked(built.metadata, for: type).encoded
  }

  private mutating func symbol(of type: HKSampleType) -> Symbol {
    types.symbol(of: type.info) { symbols.intern($0.identifier) }
  }

  private mutating func symbol(of unit: HKUnit) -> Symbol {
    units.symbol(of: unit.form) { symbols.intern($0.string) }
  }

  private mutating func symbol(of revision: HKSourceRevision) -> Symbol {
    revisions.symbol(of: revision) { symbols.intern($0.storedBytes) }
  }

  private mutating func symbol(of device: HKDevice) -> Symbol {
    devices.symbol(of: device) { symbols.intern($0.storedBytes) }
  }
}
