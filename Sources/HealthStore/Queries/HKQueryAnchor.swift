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
  /// Where the first pass began that the place is in the middle of; 0 when it is over.
  let begun: UInt64
  let origin: Origin?

  init(sequence: UInt64, begun: UInt64 = 0, origin: Origin?) {
    self.sequence = sequence
    self.begun = begun > sequence ? begun : 0
    self.origin = origin
    super.init()
  }

  /// Makes the anchor that a number stood for in old versions of HealthKit: 0 for the beginning.
  ///
  /// Any other value is taken for a sequence number of whatever store it is used with.
  public convenience init(fromValue value: Int) {
    self.init(sequence: UInt64(exactly: value) ?? .max, origin: nil)
  }

  /// The second version is written only for places in the middle of a first pass.
  private static let versions: ClosedRange<UInt8> = 1...2
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
    begun = fields.begun
    origin = fields.origin
    super.init()
  }

  /// Archives the place.
  ///
  /// It is one field of bytes: a version number, the store's identity if there is one, and the
  /// sequence number, independent of process and platform; in the middle of a first pass also
  /// where that began.
  open func encode(with coder: NSCoder) {
    coder.encode(Data(archivedBytes) as NSData, forKey: Self.key)
  }

  /// What an archive holds of the anchor.
  package var archivedBytes: [UInt8] {
    var writer = ByteWriter()
    writer.byte(begun == 0 ? 1 : 2)
    writer.byte(origin == nil ? 0 : 1)
    if let origin {
      writer.fixed(origin.storeID.high)
      writer.fixed(origin.storeID.low)
      writer.fixed(origin.epoch)
    }
    writer.fixed(sequence)
    if begun > 0 { writer.fixed(begun) }
    return writer.bytes
  }

  /// Reads the bytes of an archive; `nil` when they are not an anchor's.
  package convenience init?(archived bytes: [UInt8]) {
    guard let fields = Self.read(bytes) else { return nil }
    self.init(sequence: fields.sequence, begun: fields.begun, origin: fields.origin)
  }

  private static func read(
    _ bytes: [UInt8]
  ) -> (sequence: UInt64, begun: UInt64, origin: Origin?)? {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      guard let version = reader.byte(), versions.contains(version),
        let hasOrigin = reader.byte(), hasOrigin <= 1
      else { return nil }
      var origin: Origin?
      if hasOrigin == 1 {
        guard let high = reader.fixed64(), let low = reader.fixed64(),
          let epoch = reader.fixed(UInt32.self)
        else { return nil }
        origin = Origin(storeID: Identifier(high: high, low: low), epoch: epoch)
      }
      guard let sequence = reader.fixed64() else { return nil }
      if version == 1 { return reader.isAtEnd ? (sequence, 0, origin) : nil }
      // A first pass that is over is written in the first version.
      guard let begun = reader.fixed64(), begun > sequence, reader.isAtEnd else { return nil }
      return (sequence, begun, origin)
    }
  }

  /// Returns the anchor itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same place in the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKQueryAnchor else { return false }
    return sequence == other.sequence && begun == other.begun && origin == other.origin
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
  func place(of anchor: HKQueryAnchor?) throws -> (sequence: UInt64, begun: UInt64) {
    guard let anchor else { return (0, 0) }
    guard let origin = anchor.origin else { return (anchor.sequence, anchor.begun) }
    let sequence = try store.database.place(
      anchor.sequence, storeID: origin.storeID, epoch: origin.epoch)
    return (sequence, anchor.begun)
  }

  /// The anchor behind some changes.
  func anchor(after changes: ObjectChanges) -> HKQueryAnchor {
    HKQueryAnchor(
      sequence: changes.end, begun: changes.begun,
      origin: .init(storeID: store.database.storeID, epoch: store.database.epoch))
  }
}
