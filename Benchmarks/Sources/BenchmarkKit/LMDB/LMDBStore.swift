#if HAS_LMDB
  import CLMDB
  import Foundation

  /// LMDB with one named database for each table.
  final class LMDBStore: KeyValueStore, @unchecked Sendable {
    // Writers are serialised, and each looks before it writes.
    static let detectsConcurrentDuplicates = true

    private let directory: String
    private var environment: OpaquePointer?
    private var databases: [MDB_dbi] = []
    private let lock = NSLock()
    private var readers: [LMDBReader] = []

    init(directory: String) throws {
      self.directory = directory
      try open()
    }

    private func open() throws {
      try Self.check(mdb_env_create(&environment))
      try Self.check(mdb_env_set_maxdbs(environment, 4))
      try Self.check(mdb_env_set_mapsize(environment, 64 << 30))
      try Self.check(mdb_env_open(environment, directory, UInt32(MDB_NOTLS), 0o600))
      var transaction: OpaquePointer?
      try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
      databases = try KeyValueTable.allCases.map { table in
        var database: MDB_dbi = 0
        try Self.check(mdb_dbi_open(transaction, "\(table)", UInt32(MDB_CREATE), &database))
        return database
      }
      try Self.check(mdb_txn_commit(transaction))
    }

    func close() {
      for reader in readers { reader.finish() }
      readers = []
      mdb_env_close(environment)
      environment = nil
    }

    func write(_ body: (LMDBWriter) throws -> Void) throws {
      var transaction: OpaquePointer?
      try Self.check(mdb_txn_begin(environment, nil, 0, &transaction))
      do {
        try body(LMDBWriter(transaction: transaction, databases: databases))
      } catch {
        mdb_txn_abort(transaction)
        throw error
      }
      try Self.check(mdb_txn_commit(transaction))
    }

    func read<Result>(_ body: (LMDBReader) throws -> Result) throws -> Result {
      let reader = try lock.withLock { readers.popLast() } ?? makeReader()
      try reader.begin()
      defer {
        reader.end()
        lock.withLock { readers.append(reader) }
      }
      return try body(reader)
    }

    private func makeReader() throws -> LMDBReader {
      var transaction: OpaquePointer?
      try Self.check(mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction))
      return try LMDBReader(transaction: transaction, databases: databases)
    }

    func beginBulk() throws {
      try Self.check(mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), 1))
    }

    func endBulk() throws {
      try Self.check(mdb_env_set_flags(environment, UInt32(MDB_NOSYNC), 0))
      try Self.check(mdb_env_sync(environment, 1))
    }

    /// Does nothing: LMDB works only inside calls.
    func quiesce() {}

    /// Copies the used pages to a new file, which replaces the old one.
    ///
    /// LMDB cannot shrink a file otherwise.
    func compact() throws {
      let copy = directory + "-compact"
      let manager = FileManager.default
      try? manager.removeItem(atPath: copy)
      try manager.createDirectory(atPath: copy, withIntermediateDirectories: true)
      try Self.check(mdb_env_copy2(environment, copy, UInt32(MDB_CP_COMPACT)))
      close()
      try manager.removeItem(atPath: directory)
      try manager.moveItem(atPath: copy, toPath: directory)
      try open()
    }

    static func check(_ code: Int32) throws {
      guard code != MDB_SUCCESS else { return }
      throw KeyValueError(store: "lmdb", message: String(cString: mdb_strerror(code)))
    }
  }
#endif
