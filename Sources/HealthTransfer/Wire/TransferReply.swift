public import Foundation

/// A server's reply to a batch, with the server's progress.
///
/// Docs/transfer.md specifies the encoding.
public struct TransferReply: Equatable, Sendable {
  /// The device that sent the batch.
  public let device: UUID
  /// The number of the device's last batch on the server, or 0 if there is none.
  public let number: UInt64
  /// Whether the batch was rejected because earlier ones are missing.
  ///
  /// The server expects ``number`` + 1.
  public let isGap: Bool
  /// Whether the batch was rejected because the server has another batch with its number, for
  /// example because two phones use one device identifier.
  public let isConflict: Bool
  /// The anchors of batches, by cursor: that of the acknowledged batch, or all stored anchors if
  /// there is a gap.
  package let anchors: [UInt64: [UInt8]]

  package init(
    device: UUID, number: UInt64, isGap: Bool, isConflict: Bool = false,
    anchors: [UInt64: [UInt8]]
  ) {
    self.device = device
    self.number = number
    self.isGap = isGap
    self.isConflict = isConflict
    self.anchors = anchors
  }

  private static let signature = Array("HKTR".utf8)
  private static let version: UInt8 = 1

  /// The encoded reply; about 350 bytes without a gap.
  public var data: Data {
    var writer = WireWriter()
    writer.append(Self.signature)
    writer.byte(Self.version)
    writer.byte(isGap ? 1 : isConflict ? 2 : 0)
    writer.identifier(device)
    writer.varint(number)
    writer.list(anchors.sorted { $0.key < $1.key }) { writer, anchor in
      writer.fixed(anchor.key)
      writer.string(anchor.value)
    }
    return Data(writer.sealed())
  }

  /// Decodes a reply.
  ///
  /// - Parameter data: The encoded reply.
  /// - Throws: ``TransferError`` if the bytes are malformed, too many, or of an unsupported
  ///   version.
  public init(_ data: Data) throws(TransferError) {
    var reader = try WireReader(sealed: data, signature: Self.signature, version: Self.version)
    let flag = try reader.byte()
    if flag > 2 { throw reader.malformed("a reply of no known kind") }
    isGap = flag == 1
    isConflict = flag == 2
    device = try reader.identifier()
    number = try reader.varint()
    if number > TransferLimit.number { throw reader.malformed("the number \(number)") }
    let pairs = try reader.list(of: "anchors", atMost: TransferLimit.cursors, bytesEach: 9) {
      reader throws(TransferError) in
      let cursor = try reader.fixed()
      return (
        cursor, try reader.string("bytes of an anchor", atMost: TransferLimit.anchorBytes)
      )
    }
    anchors = Dictionary(pairs) { $1 }
    try reader.finish()
  }
}
