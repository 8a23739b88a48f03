public import Foundation

/// What a server replies to a batch: how far it is.
///
/// Docs/transfer.md describes the bytes.
public struct TransferReply: Equatable, Sendable {
  /// The device whose batch it was.
  public let device: UUID
  /// The number of the last batch of the device that the server has; 0 for none.
  public let number: UInt64
  /// Whether the batch was left out because others are missing in front of it: the server wants
  /// ``number`` + 1.
  public let isGap: Bool
  /// Whether the batch was left out because the server has another one of its number, as when two
  /// phones use one device identifier.
  public let isConflict: Bool
  /// The anchors that came with batches, by their cursors: that of the last batch, and with a gap
  /// all that the server remembers.
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

  /// The reply as bytes, about 350 of them without a gap.
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

  /// Reads a reply.
  ///
  /// - Parameter data: The bytes of a reply.
  /// - Throws: ``TransferError`` when they are none, too many, or of a later version.
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
