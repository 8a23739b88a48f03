import Foundation
import HealthStore

/// The identity of a sample of an export, which has no identifiers: a hash of what the sample is.
///
/// It is a pure function of columns that the store has of the sample, so a format of the store can
/// compute it instead of keeping it. `Docs/exports.md` describes the function; it never changes.
/// The subject takes no part in it; see ``SubjectScope``.
///
/// A number takes part in the base units of its dimension and as one of the intervals of
/// ``Quantum``, because an export writes it in the unit that the phone is set to, with six digits.
/// Not part of it are the device, the version of the source and all other metadata, which
/// Apple's versions write differently.
struct SampleIdentity {
  /// The contents of a sample beside type, source, dates and sync identity.
  enum Content {
    /// A value in base units.
    case quantity(Quantum)
    /// The value of a category, with its name if it has no known number.
    case category(Int, name: String?)
    /// The number of points of a series.
    case count(Int)
    /// The samples in a correlation.
    case members([UUID])
    /// Numbers in an order that never changes; nil for one that is not there.
    case numbers([Double?])
    /// Texts in an order that never changes.
    case texts([String])
    /// Nothing: a source has one workout at a time.
    case none
  }

  /// The hash up to the content, which the contents of one sample share.
  private var message: [UInt8] = []

  /// The identity of a sample, whose content follows.
  init() {}

  /// Starts with what every sample has.
  mutating func begin(_ sample: ImportedSample) {
    message.removeAll(keepingCapacity: true)
    // The version of the rules; the earlier ones had 1.
    message.append(2)
    add(sample.type)
    add(sample.sourceRevision.source.name)
    // Exports have whole seconds.
    add(UInt64(bitPattern: Int64(clamping: sample.start)))
    add(UInt64(bitPattern: Int64(clamping: sample.end)))
    if sample.metadata.isEmpty { return }
    if let identity = sample.syncIdentity {
      message.append(1)
      add(identity.identifier)
      add(UInt64(bitPattern: identity.version))
    }
    if let uuid = sample.metadata[HKMetadataKeyExternalUUID] as? String {
      message.append(2)
      add(uuid)
    }
  }

  /// The hash of a sample with a content.
  mutating func hash(_ content: Content) -> SipHash128.Output {
    let count = message.count
    defer { message.removeLast(message.count - count) }
    add(content)
    return message.withUnsafeBytes { SipHash128.hash($0, key: Self.key) }
  }

  private mutating func add(_ content: Content) {
    switch content {
    case .quantity(let quantum):
      message.append(3)
      add(quantum.number)
    case .category(let value, let name):
      message.append(4)
      add(UInt64(bitPattern: Int64(value)))
      if let name { add(name) }
    case .count(let count):
      message.append(5)
      add(UInt64(count))
    case .members(let members):
      message.append(6)
      // What is in a correlation is a set.
      for bytes in members.map({ withUnsafeBytes(of: $0.uuid) { Array($0) } }).sorted(by: {
        $0.lexicographicallyPrecedes($1)
      }) { message.append(contentsOf: bytes) }
    case .numbers(let numbers):
      message.append(7)
      for number in numbers {
        message.append(number == nil ? 0 : 1)
        if let number { add(Quantum(number).number) }
      }
    case .texts(let texts):
      message.append(8)
      for text in texts { add(text) }
    case .none: message.append(9)
    }
  }

  private mutating func add(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { message.append(contentsOf: $0) }
  }

  /// A text has its length in front, so that no two lists of texts give the same message.
  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }

  private mutating func add(_ bytes: some Collection<UInt8>) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).littleEndian) {
      message.append(contentsOf: $0)
    }
    message.append(contentsOf: bytes)
  }

  /// The identifier of the n-th sample of a file with a hash, from 1 on.
  static func identifier(_ hash: SipHash128.Output, occurrence: UInt32) -> UUID {
    let words = (hash.low.littleEndian, hash.high.littleEndian, UInt64(occurrence).littleEndian)
    let hash = withUnsafeBytes(of: words) { SipHash128.hash($0, key: key) }
    // RFC 9562: four bits say version 8, two say which variant; the other 122 are ours.
    let high = hash.low & 0xffff_ffff_ffff_0fff | 0x8000
    let low = hash.high & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) {
      $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: uuid)
  }

  /// Fixed for ever: another key is another identity for every sample ever imported.
  static let key: (UInt64, UInt64) = (0x4170_706c_6548_6561, 0x6c74_6845_7870_6f72)
}

/// One of the intervals into which numbers fall, about 1/25,000 of the number wide.
///
/// An export writes six digits, so the same quantity in two units differs by up to 1/100,000. Two
/// such numbers are in the same interval or in two that are next to each other.
struct Quantum: Equatable {
  /// The interval, rising with the absolute value.
  let number: UInt64

  /// The bits of a double that are left out: 14 of the fraction stay.
  private static let shift = 38
  /// The greatest difference between two texts of one quantity, relative to it.
  static let tolerance = 0x1p-16

  /// The interval of a number, which is finite.
  init(_ value: Double) {
    // The factor keeps the borders of intervals away from numbers that people write.
    let scaled = value * 1.234_567_890_123
    // Both zeros are one number.
    number = scaled == 0 ? 0 : scaled.bitPattern >> Self.shift
  }

  /// The other interval in which the same quantity may lie that is this number in one unit.
  static func neighbour(of value: Double) -> Quantum? {
    let own = Quantum(value)
    for factor in [1 - tolerance, 1 + tolerance] {
      let other = Quantum(value * factor)
      if other != own { return other }
    }
    return nil
  }

  /// Whether two numbers may be the same quantity.
  static func isSame(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left - right) <= tolerance * max(abs(left), abs(right))
  }
}

extension Int64 {
  /// Seconds since 2001 without their fraction; the nearest number for dates that have none.
  fileprivate init(clamping date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    self = Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
  }
}
