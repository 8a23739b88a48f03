/// The optional attributes of a row, encoded as numbered fields in one byte string.
///
/// A field consists of its number, its length and its bytes; numbers and lengths are base-128
/// varints. Fields are sorted by number. Numbers are never reused. Unknown fields are ignored, and
/// preserved when encoded rows are copied.
public struct Extras: Hashable, Sendable {
  /// The metadata, encoded by the layer above; empty if there is none.
  public var metadata: [UInt8] = []
  /// The kind of compound object that the payload encodes; 0 if there is no payload.
  public var payloadKind: UInt64 = 0
  /// The opaque payload of a compound object.
  public var payload: [UInt8] = []
  /// The compound objects that contain this sample.
  public var memberOf: [Identifier] = []
  /// The identifier under which a newer version replaces this sample; empty if there is none.
  public var syncIdentifier: [UInt8] = []
  /// The version that belongs to `syncIdentifier`.
  public var syncVersion: Int64 = 0

  /// Creates empty extras.
  public init() {}

  private enum Field {
    static let metadata: UInt64 = 1
    static let payloadKind: UInt64 = 2
    static let payload: UInt64 = 3
    static let memberOf: UInt64 = 4
    static let syncIdentifier: UInt64 = 5
    static let syncVersion: UInt64 = 6
  }

  /// The encoded fields; empty if no field is set.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    func field(_ number: UInt64, _ bytes: [UInt8]) {
      guard !bytes.isEmpty else { return }
      writer.varint(number)
      writer.varint(UInt64(bytes.count))
      writer.append(bytes)
    }
    func word(_ value: UInt64) -> [UInt8] {
      var inner = ByteWriter()
      inner.varint(value)
      return inner.bytes
    }
    field(Field.metadata, metadata)
    if payloadKind != 0 {
      field(Field.payloadKind, word(payloadKind))
      field(Field.payload, payload)
    }
    if !memberOf.isEmpty {
      var inner = ByteWriter()
      for id in memberOf {
        inner.fixed(id.high)
        inner.fixed(id.low)
      }
      field(Field.memberOf, inner.bytes)
    }
    if !syncIdentifier.isEmpty {
      field(Field.syncIdentifier, syncIdentifier)
      field(Field.syncVersion, word(UInt64(bitPattern: syncVersion)))
    }
    return writer.bytes
  }

  /// Returns the metadata in encoded extras, without copying or parsing the other fields.
  static func metadata(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = ByteReader(bytes)
    // Fields are sorted, and metadata has the lowest number.
    guard reader.varint() == Field.metadata, let length = reader.varint(),
      length <= UInt64(reader.remaining), let content = reader.slice(Int(length))
    else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return content
  }

  /// Returns whether encoded extras have a payload, without copying or parsing the other fields.
  static func hasPayload(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      guard let number = reader.varint(), let length = reader.varint(),
        length <= UInt64(reader.remaining), reader.slice(Int(length)) != nil
      else { return false }
      if number >= Field.payloadKind { return number == Field.payloadKind }
    }
    return false
  }

  /// Decodes a byte string produced by ``encoded``.
  ///
  /// - Returns: nil if the bytes are malformed.
  public init?(_ bytes: [UInt8]) {
    guard let extras = bytes.withUnsafeBytes({ Extras($0) }) else { return nil }
    self = extras
  }

  /// Decodes a byte string produced by ``encoded``; returns nil if the bytes are malformed.
  package init?(_ bytes: UnsafeRawBufferPointer) { self.init(bytes, hasContents: true) }

  /// Decodes only membership and sync identity, because metadata and payloads may be long.
  init?(withoutContents bytes: UnsafeRawBufferPointer) { self.init(bytes, hasContents: false) }

  private init?(_ bytes: UnsafeRawBufferPointer, hasContents: Bool) {
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      guard let number = reader.varint(), let length = reader.varint(),
        length <= UInt64(Int.max), let content = reader.slice(Int(length))
      else { return nil }
      var inner = ByteReader(content)
      switch number {
      case Field.metadata: if hasContents { metadata = [UInt8](content) }
      case Field.payload: if hasContents { payload = [UInt8](content) }
      case Field.syncIdentifier: syncIdentifier = [UInt8](content)
      case Field.payloadKind:
        guard let value = inner.varint() else { return nil }
        payloadKind = value
      case Field.syncVersion:
        guard let value = inner.varint() else { return nil }
        syncVersion = Int64(bitPattern: value)
      case Field.memberOf:
        while let high = inner.fixed64(), let low = inner.fixed64() {
          memberOf.append(Identifier(high: high, low: low))
        }
        guard inner.isAtEnd else { return nil }
      default: break
      }
    }
  }
}
