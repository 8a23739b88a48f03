import Foundation
import SampleLog

extension RowWriter {
  /// Names of rows that were looked at, by what they stand for, and the rule of the last type.
  struct StoredNames {
    fileprivate var units: [String: Unit] = ["": Unit()]
    fileprivate var sources: [[UInt8]: Symbol] = [[]: 0]
    fileprivate var devices: [[UInt8]: Symbol] = [[]: 0]
    private var last: (name: String, rule: SampleRule)?

    fileprivate static let most = 4096

    fileprivate struct Unit {
      var symbol: Symbol = 0
      var unit: HKUnit?
    }

    /// The rule for samples of a type.
    mutating func rule(of type: String) throws(HKInvalidSampleError) -> SampleRule {
      if let last, last.name == type { return last.rule }
      let rule = try SampleRule(of: type)
      last = (type, rule)
      return rule
    }
  }

  /// Takes a row of another store as it is there.
  ///
  /// A row that another one owns must come with its owner, or after it.
  ///
  /// - Throws: ``HKInvalidSampleError`` when no store may hold it.
  package mutating func add(_ sample: StoredSample) throws(HKInvalidSampleError) {
    let rule = try stored.rule(of: sample.type)
    let unit = try unit(sample.unit, sample.type)
    if sample.role != nil {
      try check(owned: sample)
    } else {
      try rule.check(
        start: sample.start, end: sample.end, value: sample.value, unit: unit.unit)
      try rule.check(extras: sample.extras)
    }
    let source = try symbol(of: sample.source, \.sources, sample.type) {
      HKSourceRevision(stored: $0) != nil
    }
    let device = try symbol(of: sample.device, \.devices, sample.type) {
      HKDevice(stored: $0) != nil
    }
    let name = sample.role.map { OwnedType.name($0, of: sample.type) } ?? Array(sample.type.utf8)
    batch.add(
      subject: subject, type: symbols.intern(name), id: Identifier(sample.uuid),
      start: sample.start, end: sample.end, value: sample.value, unit: unit.symbol,
      source: source, device: device, extras: batch.number(ofExtras: sample.extras))
  }

  /// Throws unless a sample may own a row.
  package mutating func check(owned row: StoredSample) throws(HKInvalidSampleError) {
    guard let role = row.role else {
      throw .invalidContents(type: row.type, reason: "it belongs to no sample.")
    }
    try stored.rule(of: row.type).check(owned: role, extras: row.extras)
    guard row.start.isFinite, row.end.isFinite else { throw .dateNotFinite(type: row.type) }
    guard row.start <= row.end else { throw .endBeforeStart(type: row.type) }
    guard row.value.isFinite else { throw .valueNotFinite(type: row.type) }
  }

  /// Takes a sample of another store with all rows that belong to it.
  ///
  /// - Throws: ``HKInvalidSampleError`` when no store may hold one of them, or when the points of a
  ///   series are not those that the sample tells of. Some of the rows may have been taken then.
  package mutating func add(
    _ sample: StoredSample, owning rows: [StoredSample]
  ) throws(HKInvalidSampleError) {
    let rule = try stored.rule(of: sample.type)
    try rule.check(extras: sample.extras)
    var points: [PointChunk] = []
    for row in rows where row.role == PointChunk.role {
      let id = Identifier(
        ownedBy: Identifier(sample.uuid), role: PointChunk.role, number: UInt64(points.count))
      guard Identifier(row.uuid) == id,
        let chunk = try rule.check(owned: PointChunk.role, extras: row.extras) as? PointChunk
      else { throw .invalidContents(type: sample.type, reason: "its points make no sense.") }
      points.append(chunk)
    }
    try rule.check(points, of: sample)
    try add(sample)
    for row in rows { try add(row) }
  }

  private mutating func unit(
    _ name: String, _ type: String
  ) throws(HKInvalidSampleError) -> StoredNames.Unit {
    if let known = stored.units[name] { return known }
    guard name.utf8.count <= StoreLimit.nameBytes.maximum, let unit = HKUnit.named(name) else {
      throw .invalidContents(type: type, reason: "its unit is none.")
    }
    if stored.units.count >= StoredNames.most { stored.units = ["": StoredNames.Unit()] }
    let known = StoredNames.Unit(symbol: symbols.intern(name), unit: unit)
    stored.units[name] = known
    return known
  }

  private mutating func symbol(
    of bytes: [UInt8], _ known: WritableKeyPath<StoredNames, [[UInt8]: Symbol]>, _ type: String,
    _ isGood: ([UInt8]) -> Bool
  ) throws(HKInvalidSampleError) -> Symbol {
    if let symbol = stored[keyPath: known][bytes] { return symbol }
    guard bytes.count <= StoreLimit.nameBytes.maximum, isGood(bytes) else {
      throw .invalidContents(type: type, reason: "its source or device makes no sense.")
    }
    if stored[keyPath: known].count >= StoredNames.most { stored[keyPath: known] = [[]: 0] }
    let symbol = symbols.intern(bytes)
    stored[keyPath: known][bytes] = symbol
    return symbol
  }
}
