import Foundation
import SampleLog

extension RowWriter {
  /// Names of rows that were looked at, by what they stand for.
  struct StoredNames {
    fileprivate var units: [String: Symbol] = ["": 0]
    fileprivate var sources: [[UInt8]: Symbol] = [[]: 0]
    fileprivate var devices: [[UInt8]: Symbol] = [[]: 0]
    fileprivate var check = StoredSampleCheck()

    fileprivate static let most = 4096
  }

  /// Takes a row of another store as it is there.
  ///
  /// A row that another one owns must come with its owner, or after it.
  ///
  /// - Throws: ``HKInvalidSampleError`` when no store can have it.
  package mutating func add(_ sample: StoredSample) throws(HKInvalidSampleError) {
    try stored.check.check(sample)
    let unit = try symbol(ofUnit: sample.unit, sample.type)
    let source = try symbol(of: sample.source, \.sources, sample.type) {
      HKSourceRevision(stored: $0) != nil
    }
    let device = try symbol(of: sample.device, \.devices, sample.type) {
      HKDevice(stored: $0) != nil
    }
    let name = sample.role.map { OwnedType.name($0, of: sample.type) } ?? Array(sample.type.utf8)
    batch.add(
      subject: subject, type: symbols.intern(name), id: Identifier(sample.uuid),
      start: sample.start, end: sample.end, value: sample.value, unit: unit, source: source,
      device: device, extras: batch.number(ofExtras: sample.extras))
  }

  private mutating func symbol(
    ofUnit unit: String, _ type: String
  ) throws(HKInvalidSampleError) -> Symbol {
    if let known = stored.units[unit] { return known }
    guard unit.utf8.count <= StoreLimit.nameBytes.maximum, HKUnit.named(unit) != nil else {
      throw .invalidContents(type: type, reason: "its unit is none.")
    }
    if stored.units.count >= StoredNames.most { stored.units = ["": 0] }
    let symbol = symbols.intern(unit)
    stored.units[unit] = symbol
    return symbol
  }

  private mutating func symbol(
    of bytes: [UInt8], _ known: WritableKeyPath<StoredNames, [[UInt8]: Symbol]>, _ type: String,
    _ isGood: ([UInt8]) -> Bool
  ) throws(HKInvalidSampleError) -> Symbol {
    if let symbol = stored[keyPath: known][bytes] { return symbol }
    // Programs that use the engine alone may have written text.
    guard bytes.count <= StoreLimit.nameBytes.maximum, isGood(bytes) || bytes.isPlainText else {
      throw .invalidContents(type: type, reason: "its source or device makes no sense.")
    }
    if stored[keyPath: known].count >= StoredNames.most { stored[keyPath: known] = [[]: 0] }
    let symbol = symbols.intern(bytes)
    stored[keyPath: known][bytes] = symbol
    return symbol
  }
}
