public import Foundation

/// A batch that a phone sends: samples, deletions, and the anchor after them.
///
/// Docs/transfer.md specifies the encoding.
public struct TransferBatch: Equatable, Sendable {
  /// The identifier of the sending installation; see ``TransferProgress/device``.
  public let device: UUID
  /// The number of the batch among those of the device, starting at 1 without gaps.
  public let number: UInt64
  /// The identifier of the query's cursor, which follows from its types.
  package let cursor: UInt64
  /// The archived anchor of the query after this batch.
  package let anchor: [UInt8]
  package let samples: [TransferSample]
  package let deletions: [UUID]

  /// The number of samples, including those in correlations.
  public var sampleCount: Int { samples.count }
  /// The number of deletions.
  public var deletionCount: Int { deletions.count }

  package init(
    device: UUID, number: UInt64, cursor: UInt64, anchor: [UInt8], samples: [TransferSample],
    deletions: [UUID]
  ) {
    self.device = device
    self.number = number
    self.cursor = cursor
    self.anchor = anchor
    self.samples = samples
    self.deletions = deletions
  }

  /// The maximum size of a batch, in bytes.
  public static let maximumByteCount = TransferLimit.bytes

  private static let signature = Array("HKTB".utf8)
  private static let version: UInt8 = 1

  /// The encoded batch; at most 16 MiB if ``TransferUploader`` created it.
  public var data: Data {
    var writer = WireWriter()
    writer.append(Self.signature)
    writer.byte(Self.version)
    writer.identifier(device)
    writer.varint(number)
    writer.fixed(cursor)
    writer.string(anchor)
    let tables = TransferTables(of: samples)
    tables.write(to: &writer)
    writer.list(samples) { tables.write($1, to: &$0) }
    writer.list(deletions) { $0.identifier($1) }
    return Data(writer.sealed())
  }

  /// Decodes a batch.
  ///
  /// Accepts any bytes. Memory use is proportional to their number.
  ///
  /// - Parameter data: The encoded batch.
  /// - Throws: ``TransferError`` if the bytes are malformed, too many, or of an unsupported
  ///   version.
  public init(_ data: Data) throws(TransferError) {
    var reader = try WireReader(sealed: data, signature: Self.signature, version: Self.version)
    device = try reader.identifier()
    number = try reader.varint()
    guard (1...TransferLimit.number).contains(number) else {
      throw reader.malformed("the number \(number)")
    }
    cursor = try reader.fixed()
    anchor = try reader.string("bytes of an anchor", atMost: TransferLimit.anchorBytes)
    let tables = try TransferTables(&reader)
    samples = try reader.list(of: "samples", bytesEach: TransferTables.leastBytes) {
      reader throws(TransferError) in try tables.sample(&reader)
    }
    deletions = try reader.list(of: "deletions", bytesEach: 16) { reader throws(TransferError) in
      try reader.identifier()
    }
    try reader.finish()
  }

  /// Returns whether a server accepts the batch, given the maximum size in bytes.
  func fits(_ limit: Int) -> Bool {
    TransferTables(of: samples).areWithinLimits && data.count <= limit
  }
}
