import Foundation
import SampleLog

// Adds rows from another store to a batch.
extension RowWriter {
  /// Caches the symbols of units, sources and devices that were already validated, and the types
  /// with their rules.
  struct StoredNames {
    fileprivate var units: [String: Unit] = [:]
    fileprivate var sources: [[UInt8]: Symbol] = [:]
    fileprivate var devices: [[UInt8]: Symbol] = [:]
    private var types: [String: KnownType] = [:]
    // Adjacent rows often share a type, and an import looks up both its symbol and its rule.
    private var last: (name: String, type: KnownType)?

    fileprivate static let most = 4096

    fileprivate struct Unit {
      var symbol: Symbol = 0
      var unit: HKUnit?
    }

    private struct KnownType {
      var rule: SampleRule
      /// The type's symbol, or 0 before the first request.
      ///
      /// Types of rejected samples have no symbol.
      var symbol: Symbol = 0
    }

    /// Returns the rule for samples of a type.
    mutating func rule(of name: String) throws(HKInvalidSampleError) -> SampleRule {
      if let last, last.name == name { return last.type.rule }
      if let known = types[name] {
        last = (name, known)
        return known.rule
      }
      let type = KnownType(rule: try SampleRule(of: name))
      if types.count >= Self.most { types = [:] }
      types[name] = type
      last = (name, type)
      return type.rule
    }

    /// Returns the symbol of a type.
    ///
    /// Its rule must have been requested before.
    mutating func symbol(ofType name: String, in symbols: SymbolTable) -> Symbol {
      if let last, last.name == name, last.type.symbol != 0 { return last.type.symbol }
      let symbol = symbols.intern(name)
      types[name]?.symbol = symbol
      if last?.name == name { last?.type.symbol = symbol }
      return symbol
    }
  }

  /// Adds a row of another store unchanged.
  ///
  /// A child row must be added together with its parent or after it.
  ///
  /// - Throws: ``HKInvalidSampleError`` if the row is not valid in any store.
  package mutating func add(_ sample: StoredSample) throws(HKInvalidSampleError) {
    let rule = try stored.rule(of: sample.type)
    let unit = try unit(sample.unit, sample.type)
    if sample.childType != nil {
      try check(child: sample)
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
    let name =
      sample.childType.map { ChildType.name($0, of: sample.type) } ?? Array(sample.type.utf8)
    batch.add(
      subject: subject, type: symbols.intern(name), id: Identifier(sample.uuid),
      start: sample.start, end: sample.end, value: sample.value, unit: unit.symbol,
      source: source, device: device, extras: batch.intern(extras: sample.extras))
  }

  /// Checks that a row is a valid child row of a sample.
  package mutating func check(child row: StoredSample) throws(HKInvalidSampleError) {
    guard let childType = row.childType else {
      throw .invalidContents(type: row.type, reason: "it belongs to no sample.")
    }
    try stored.rule(of: row.type).check(child: childType, extras: row.extras)
    guard row.start.isFinite, row.end.isFinite else { throw .dateNotFinite(type: row.type) }
    guard row.start <= row.end else { throw .endBeforeStart(type: row.type) }
    guard row.value.isFinite else { throw .valueNotFinite(type: row.type) }
  }

  /// Adds a sample of another store together with all of its child rows.
  ///
  /// - Throws: ``HKInvalidSampleError`` if one of the rows is not valid in any store, or if the
  ///   points of a series do not match the sample's payload. Some of the rows may have been added
  ///   then.
  package mutating func add(
    _ sample: StoredSample, children rows: [StoredSample]
  ) throws(HKInvalidSampleError) {
    let rule = try stored.rule(of: sample.type)
    var points: [PointChunk] = []
    for row in rows where row.childType == PointChunk.childType {
      let id = Identifier(
        childOf: Identifier(sample.uuid), type: PointChunk.childType, number: UInt64(points.count))
      guard Identifier(row.uuid) == id,
        let chunk = try rule.check(child: PointChunk.childType, extras: row.extras) as? PointChunk
      else { throw .invalidContents(type: sample.type, reason: "its points make no sense.") }
      points.append(chunk)
    }
    try rule.check(points, extras: sample.extras, from: sample.start, to: sample.end)
    try add(sample)
    for row in rows { try add(row) }
  }

  private mutating func unit(
    _ name: String, _ type: String
  ) throws(HKInvalidSampleError) -> StoredNames.Unit {
    if name.isEmpty { return StoredNames.Unit() }
    if let known = stored.units[name] { return known }
    guard let unit = HKUnit.named(name) else {
      throw .invalidContents(type: type, reason: "its unit is none.")
    }
    if stored.units.count >= StoredNames.most { stored.units = [:] }
    let known = StoredNames.Unit(symbol: symbols.intern(name), unit: unit)
    stored.units[name] = known
    return known
  }

  private mutating func symbol(
    of bytes: [UInt8], _ known: WritableKeyPath<StoredNames, [[UInt8]: Symbol]>, _ type: String,
    _ isGood: ([UInt8]) -> Bool
  ) throws(HKInvalidSampleError) -> Symbol {
    if bytes.isEmpty { return 0 }
    if let symbol = stored[keyPath: known][bytes] { return symbol }
    guard bytes.count <= StoreLimit.nameBytes.maximum, isGood(bytes) else {
      throw .invalidContents(type: type, reason: "its source or device makes no sense.")
    }
    if stored[keyPath: known].count >= StoredNames.most { stored[keyPath: known] = [:] }
    let symbol = symbols.intern(bytes)
    stored[keyPath: known][bytes] = symbol
    return symbol
  }
}
