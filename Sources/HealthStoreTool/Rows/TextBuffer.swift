import SampleLog

/// An append-only buffer of UTF-8 text, for exporting millions of samples.
///
/// Uses unmanaged memory, because the bounds and uniqueness checks of an array for each of a
/// sample's thirty pieces would take longer than writing them.
struct TextBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 128 << 10) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// Returns the contents and empties the buffer.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return [UInt8](UnsafeBufferPointer(start: start, count: count))
  }

  /// Reserves capacity for more bytes and returns the address of the first.
  @inline(__always)
  private mutating func room(_ more: Int) -> UnsafeMutablePointer<UInt8> {
    if capacity - count < more { grow(more) }
    return start + count
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafePointer<UInt8>?, _ length: Int) {
    guard let bytes else { return }
    room(length).update(from: bytes, count: length)
    count += length
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    room(1).pointee = byte
    count += 1
  }

  /// Appends a compile-time constant.
  @inline(__always)
  mutating func append(literal text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0.baseAddress, $0.count) }
  }

  /// Appends a fragment, whose arena the caller must keep alive.
  @inline(__always)
  mutating func append(_ fragment: Fragment) { append(fragment.start, fragment.count) }

  @inline(never)
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0.baseAddress, $0.count) }
  }

  /// Appends a number with a fixed number of digits, padded with leading zeros.
  @inline(__always)
  mutating func append(_ number: UInt64, digits: Int) {
    let target = room(digits)
    var rest = number
    var index = digits
    while index > 0 {
      index -= 1
      target[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  /// Appends a UUID as 8-4-4-4-12 hexadecimal digits.
  @inline(__always)
  mutating func append(_ id: Identifier) {
    let target = UnsafeMutableRawPointer(room(36))
    // Each store writes eight digits; the next store overwrites any excess.
    let middle = Self.hexadecimal(UInt32(truncatingIfNeeded: id.high))
    let later = Self.hexadecimal(UInt32(truncatingIfNeeded: id.low >> 32))
    Self.store(Self.hexadecimal(UInt32(truncatingIfNeeded: id.high >> 32)), target)
    Self.store(middle, target + 9)
    Self.store(middle << 32, target + 14)
    Self.store(later, target + 19)
    Self.store(later << 32, target + 24)
    Self.store(Self.hexadecimal(UInt32(truncatingIfNeeded: id.low)), target + 28)
    let dash = UInt8(ascii: "-")
    target.storeBytes(of: dash, toByteOffset: 8, as: UInt8.self)
    target.storeBytes(of: dash, toByteOffset: 13, as: UInt8.self)
    target.storeBytes(of: dash, toByteOffset: 18, as: UInt8.self)
    target.storeBytes(of: dash, toByteOffset: 23, as: UInt8.self)
    count += 36
  }

  /// Returns the eight hexadecimal digits of a number, the first in the highest byte.
  @inline(__always)
  private static func hexadecimal(_ number: UInt32) -> UInt64 {
    var spread = UInt64(number)
    spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    // Has 1 in each byte whose digit is a letter.
    let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return spread &+ 0x3030_3030_3030_3030 &+ letters &* 7
  }

  @inline(__always)
  private static func store(_ digits: UInt64, _ target: UnsafeMutableRawPointer) {
    target.storeBytes(of: digits.bigEndian, as: UInt64.self)
  }
}

extension TextBuffer {
  /// Appends the shortest text that parses as the same number, like `Figures.number`.
  @inline(__always)
  mutating func append(number value: Double) {
    guard let (digits, places) = Self.decimal(value) else {
      append(Figures.number(value))
      return
    }
    append(decimal: digits, places: places)
  }

  /// Appends the decimal number `digits / 10^places`.
  @inline(__always)
  mutating func append(decimal digits: Int64, places: Int) {
    if digits < 0 { append(UInt8(ascii: "-")) }
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    let (whole, rest) = digits.magnitude.quotientAndRemainder(dividingBy: scale)
    var length = 1
    var bound: UInt64 = 10
    while whole >= bound {
      length += 1
      bound *= 10
    }
    append(whole, digits: length)
    if places == 0 { return }
    append(UInt8(ascii: "."))
    append(rest, digits: places)
  }

  /// Returns a number as a decimal of at most 15 digits and six places, or nil if it cannot be
  /// written so.
  ///
  /// Distinct decimals of up to 15 digits are distinct `Double` values, so the result is the
  /// shortest text that parses as the number.
  @inline(__always)
  static func decimal(_ value: Double) -> (digits: Int64, places: Int)? {
    // Smaller numbers are written with an exponent.
    guard value.magnitude < 1e15, value.magnitude >= 1e-4 || value == 0 else { return nil }
    var scale = 1.0
    for places in 0...6 {
      let digits = (value * scale).rounded()
      if digits.magnitude >= 1e15 { return nil }
      if digits / scale == value { return (Int64(digits), places) }
      scale *= 10
    }
    return nil
  }
}
