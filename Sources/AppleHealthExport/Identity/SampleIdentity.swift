import Foundation
import HealthStore

/// A hash of a sample's content, which identifies the sample because exports contain no
/// identifiers.
///
/// The hash is a pure function of stored columns, so a store format can compute it instead of
/// storing it. `Docs/exports.md` specifies the function, which never changes. The subject is not
/// part of the hash; see ``SubjectScope``.
///
/// A number is converted to the base units of its dimension and rounded to a ``Quantum``, because
/// an export writes it in the unit configured on the phone, with six digits. The device, the
/// version of the source and all other metadata are excluded, because versions of iOS write them
/// differently.
struct SampleIdentity {
  /// The content of a sample apart from its type, source, dates and sync identity.
  enum Content {
    /// A quantity in base units.
    case quantity(Quantum)
    /// A category value, with its name if its number is unknown.
    case category(Int, name: String?)
    /// The number of points of a series.
    case count(Int)
    /// The identifiers of a correlation's members.
    case members([UUID])
    /// Numbers in an order that must never change; nil for a missing number.
    case numbers([Double?])
    /// Texts in an order that must never change.
    case texts([String])
    /// No further content, because a source records one workout at a time.
    case none
  }

  /// The encoded fields that precede the content; shared by all contents of one sample.
  private var message: [UInt8] = []

  init() {}

  /// Starts the message of a sample with the fields that all kinds of content share.
  mutating func begin(_ sample: IncomingSample) {
    message.removeAll(keepingCapacity: true)
    // The version of the rules. Earlier rules had version 1.
    message.append(2)
    add(sample.type)
    add(sample.sourceRevision.source.name)
    // Exports contain whole seconds.
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

  /// Returns the hash of the current sample with the given content.
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
      // A correlation is a set: the order of its members is not significant.
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

  /// Appends a text after its length, so that different lists of texts never encode to the same
  /// message.
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

  /// Returns the identifier of the n-th sample with the given hash in a file, counting from 1.
  static func identifier(_ hash: SipHash128.Output, occurrence: UInt32) -> UUID {
    let words = (hash.low.littleEndian, hash.high.littleEndian, UInt64(occurrence).littleEndian)
    let hash = withUnsafeBytes(of: words) { SipHash128.hash($0, key: key) }
    // RFC 9562: four bits hold version 8 and two bits the variant; the other 122 are free.
    let high = hash.low & 0xffff_ffff_ffff_0fff | 0x8000
    let low = hash.high & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) {
      $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: uuid)
  }

  /// The hash key, which must never change: every imported identifier depends on it.
  static let key: (UInt64, UInt64) = (0x4170_706c_6548_6561, 0x6c74_6845_7870_6f72)
}

/// An interval of numbers, about 1/25,000 of their value wide.
///
/// Exports write six digits, so the same quantity in two units differs by up to 1/100,000. Two such
/// numbers fall into the same interval or into adjacent intervals.
struct Quantum: Equatable {
  /// The index of the interval, which increases with the absolute value.
  let number: UInt64

  /// The number of low bits dropped from a double; 14 bits of the fraction remain.
  private static let shift = 38
  /// The maximum relative difference between two texts of one quantity.
  static let tolerance = 0x1p-16

  /// Creates the interval that contains a finite number.
  init(_ value: Double) {
    // The factor keeps the boundaries of intervals away from commonly entered numbers.
    let scaled = value * 1.234_567_890_123
    // Positive and negative zero share an interval.
    number = scaled == 0 ? 0 : scaled.bitPattern >> Self.shift
  }

  /// Returns the adjacent interval that may contain the same quantity written in another unit, or
  /// nil if the value is not near a boundary.
  static func neighbour(of value: Double) -> Quantum? {
    let own = Quantum(value)
    for factor in [1 - tolerance, 1 + tolerance] {
      let other = Quantum(value * factor)
      if other != own { return other }
    }
    return nil
  }

  /// Returns whether two numbers may be the same quantity.
  static func isSame(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left - right) <= tolerance * max(abs(left), abs(right))
  }
}

extension Int64 {
  /// Creates the whole seconds of a date since 2001, rounded down and clamped to the range of
  /// `Int64`.
  fileprivate init(clamping date: Date) {
    let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
    self = Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max)
  }
}
