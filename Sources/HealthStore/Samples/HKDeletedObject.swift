public import Foundation

/// The tombstone of a deleted object: its identifier and its sync metadata.
///
/// Only queries create deleted objects. Two objects are equal if their identifiers are equal.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The identifier of the deleted object.
  public let uuid: UUID

  /// `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion`, if the object had them.
  public let metadata: [String: Any]?

  /// Creates a deleted object and keeps only the two sync keys of `metadata`.
  init(uuid: UUID, metadata: [String: Any]?) {
    self.uuid = uuid
    let kept = metadata?.filter {
      $0.key == HKMetadataKeySyncIdentifier || $0.key == HKMetadataKeySyncVersion
    }
    self.metadata = kept?.isEmpty == false ? kept : nil
    super.init()
  }

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived deleted object.
  ///
  /// Returns nil if the archive has a later version or lacks a field.
  public required init?(coder: NSCoder) {
    guard
      coder.decodeInteger(forKey: "version") == 1,
      let uuid = coder.decodeString("uuid").flatMap(UUID.init(uuidString:))
    else { return nil }
    self.uuid = uuid
    if let data = coder.decodeObject(NSData.self, "metadata") {
      do {
        metadata = try MetadataCoding.decode([UInt8](Data(referencing: data)))
      } catch {
        return nil
      }
    } else {
      metadata = nil
    }
    super.init()
  }

  /// Encodes the identifier and the sync metadata.
  open func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    guard let metadata else { return }
    do {
      coder.encode(Data(try MetadataCoding.encode(metadata)) as NSData, forKey: "metadata")
    } catch {
      coder.failWithError(error)
    }
  }

  /// Returns whether both represent the same deleted object.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDeletedObject)?.uuid == uuid
  }

  /// A hash of `uuid`.
  open override var hash: Int { uuid.hashValue }

  /// The class name and the identifier.
  open override var description: String { "HKDeletedObject \(uuid)" }
}
