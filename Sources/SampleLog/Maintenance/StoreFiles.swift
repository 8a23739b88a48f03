/// The data files of one durable state of a store.
///
/// They remain readable while the store seals and compacts, because they are open.
package struct StoreFiles: Sendable {
  /// A data file's name and length.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var byteCount: UInt64

    package init(name: String, byteCount: UInt64) {
      self.name = name
      self.byteCount = byteCount
    }
  }

  /// The newest sequence number in the files.
  package let end: UInt64
  package let entries: [Entry]
  private let files: [any File]

  /// Captures the present state of a store, after making it durable.
  ///
  /// - Throws: The errors of `Database.backup(to:linksFiles:)` that concern the store.
  package init(of database: Database) throws {
    let contents = try database.intactContents()
    end = contents.end
    entries =
      contents.segments.map { Entry(name: $0.name, byteCount: UInt64($0.fileSize)) }
      + contents.logs.map { Entry(name: $0.name, byteCount: UInt64($0.end.length)) }
    files = contents.segments.map(\.file) + contents.logs.map(\.file)
  }

  /// Reads bytes of a file.
  ///
  /// - Throws: ``StoreError/damaged(file:offset:reason:)`` if the file is too short, or an error of
  ///   the operating system.
  package func bytes(_ count: Int, of index: Int, at offset: Int) throws -> [UInt8] {
    guard let bytes = try files[index].bytes(count, at: offset) else {
      throw StoreError.damaged(
        file: entries[index].name, offset: offset, reason: "the file is cut")
    }
    return bytes
  }
}

extension Database {
  /// Creates a replica from the data files of another copy of the store, which arrive in order.
  ///
  /// The files are verified like those of a backup that is restored before the directory becomes a
  /// store.
  ///
  /// - Parameters:
  ///   - entries: The names and lengths of the files.
  ///   - storeID: The identity of the store.
  ///   - end: The newest sequence number in the files.
  ///   - destination: A directory that does not exist or is empty.
  ///   - primary: The name of the primary, reported in errors to clients that try to save.
  ///   - fileSystem: The file system of the directory.
  ///   - read: Returns the next bytes of the files, at least one and at most the given number.
  /// - Throws: ``StoreError/notEmpty(path:)``, ``StoreError/damaged(file:offset:reason:)`` if the
  ///   files are not a sound copy of the store, the errors of `read`, or an error of the operating
  ///   system. On failure the destination contains none of the created files.
  package static func makeReplica(
    receiving entries: [StoreFiles.Entry], ofStore storeID: Identifier, end: UInt64,
    at destination: String, of primary: String, fileSystem: any FileSystem,
    read: (Int) throws -> [UInt8]
  ) throws {
    try makeReplica(at: destination, of: primary, fileSystem) { directory in
      for entry in entries {
        guard FileNames.isData(entry.name) else {
          throw StoreError.damaged(
            file: entry.name, offset: 0, reason: "the name is not that of a log or a segment")
        }
        let file = try directory.create(entry.name)
        var offset = 0
        while UInt64(offset) < entry.byteCount {
          let bytes = try read(Int(min(entry.byteCount - UInt64(offset), 1 << 30)))
          try bytes.withUnsafeBytes { try file.write($0, at: offset) }
          offset += bytes.count
        }
        try file.sync()
      }
      let found = try check(directory, end: end)
      guard found.storeID == storeID else {
        throw StoreError.damaged(
          file: directory.path, offset: 0, reason: "the files are of another store")
      }
      for segment in found.segments { try checkAll(segment) }
    }
  }
}
