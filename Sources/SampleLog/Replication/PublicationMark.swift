/// The record in a directory that its commits are published to replicas.
///
/// A primary writes it before the first message, and it stays. While it is there every writer keeps
/// the logs that it seals, because replicas may need their commits.
package struct PublicationMark: Hashable, Sendable {
  private static let magic: UInt64 = 0x0A01_4255_5053_4853  // "SHSPUB", 1, line feed
  private static let version: UInt32 = 1
  private static let size = 32

  /// A place in the history at or before the last one that the stream has confirmed; nil as long as
  /// none is known.
  package var confirmed: HistoryPosition?

  package init(confirmed: HistoryPosition? = nil) { self.confirmed = confirmed }

  /// Reads the mark of a directory.
  ///
  /// A directory without one that has kept logs was published by a version before the mark. Of a
  /// mark that is damaged only its presence counts: everything is kept then.
  ///
  /// - Returns: nil for a directory that was never published, and for a replica.
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

  /// Whether a directory has a mark that is damaged.
  static func isDamaged(_ path: String, _ fileSystem: any FileSystem) throws -> Bool {
    guard try fileSystem.list(path)?.contains(FileNames.published) == true else { return false }
    return try stored(path, fileSystem) == nil
  }

  private static func stored(_ path: String, _ fileSystem: any FileSystem) throws -> Self? {
    let file = try fileSystem.open(path + "/" + FileNames.published, .read)
    return try file.bytes(size, at: 0).flatMap { try Self($0) }
  }

  /// Whether replicas may have commits of a directory's store: it was published, or is a replica or
  /// a backup of such a store.
  static func hasReplicas(_ path: String, _ fileSystem: any FileSystem) throws -> Bool {
    let isReplica = try fileSystem.list(path)?.contains(FileNames.replica) ?? false
    return try isReplica || read(path, fileSystem) != nil
  }

  /// Writes the mark durably, in place of the one before.
  func write(to path: String, _ fileSystem: any FileSystem) throws {
    try DirectoryMark.write(encoded, as: FileNames.published, in: path, fileSystem)
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
  /// Whether the store's commits are published, so that its logs are kept until they are.
  package var isPublished: Bool { publication.withLock { $0 } != nil }

  /// A place at or before the last one that the stream has confirmed; nil if none is known.
  package var confirmedPosition: HistoryPosition? { publication.withLock { $0?.confirmed } }

  /// The greatest number of records that may wait to be published; nil if the store never was.
  ///
  /// The stream may have more than the directory knows of after its primary was killed.
  package var unpublishedRecordCount: UInt64? {
    guard isPublished else { return nil }
    let end = end
    return end - min(end, confirmedPosition?.last ?? 0)
  }

  /// Records durably that the stream has confirmed everything up to a place.
  ///
  /// - Throws: An error of the operating system; then the record before it is still there.
  package func notePublished(_ position: HistoryPosition) throws {
    try publication.withLock { mark in
      guard mark != nil, mark?.confirmed.map({ $0.last < position.last }) ?? true else { return }
      try checkInPlace()
      let next = PublicationMark(confirmed: position)
      try next.write(to: path, fileSystem)
      mark = next
    }
  }

}
