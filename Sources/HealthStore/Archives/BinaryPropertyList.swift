import Foundation

/// A parser for binary property lists that trusts none of the input.
///
/// Foundation's parser on Linux crashes the process for many malformed lists. A list that this
/// parser accepts is a finite tree that lies within the data.
struct BinaryPropertyList {
  /// A reference between the objects of a keyed archive.
  struct Reference: Hashable {
    var number: Int
  }

  private struct Damaged: Error {}

  /// The maximum nesting depth of a keyed archive's list.
  private static let depthLimit = 8

  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceSize: Int
  /// The number of values read.
  ///
  /// It can exceed the number of objects, because objects may be shared.
  private var count = 0
  /// The total size of the strings and data created so far, in bytes.
  ///
  /// Shared contents count each time.
  private var made = 0
  /// The maximum number of bytes of strings and data created per byte of input.
  ///
  /// An archive stores each field name once and references it with two bytes in each object, so
  /// valid archives need some expansion.
  private static let mostMade = 32

  /// Returns the list as strings, numbers, dates, data, references, arrays and dictionaries, or
  /// nil if the data is malformed.
  static func read(_ data: Data) -> Any? {
    do throws(Damaged) {
      var (list, root) = try open([UInt8](data))
      return try list.value(root, depth: 0)
    } catch {
      return nil
    }
  }

  private static func open(_ bytes: [UInt8]) throws(Damaged) -> (Self, Int) {
    guard bytes.count >= 40, bytes.starts(with: Array("bplist00".utf8)) else { throw Damaged() }
    let end = bytes.count - 32
    let (offsetSize, referenceSize) = (Int(bytes[end + 6]), Int(bytes[end + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(bytes, end + 8, 8), let root = number(bytes, end + 16, 8),
      let table = number(bytes, end + 24, 8), root < count, count <= end, table >= 8,
      table <= end, count * offsetSize == end - table
    else { throw Damaged() }
    var offsets: [Int] = []
    for index in 0..<count {
      guard let offset = number(bytes, table + index * offsetSize, offsetSize),
        (8..<table).contains(offset)
      else { throw Damaged() }
      offsets.append(offset)
    }
    return (Self(bytes: bytes, offsets: offsets, referenceSize: referenceSize), root)
  }

  private init(bytes: [UInt8], offsets: [Int], referenceSize: Int) {
    self.bytes = bytes
    self.offsets = offsets
    self.referenceSize = referenceSize
  }

  /// Reads a big-endian unsigned integer, or returns nil if it is out of bounds or exceeds
  /// `Int32.max`.
  private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
    guard start >= 0, size <= bytes.count, start <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for byte in bytes[start..<start + size] {
      guard value >> 56 == 0 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value <= UInt64(Int32.max) ? Int(value) : nil
  }

  private func slice(_ start: Int, _ size: Int) throws(Damaged) -> ArraySlice<UInt8> {
    guard size >= 0, start <= bytes.count - 32, size <= bytes.count - 32 - start else {
      throw Damaged()
    }
    return bytes[start..<start + size]
  }

  /// Returns a value's contents, and throws if the total size created exceeds the limit.
  private mutating func contents(_ start: Int, _ size: Int) throws(Damaged) -> ArraySlice<UInt8> {
    let contents = try slice(start, size)
    made += size
    guard made <= Self.mostMade * bytes.count else { throw Damaged() }
    return contents
  }

  /// Returns the length of a value and the offset of its contents.
  private func length(_ offset: Int) throws(Damaged) -> (Int, Int) {
    let low = Int(bytes[offset] & 0xF)
    if low < 0xF { return (low, offset + 1) }
    guard let marker = try slice(offset + 1, 1).first, marker & 0xF0 == 0x10, marker & 0xF <= 3,
      let length = Self.number(bytes, offset + 2, 1 << Int(marker & 0xF))
    else { throw Damaged() }
    return (length, offset + 2 + 1 << Int(marker & 0xF))
  }

  private mutating func value(_ index: Int, depth: Int) throws(Damaged) -> Any {
    count += 1
    guard index < offsets.count, depth <= Self.depthLimit, count <= bytes.count else {
      throw Damaged()
    }
    let offset = offsets[index]
    let size = Int(bytes[offset] & 0xF)
    switch bytes[offset] >> 4 {
    case 0x0 where size == 8 || size == 9: return NSNumber(value: size == 9)
    case 0x1 where size <= 4:
      return NSNumber(
        value: try slice(offset + 1, 1 << size).reduce(Int64(0)) { $0 << 8 | Int64($1) })
    case 0x2 where size == 2 || size == 3:
      let bits = try slice(offset + 1, 1 << size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return NSNumber(
        value: size == 2
          ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits))
    case 0x3 where size == 3:
      _ = try slice(offset + 1, 8)
      return Date(timeIntervalSinceReferenceDate: 0)
    case 0x4:
      let (count, start) = try length(offset)
      return Data(try contents(start, count))
    case 0x5:
      let (count, start) = try length(offset)
      let text = try contents(start, count)
      guard text.allSatisfy({ $0 < 0x80 }) else { throw Damaged() }
      return String(decoding: text, as: UTF8.self)
    case 0x6:
      let (count, start) = try length(offset)
      let units = Array(try contents(start, count * 2))
      return String(
        decoding: (0..<count).map { UInt16(units[2 * $0]) << 8 | UInt16(units[2 * $0 + 1]) },
        as: UTF16.self)
    case 0x8:
      guard let number = Self.number(Array(try slice(offset + 1, size + 1)), 0, size + 1) else {
        throw Damaged()
      }
      return Reference(number: number)
    case 0xA:
      let (count, start) = try length(offset)
      return try values(start, count, depth)
    case 0xD:
      let (count, start) = try length(offset)
      let keys = try values(start, count, depth)
      let values = try values(start + count * referenceSize, count, depth)
      var result: [String: Any] = [:]
      for (key, value) in zip(keys, values) {
        guard let key = key as? String, result.updateValue(value, forKey: key) == nil else {
          throw Damaged()
        }
      }
      return result
    default: throw Damaged()
    }
  }

  private mutating func values(
    _ start: Int, _ count: Int, _ depth: Int
  ) throws(Damaged) -> [Any] {
    _ = try slice(start, count * referenceSize)
    var result: [Any] = []
    for index in 0..<count {
      guard let number = Self.number(bytes, start + index * referenceSize, referenceSize) else {
        throw Damaged()
      }
      result.append(try value(number, depth: depth + 1))
    }
    return result
  }
}
