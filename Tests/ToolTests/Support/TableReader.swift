import Foundation
import SampleLog
import Testing

@testable import HealthStoreTool

/// A value in a column.
enum TableCell: Equatable {
  case integer(Int64)
  /// The bits of a double, because NaN is not equal to itself.
  case double(UInt64)
  case bytes([UInt8])
}

/// A reader of a columnar file.
protocol TableReader {
  /// The names of the columns, in order.
  var names: [String] { get }

  /// Returns the cells of a column, which are nil in rows without a value.
  func column(_ name: String) -> [TableCell?]
}

/// The JSON members of columns with another name, or nil for columns without a JSON member.
private let members: [String: String?] = [
  "value_name": "valueName", "bundle_identifier": "bundleIdentifier",
  "product_type": "productType", "operating_system": "operatingSystem", "sequence": nil,
  "start_exact": nil, "end_exact": nil,
]

extension TableReader {
  typealias Cell = TableCell

  /// Returns the rows as a JSON parser reads them from `export --format jsonl`.
  func objects() throws -> [NSDictionary] {
    let columns = Dictionary(uniqueKeysWithValues: names.map { ($0, column($0)) })
    let count = columns["uuid"]?.count ?? 0
    return try (0..<count).map { row in
      var object: [String: Any] = [:]
      for name in names {
        guard let member = members[name] ?? name else { continue }
        let cell = columns[name]?[row] ?? nil
        switch name {
        case "start", "end":
          let exact = columns[name + "_exact"]?[row] ?? nil
          if let seconds = Self.seconds(cell, exact) {
            object[member] = UTCText.text(seconds)
          }
        case "device", "metadata", "objects", "details", "contents":
          if case .bytes(let bytes)? = cell {
            object[member] = try JSONSerialization.jsonObject(with: Data(bytes))
          }
        case "uuid":
          if case .bytes(let bytes)? = cell { object[member] = Self.uuid(bytes) }
        default: object[member] = try cell.map { try Self.value($0) }
        }
      }
      return object as NSDictionary
    }
  }

  /// Returns the rows as .ci/tables.py prints them.
  func printedRows() -> NSArray {
    let columns = names.map { name in column(name).map { Self.printed($0, isUUID: name == "uuid") }
    }
    let count = columns.first?.count ?? 0
    return (0..<count).map { row in columns.map { $0[row] } } as NSArray
  }

  private static func printed(_ cell: Cell?, isUUID: Bool) -> Any {
    switch cell {
    case nil: return NSNull()
    case .integer(let number): return number
    case .double(let bits):
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    case .bytes(let bytes):
      return isUUID ? uuid(bytes) ?? "" : String(decoding: bytes, as: UTF8.self)
    }
  }

  private static func uuid(_ bytes: [UInt8]) -> String? {
    bytes.withUnsafeBytes { $0.count == 16 ? UUID(uuid: $0.load(as: uuid_t.self)).uuidString : nil }
  }

  /// Returns the time in seconds since 2001-01-01 00:00 UTC, by the rule in Docs/tool.md.
  private static func seconds(_ rounded: Cell?, _ exact: Cell?) -> Double? {
    if case .double(let bits)? = exact { return Double(bitPattern: bits) }
    guard case .integer(let microseconds)? = rounded else { return nil }
    return Double(microseconds - 978_307_200_000_000) / 1e6
  }

  /// Returns the value as a JSON parser reads it.
  private static func value(_ cell: Cell) throws -> Any {
    switch cell {
    case .integer(let number): return number
    case .double(let bits):
      let number = Double(bitPattern: bits)
      // JSON cannot express NaN and infinities.
      guard number.isFinite else { return NSNull() }
      return try JSONSerialization.jsonObject(
        with: Data(Figures.number(number).utf8), options: .fragmentsAllowed)
    case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
    }
  }
}
