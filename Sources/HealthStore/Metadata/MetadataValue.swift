import Foundation

/// A metadata value of known class, or a constant to compare with one.
enum MetadataValue: Hashable, @unchecked Sendable {
  case string(String)
  case bool(Bool)
  case integer(Int64)
  /// An integer greater than `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case date(Date)
  case quantity(HKQuantity)

  /// Returns nil if metadata does not support the value.
  init?(_ value: Any) {
    switch value {
    case let value as HKQuantity: self = .quantity(value)
    // NSNumber first, because it is the most common; Swift numbers match as well.
    case let value as NSNumber: self.init(number: value)
    case let value as String: self = .string(value)
    case let value as Date: self = .date(value)
    default: return nil
    }
  }

  private static let boolClass: AnyClass = type(of: NSNumber(value: true))

  private init(number: NSNumber) {
    if type(of: number) == Self.boolClass {
      self = .bool(number.boolValue)
      return
    }
    // Objective-C type codes: f and d are floating-point, Q is unsigned 64-bit; all others fit in
    // 64 bits.
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
      self = .unsigned(number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  /// The normalised object.
  var object: Any {
    switch self {
    case .string(let value): value
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .date(let value): value
    case .quantity(let value): value
    }
  }

  /// Whether metadata supports the value.
  ///
  /// Infinite or NaN dates and quantities have no order, and Foundation cannot print such dates.
  var isStorable: Bool {
    switch self {
    case .date(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .quantity(let quantity): quantity.value.isFinite
    default: true
    }
  }

  /// Throws if the key is predefined and requires another class.
  func check(against key: String) throws(HKInvalidSampleError) {
    guard let kind = metadataKind(ofKey: key), !kind.admits(object) else { return }
    throw .wrongMetadataClass(key: key, expected: kind.expectation)
  }
}

extension MetadataKeyKind {
  /// The required class, as the object of a sentence.
  fileprivate var expectation: String {
    switch self {
    case .string: "a String"
    case .number: "a number"
    case .bool: "a Bool"
    case .date: "a Date"
    case .quantity(let unit):
      "an HKQuantity\(unit.map { " compatible with \($0.unitString)" } ?? "")"
    case .enumeration: "the raw value of an enumeration"
    }
  }
}
