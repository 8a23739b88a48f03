/// The marker file of a store whose commits are published to replicas.
///
/// A primary writes it before the first message, and it is never removed. Every writer of a marked
/// store keeps the logs that it seals, because replicas may need their commits.
package struct PublicationMarker: Hashable, Sendable {
  private static let magic: UInt64 = 0x0A01_4255_5053_4853  // "SHSPUB", 1, line feed
  private static let version: UInt32 = 1
  private static let size = 32

  /// A history position at or before the last one that the stream has confirmed, or nil if none is
  /// known.
  package var confirmed: HistoryPosition?

  package init(confirmed: HistoryPosition? = nil) { self.confirmed = confirmed }

  /// Reads the marker file of a directory.
  ///
  /// A directory without a marker file but with kept logs was published by an earlier version. A
  /// damaged marker file counts as present without a position, so that all logs are kept.
  ///
  /// - Returns: nil if the directory was never published or is a replica.
  /// - Throws: ``StoreError/unsupportedVersion(file:version:)``, or an error of the operating
  ///   system.
  package static func read(_ path: String, _ fileSystem: any FileSystem) throws -> Self? {
    let names = try fileSystem.list(path) ?? []
    if names.contains(FileNames.replica) { return nil }
    guard names.contains(FileNames.published) else {
      return names.contains { FileNames.sealedLogFirst($0) != nil } ? Self() : nil
    }
    return try stored(path, fileSystem) ?? Self()
  }

  /// Returns whether a directory has a damaged marker file.
  static func isDamaged(_ path: String, _ fileSystem: any FileSystem) throws -> Bool {
    guard try fileSystem.list(path)?.contains(FileNames.published) == true else { return false }
    return try stored(path, fileSystem) == nil
  }

  private static func stored(_ path: String, _ fileSystem: any FileSystem) throws -> Self? {
    let file = try fileSystem.open(path + "/" + FileNames.published, .read)
    return try file.bytes(size, at: 0).flatMap { try Self($0) }
  }

  /// Returns whether replicas may have commits of a directory's store.
  ///
  /// This is the case if the store was published, or is a replica or a backup of a published store.
  static func hasReplicas(_ path: String, _ fileSystem: any FileSystem) throws -> Bool {
    let isReplica = try fileSystem.list(path)?.contains(FileNames.replica) ?? false
    return try isReplica || read(path, fileSystem) != nil
  }

  /// Replaces the marker file atomically and durably.
  func write(to path: String, _ fileSystem: any FileSystem) throws {
    try DirectoryMarker.write(encoded, as: FileNames.published, in: path, fileSystem)
  }

  private var encoded: [UInt8] {
    var writer = ByteWriter(reserving: Self.size)
    writer.fixed(Self.magic)
    writer.fixed(Self.version)
    writer.fixed(confirmed?.chain.value ?? 0)
    writer.fixed(confirmed?.last ?? 0)
    writer.pad(toMultipleOf: Self.size - 4)
    writer.fixed(checksum(writer.bytes))
    return writer.bytes
  }

  private init?(_ bytes: [UInt8]) throws {
    var trailer = HeaderFields(Array(bytes.suffix(4)))
    var fields = HeaderFields(bytes)
    guard trailer.half() == checksum(Array(bytes.dropLast(4))), fields.word() == Self.magic else {
      return nil
    }
    let version = fields.half()
    guard version == Self.version else {
      throw StoreError.unsupportedVersion(file: FileNames.published, version: Int(version))
    }
    let (chain, last) = (fields.half(), fields.word())
    confirmed = chain == 0 ? nil : HistoryPosition(last: last, chain: HistoryChain(value: chain))
  }
}

extension Database {
  /// Whether the store's commits are published, so that logs are kept until publication.
  package var isPublished: Bool { publication.withLock { $0 } != nil }

  /// A position at or before the last one that the stream has confirmed, or nil if none is known.
  package var confirmedPosition: HistoryPosition? { publication.withLock { $0?.confirmed } }

  /// The maximum number of records that may wait to be published, or nil if the store was never
  /// published.
  ///
  /// After the primary was killed, the stream may contain more than the directory records.
  package var unpublishedRecordCount: UInt64? {
    guard isPublished else { return nil }
    let end = end
    return end - min(end, confirmedPosition?.last ?? 0)
  }

  /// Records durably that the stream has confirmed everything through a position.
  ///
  /// - Throws: An error of the operating system; the previous record then remains.
  package func notePublished(_ position: HistoryPosition) throws {
    try publication.withLock { marker in
      guard marker != nil, marker?.confirmed.map({ $0.last < position.last }) ?? true else {
        return
      }
      try checkInPlace()
      let next = PublicationMarker(confirmed: position)
      try next.write(to: path, fileSystem)
      marker = next
    }
  }

}
