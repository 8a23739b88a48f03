public import Foundation
public import UniformTypeIdentifiers

/// A file that is attached to a saved object.
///
/// Only an ``HKAttachmentStore`` creates attachments. Attachments are equal if their identifiers
/// are.
open class HKAttachment: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The identifier of the attachment.
  public let identifier: UUID

  /// The name given when the attachment was added.
  public let name: String

  /// The type of the content.
  public let contentType: UTType

  /// The size of the content, in bytes.
  public let size: Int

  /// The date at which the attachment was added.
  public let creationDate: Date

  /// The metadata, or nil if there is none.
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

  /// Whether the class supports secure coding; always true.
  open class var supportsSecureCoding: Bool { true }

  /// Decodes an archived attachment, without its content.
  ///
  /// Returns `nil` if the archive has a later version or lacks a field.
  public required convenience init?(coder: NSCoder) {
    guard coder.decodeInteger(forKey: "version") == 1,
      let identifier = coder.decodeString("identifier").flatMap(UUID.init(uuidString:)),
      let data = coder.decodeObject(NSData.self, "payload"),
      let payload = Data(referencing: data).withUnsafeBytes({ AttachmentPayload($0) })
    else { return nil }
    self.init(identifier, payload)
  }

  /// Encodes every field, without the content.
  open func encode(with coder: NSCoder) {
    coder.encode(1, forKey: "version")
    coder.encodeString(identifier.uuidString, "identifier")
    let payload = AttachmentPayload(
      name: name, contentType: contentType, creationDate: creationDate, size: size,
      metadata: metadata)
    coder.encode(Data(payload.encoded) as NSData, forKey: "payload")
  }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Returns whether both objects are the same attachment.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKAttachment)?.identifier == identifier
  }

  /// A hash of `identifier`.
  open override var hash: Int { identifier.hashValue }

  /// The name, size and identifier.
  open override var description: String { "HKAttachment \(name), \(size) bytes, \(identifier)" }
}

extension HKAttachment {
  /// The content of an attachment as a sequence of bytes, read on demand.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte of the content.
    public typealias Element = UInt8

    /// The iterator that reads the bytes.
    public typealias AsyncIterator = BufferedAsyncByteIterator

    let reader: HKAttachmentDataReader

    /// Returns an independent iterator, which begins at the first byte.
    public func makeAsyncIterator() -> BufferedAsyncByteIterator {
      BufferedAsyncByteIterator(reader.pieces())
    }
  }
}

/// An iterator over the bytes of an attachment's content.
///
/// Only one task may use it at a time.
///
/// It buffers at most one mebibyte.
public struct BufferedAsyncByteIterator: AsyncIteratorProtocol {
  /// One byte.
  public typealias Element = UInt8

  private let source: SeriesElements<UInt8>
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ source: SeriesElements<UInt8>) { self.source = source }

  /// Returns the next byte, or `nil` after the last one.
  ///
  /// - Returns: The byte.
  /// - Throws: `CancellationError` if the task is cancelled, or ``HKError``.
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
