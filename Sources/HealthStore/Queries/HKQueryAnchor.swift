public import Foundation
import SampleLog

/// A place in a store's log: everything up to it has been seen.
///
/// Archive it to go on later, in this process or another. It belongs to one store; the types and
/// predicates may differ from query to query. A query fails with `errorInvalidArgument` when the
/// anchor belongs to another store, lies beyond where the store ends or was restored, or has
/// expired
/// because deletions since then have been forgotten. Equal when the places are.
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The store that the place is in, `nil` when the anchor does not say.
  struct Origin: Hashable {
    var storeID: Identifier
    var epoch: UInt32
  }

  let sequence: UInt64
  let origin: Origin?

  init(sequence: UInt64, origin: Origin?) {
    self.sequence = sequence
    self.origin = origin
    super.init()
  }

  /// Makes the anchor that a number stood for in old versions of HealthKit: 0 for the beginning.
  ///
  /// Any other value is taken for a sequence number of whatever store it is used with.
  public convenience init(fromValue value: Int) {
    self.init(sequence: UInt64(exactly: value) ?? .max, origin: nil)
  }

  private static let version: UInt8 = 1
  private static let key = "anchor"

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived anchor.
  ///
  /// Returns `nil` when the archive is of a later version or is not an anchor's.
  public required init?(coder: NSCoder) {
    guard
      let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
      let fields = Self.read([UInt8](Data(referencing: data)))
    else { return nil }
    sequence = fields.sequence
    origin = fields.origin
    super.init()
  }

  /// Archives the place.
  ///
  /// It is one field of bytes: a version number, the store's identity if there is one, and the
  /// sequence number, independent of process and platform.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(archivedBytes) as NSData, forKey: Self.key)
  }

  /// What an archive holds of the anchor.
  package var archivedBytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.byte(origin == nil ? 0 : 1)
    if let origin {
      writer.fixed(origin.storeID.high)
      writer.fixed(origin.storeID.low)
      writer.fixed(origin.epoch)
    }
    writer.fixed(sequence)
    return writer.bytes
  }

  /// Reads the bytes of an archive; `nil` when they are not an anchor's.
  package convenience init?(archived bytes: [UInt8]) {
    guard let fields = Self.read(bytes) else { return nil }
    self.init(sequence: fields.sequence, origin: fields.origin)
  }

  private static func read(_ bytes: [UInt8]) -> (sequence: UInt64, origin: Origin?)? {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      guard reader.byte() == version, let hasOrigin = reader.byte(), hasOrigin <= 1 else {
        return nil
      }
      var origin: Origin?
      if hasOrigin == 1 {
        guard let high = reader.fixed64(), let low = reader.fixed64(),
          let epoch = reader.fixed(UInt32.self)
        else { return nil }
        origin = Origin(storeID: Identifier(high: high, low: low), epoch: epoch)
      }
      guard let sequence = reader.fixed64(), reader.isAtEnd else { return nil }
      return (sequence, origin)
    }
  }

  /// Returns the anchor itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same place in the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQueryAnchor else { return false }
    return sequence == other.sequence && origin == other.origin
  }

  /// A hash of the place.
  open override var hash: Int { sequence.hashValue }

  /// The sequence number.
  open override var description: String { "HKQueryAnchor \(sequence)" }
}

extension StoreReader {
  /// The place that an anchor names in this store; the beginning for `nil`.
  ///
  /// Whether it has expired or lies beyond the end is for the read to find out.
  func place(of anchor: HKQueryAnchor?) throws -> UInt64 {
    guard let anchor else { return 0 }
    guard let origin = anchor.origin else { return anchor.sequence }
    return try store.database.place(
      anchor.sequence, storeID: origin.storeID, epoch: origin.epoch)
  }

  /// The anchor of a place in this store.
  func anchor(at sequence: UInt64) -> HKQueryAnchor {
    HKQueryAnchor(
      sequence: sequence,
      origin: .init(storeID: store.database.storeID, epoch: store.database.epoch))
  }
}
