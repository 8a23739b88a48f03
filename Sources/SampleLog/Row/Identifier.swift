public import FoundationEssentials

/// The 128-bit identifier of a sample: a UUID as two machine words.
public struct Identifier: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The first eight bytes, interpreted as big-endian.
  public var high: UInt64
  /// The last eight bytes, interpreted as big-endian.
  public var low: UInt64

  /// Creates an identifier from its two halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a random identifier, a version 4 UUID.
  public init() { self.init(UUID()) }

  /// Creates an identifier from a UUID.
  public init(_ uuid: UUID) {
    (high, low) = withUnsafeBytes(of: uuid.uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The identifier as a UUID.
  public var uuid: UUID {
    var bytes = (high.bigEndian, low.bigEndian)
    return withUnsafeBytes(of: &bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Orders identifiers like their textual form.
  @inlinable
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension Identifier: CustomStringConvertible {
  /// The identifier in the 8-4-4-4-12 form of hexadecimal digits.
  public var description: String { uuid.uuidString }
}
