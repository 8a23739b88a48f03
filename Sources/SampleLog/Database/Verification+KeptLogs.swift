extension Verification {
  /// Reads the logs that a published store keeps after sealing them.
  ///
  /// Opening the store does not read them, because segments have their rows. They are nevertheless
  /// the only form in which replicas can receive commits that were not published yet.
  mutating func checkKeptLogs(
    _ names: [String], in path: String, _ fileSystem: any FileSystem
  ) throws {
    let logs = names.filter {
      FileNames.logFirst($0) != nil || FileNames.sealedLogFirst($0) != nil
    }
    for (index, name) in logs.enumerated() {
      guard let first = FileNames.sealedLogFirst(name) else { continue }
      do {
        let file = try fileSystem.open(path + "/" + name, .read)
        fileCount += 1
        byteCount += try file.size()
        var log = try LogReader(file: file, name: name)
        guard log.header.first == first else {
          throw StoreError.damaged(
            file: name, offset: 0, reason: "the header does not agree with the file's name")
        }
        let end = try logs[index...].dropFirst().first.flatMap {
          try Self.predecessor(of: path + "/" + $0, fileSystem)
        }
        let symbols = SymbolTable()
        try log.read(limit: end?.first == first ? end : nil) { frame, bytes in
          CommitPayload(bytes, in: frame, symbols) != nil
        }
        damages += log.damages
      } catch StoreError.damaged(let file, let offset, let reason) {
        damages.append(Damage(file: file, offset: offset, reason: reason))
      } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isMissing(code) {
        // The log was published and removed after it was listed.
      }
    }
  }

  /// Returns the end of the log before another, or nil if that log is the first, damaged or
  /// missing.
  private static func predecessor(of path: String, _ fileSystem: any FileSystem) throws -> LogEnd? {
    do {
      return try LogReader(file: fileSystem.open(path, .read), name: path).header.predecessor
    } catch StoreError.damaged {
      return nil
    } catch StoreError.inputOutput(_, _, let code, _) where PosixFileSystem.isMissing(code) {
      return nil
    }
  }
}
