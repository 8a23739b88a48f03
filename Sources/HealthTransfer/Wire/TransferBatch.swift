public import Foundation

/// What a phone sends at once: samples, deletions, and where it is to read on.
///
/// Docs/transfer.md describes the bytes.
public struct TransferBatch: Equatable, Sendable {
  /// The installation of the app that sends it, as ``TransferProgress`` names it.
  public let device: UUID
  /// Its number among those of the device, from 1 on without gaps.
  public let number: UInt64
  /// The query that it comes of, decided by its types.
  package let cursor: UInt64
  /// The query's anchor behind it, archived.
  package let anchor: [UInt8]
  package let samples: [TransferSample]
  package let deletions: [UUID]

  /// The number of samples, those in correlations among them.
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

  /// The most bytes of a batch.
  public static let maximumByteCount = TransferLimit.bytes

  private static let signature = Array("HKTB".utf8)
  private static let version: UInt8 = 1

  /// The batch as bytes, at most 16 MiB for one that a phone made.
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

  /// Reads a batch.
  ///
  /// Takes any bytes; memory stays in proportion to them.
  ///
  /// - Parameter data: The bytes of a batch.
  /// - Throws: ``TransferError`` when they are none, too many, or of a later version.
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

  /// Whether a server takes it, given the most bytes.
  func fits(_ limit: Int) -> Bool {
    TransferTables(of: samples).areWithinLimits && data.count <= limit
  }
}
