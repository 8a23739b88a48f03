public import Foundation

/// What is left of an object that was deleted: its identifier and its sync keys.
///
/// Only a query makes one. Equal when the identifiers are.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
  /// The identifier of the object that was deleted.
  public let uuid: UUID

  /// `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion`, if the object had them.
  public let metadata: [String: Any]?

  /// Keeps the two sync keys of `metadata` and drops the rest.
  init(uuid: UUID, metadata: [String: Any]?) {
    self.uuid = uuid
    let kept = metadata?.filter {
      $0.key == HKMetadataKeySyncIdentifier || $0.key == HKMetadataKeySyncVersion
    }
    self.metadata = kept?.isEmpty == false ? kept : nil
    super.init()
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived deleted object.
  ///
  /// Returns `nil` when the archive is of a later version or lacks a field.
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

  /// Archives the identifier and the sync keys.
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

  /// Whether both stand for the same deleted object.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDeletedObject)?.uuid == uuid
  }

  /// A hash of `uuid`.
  open override var hash: Int { uuid.hashValue }

  /// The class and identifier.
  open override var description: String { "HKDeletedObject \(uuid)" }
}
