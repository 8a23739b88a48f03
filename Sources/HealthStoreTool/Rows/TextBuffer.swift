import SampleLog

/// Bytes of text that grow at their end: what millions of samples are written with.
///
/// Plain memory, because checking the bounds and the uniqueness of an array for each of a sample's
/// thirty pieces would take longer than writing them.
struct TextBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 128 << 10) {
    self.capacity = capacity
    start = .allocate(capacity: capacity)
  }

  deinit { start.deallocate() }

  /// Hands over what was written, and begins again.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return [UInt8](UnsafeBufferPointer(start: start, count: count))
  }

  /// Makes room for a number of bytes more, and returns where they go.
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

  /// Appends text that is known when this is compiled.
  @inline(__always)
  mutating func append(literal text: StaticString) {
    append(text.utf8Start, text.utf8CodeUnitCount)
  }

  @inline(__always)
  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0.baseAddress, $0.count) }
  }

  /// Appends text whose arena the caller keeps.
  @inline(__always)
  mutating func append(_ fragment: Fragment) { append(fragment.start, fragment.count) }

  @inline(never)
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0.baseAddress, $0.count) }
  }

  /// Appends a number of as many digits as are asked for, zeros in front.
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

  /// Appends the form of 8-4-4-4-12 hexadecimal digits.
  @inline(__always)
  mutating func append(_ id: Identifier) {
    let target = UnsafeMutableRawPointer(room(36))
    // Eight digits at a time; what one writes too many the next writes over.
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

  /// The eight digits of a number, the first in the highest byte.
  @inline(__always)
  private static func hexadecimal(_ number: UInt32) -> UInt64 {
    var spread = UInt64(number)
    spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
    spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
    spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in each byte that is a letter.
    let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return spread &+ 0x3030_3030_3030_3030 &+ letters &* 7
  }

  @inline(__always)
  private static func store(_ digits: UInt64, _ target: UnsafeMutableRawPointer) {
    target.storeBytes(of: digits.bigEndian, as: UInt64.self)
  }
}

extension TextBuffer {
  /// Appends the shortest text that gives the same number back, as `Figures.number` does.
  @inline(__always)
  mutating func append(number value: Double) {
    guard let (digits, places) = Self.decimal(value) else {
      append(Figures.number(value))
      return
    }
    append(decimal: digits, places: places)
  }

  /// Appends a number that is so many tenths, hundredths and so on.
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

  /// A number as an integer over the least power of ten up to the sixth; nil for what is none, or
  /// none that all digits are certain of.
  ///
  /// Fifteen digits belong to one number each, so they are the shortest text that does.
  @inline(__always)
  static func decimal(_ value: Double) -> (digits: Int64, places: Int)? {
    // Less is written with an exponent.
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
