public import Foundation
public import UniformTypeIdentifiers

/// A file that was added to a saved object.
///
/// Only an ``HKAttachmentStore`` makes one. Equal when the identifiers are.
open class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identifier of the attachment.
  public let identifier: UUID

  /// The name that it was added under.
  public let name: String

  /// What kind of data it is.
  public let contentType: UTType

  /// How many bytes it has.
  public let size: Int

  /// When it was added.
  public let creationDate: Date

  /// What else is known of it; nil for nothing.
  public let metadata: [String: Any]?

  init(_ identifier: UUID, _ payload: AttachmentPayload) {
    self.identifier = identifier
    name = payload.name
    contentType = payload.contentType
    size = payload.size
    creationDate = payload.creationDate
    metadata = payload.metadata
    super.init()
  }

  /// Whether objects of this class can be read back securely, which they can.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an archived attachment, without its content.
  ///
  /// Returns `nil` when the archive is of a later version or lacks a field.
  public required convenience init?(coder: NSCoder) {
    guard coder.decodeInteger(forKey: "version") == 1,
      let identifier = coder.decodeString("identifier").flatMap(UUID.init(uuidString:)),
      let data = coder.decodeObject(NSData.self, "payload"),
      let payload = Data(referencing: data).withUnsafeBytes({ AttachmentPayload($0) })
    else { return nil }
    self.init(identifier, payload)
  }

  /// Archives every field, without the content.
  open func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encodeString(identifier.uuidString, "identifier")
    let payload = AttachmentPayload(
      name: name, contentType: contentType, creationDate: creationDate, size: size,
      metadata: metadata)
    coder.encode(Data(payload.encoded) as NSData, forKey: "payload")
  }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both are the same attachment.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKAttachment)?.identifier == identifier
  }

  /// A hash of `identifier`.
  open override var hash: Int { identifier.hashValue }

  /// The name, size and identifier.
  open override var description: String { "HKAttachment \(name), \(size) bytes, \(identifier)" }
}

extension HKAttachment {
  /// The content of an attachment, byte by byte; it is read as iteration comes to it.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// One byte.
    public typealias Element = UInt8

    /// What reads the bytes.
    public typealias AsyncIterator = BufferedAsyncByteIterator

    let reader: HKAttachmentDataReader

    /// Returns a reader of its own, which begins at the first byte.
    public func makeAsyncIterator() -> BufferedAsyncByteIterator {
      BufferedAsyncByteIterator(reader.pieces())
    }
  }
}

/// Reads the content of an attachment byte by byte, from one task at a time.
///
/// It holds a mebibyte at most.
public struct BufferedAsyncByteIterator: AsyncIteratorProtocol {
  /// One byte.
  public typealias Element = UInt8

  private let source: SeriesElements<UInt8>
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ source: SeriesElements<UInt8>) { self.source = source }

  /// Returns the next byte; `nil` after the last.
  ///
  /// - Returns: The byte.
  /// - Throws: `CancellationError` when the task is cancelled, or ``HKError``.
  public mutating func next() async throws -> UInt8? {
    if position == buffer.count {
      buffer = try await source.next() ?? []
      position = 0
      if buffer.isEmpty { return nil }
    }
    defer { position += 1 }
    return buffer[position]
  }
}
