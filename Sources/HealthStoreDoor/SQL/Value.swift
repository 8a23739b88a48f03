import CDoor
import SampleLog

/// A value that SQLite compares with a column.
enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob
  /// A value that is unknown until the query runs.
  case unknown

  init(_ value: door_value) {
    switch Int(value.kind) {
    case DOOR_NULL: self = .null
    case DOOR_INT: self = .integer(value.integer)
    case DOOR_DOUBLE: self = .real(value.real)
    case DOOR_STRING:
      let bytes = UnsafeRawBufferPointer(start: value.text.bytes, count: Int(value.text.count))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case DOOR_BLOB: self = .blob
    default: self = .unknown
    }
  }
}

/// An SQL comparison operator.
///
/// The raw values are those of `DOOR_EQ` to `DOOR_GE`.
enum Comparison: UInt8, Sendable {
  case equal = 0
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
}

/// A constraint on a column.
///
/// Several values are the list of an `IN` constraint.
struct Condition: Sendable {
  var column: Int
  var comparison: Comparison
  var values: [Value]

  init(column: Int, _ comparison: Comparison, _ values: [Value]) {
    self.column = column
    self.comparison = comparison
    self.values = values
  }

  init?(_ constraint: door_constraint) {
    guard let comparison = Comparison(rawValue: constraint.operation) else { return nil }
    column = Int(constraint.column)
    self.comparison = comparison
    values = UnsafeBufferPointer(start: constraint.values, count: Int(constraint.count)).map {
      Value($0)
    }
  }

  /// The values that are texts; the others cannot equal a text column.
  var texts: [String] {
    values.compactMap { value in
      if case .text(let text) = value { text } else { nil }
    }
  }
}

extension Bounds {
  /// Creates the range of numbers that satisfy a comparison in SQLite, or returns nil if no number
  /// does.
  ///
  /// SQLite compares integers with reals exactly, and orders numbers before texts and blobs.
  init?(_ comparison: Comparison, _ value: Value) {
    switch value {
    case .null, .unknown: return nil
    case .text, .blob:
      guard comparison == .less || comparison == .lessOrEqual else { return nil }
      self = .all
    case .real(let number): self.init(comparison, number)
    case .integer(let integer):
      let number = Double(integer)
      if Int64(exactly: number) == integer {
        self.init(comparison, number)
        return
      }
      // No double lies between the integer and its neighbour `number`.
      let isAbove = Int64(exactly: number).map { $0 > integer } ?? true
      switch comparison {
      case .equal: return nil
      case .less, .lessOrEqual: self = isAbove ? .below(number) : .through(number)
      case .greater, .greaterOrEqual: self = isAbove ? .from(number) : .above(number)
      }
    }
  }

  private init?(_ comparison: Comparison, _ number: Double) {
    switch comparison {
    case .equal: self.init(lower: number, upper: number)
    case .lessOrEqual: self = .through(number)
    case .greaterOrEqual: self = .from(number)
    case .less:
      if number == -.infinity { return nil }
      self = .below(number)
    case .greater:
      if number == .infinity { return nil }
      self = .above(number)
    }
  }

  /// Whether the range contains no number.
  var isEmpty: Bool { !(lower <= upper) }
}
