#if HAS_LMDB
  import CLMDB

  /// An LMDB write transaction.
  struct LMDBWriter: KeyValueWriter {
    let transaction: OpaquePointer?
    let databases: [MDB_dbi]

    @inline(__always)
    func put(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws {
      // Sequence numbers usually rise, and appending avoids the search.
      if table == .log, put(table, key, value, UInt32(MDB_APPEND)) == MDB_SUCCESS { return }
      try LMDBStore.check(put(table, key, value, 0))
    }

    @inline(__always)
    func putNew(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws {
      try LMDBStore.check(put(table, key, value, UInt32(MDB_NOOVERWRITE)))
    }

    @inline(__always)
    private func put(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
      _ flags: UInt32
    ) -> Int32 {
      var keyValue = MDB_val(key)
      var data = MDB_val(value)
      return mdb_put(transaction, databases[table.rawValue], &keyValue, &data, flags)
    }

    func remove(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer) throws {
      var keyValue = MDB_val(key)
      try LMDBStore.check(mdb_del(transaction, databases[table.rawValue], &keyValue, nil))
    }

    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]
    ) throws -> Bool {
      var keyValue = MDB_val(key)
      var data = MDB_val()
      let code = mdb_get(transaction, databases[table.rawValue], &keyValue, &data)
      if code == MDB_NOTFOUND { return false }
      try LMDBStore.check(code)
      value = [UInt8](data.bytes)
      return true
    }
  }

  /// A reusable LMDB read transaction, with a cursor for each table.
  final class LMDBReader: KeyValueReader {
    private let transaction: OpaquePointer?
    private let databases: [MDB_dbi]
    private var cursors: [OpaquePointer?] = []

    init(transaction: OpaquePointer?, databases: [MDB_dbi]) throws {
      self.transaction = transaction
      self.databases = databases
      cursors = try databases.map { database in
        var cursor: OpaquePointer?
        try LMDBStore.check(mdb_cursor_open(transaction, database, &cursor))
        return cursor
      }
      end()
    }

    func begin() throws { try LMDBStore.check(mdb_txn_renew(transaction)) }

    func end() { mdb_txn_reset(transaction) }

    func finish() {
      for cursor in cursors { mdb_cursor_close(cursor) }
      mdb_txn_abort(transaction)
    }

    @inline(__always)
    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) throws -> Bool {
      var keyValue = MDB_val(key)
      var data = MDB_val()
      let code = mdb_get(transaction, databases[table.rawValue], &keyValue, &data)
      if code == MDB_NOTFOUND { return false }
      try LMDBStore.check(code)
      body(data.bytes)
      return true
    }

    func withCursor<Result>(
      _ table: KeyValueTable, _ body: (LMDBCursor) throws -> Result
    ) throws -> Result {
      let cursor = cursors[table.rawValue]
      try LMDBStore.check(mdb_cursor_renew(transaction, cursor))
      var position = LMDBCursor.Position()
      return try withUnsafeMutablePointer(to: &position) { position in
        try body(LMDBCursor(cursor: cursor, position: position))
      }
    }
  }

  /// An LMDB cursor.
  struct LMDBCursor: KeyValueCursor {
    /// The position of the cursor.
    ///
    /// It is stored elsewhere, so that moving the cursor needs no exclusive access.
    struct Position {
      var key = MDB_val()
      var value = MDB_val()
      var code = MDB_NOTFOUND
    }

    let cursor: OpaquePointer?
    let position: UnsafeMutablePointer<Position>

    @inline(__always) var isValid: Bool { position.pointee.code == MDB_SUCCESS }
    @inline(__always) var key: UnsafeRawBufferPointer { position.pointee.key.bytes }
    @inline(__always) var value: UnsafeRawBufferPointer { position.pointee.value.bytes }

    func seek(_ key: UnsafeRawBufferPointer) {
      position.pointee.key = MDB_val(key)
      move(MDB_SET_RANGE)
    }

    func seekBefore(_ key: UnsafeRawBufferPointer) {
      seek(key)
      move(isValid ? MDB_PREV : MDB_LAST)
    }

    @inline(__always)
    func next() { move(MDB_NEXT) }

    @inline(__always)
    private func move(_ operation: MDB_cursor_op) {
      position.pointee.code = mdb_cursor_get(
        cursor, &position.pointee.key, &position.pointee.value, operation)
    }

    func check() throws {
      if position.pointee.code != MDB_NOTFOUND { try LMDBStore.check(position.pointee.code) }
    }
  }

  extension MDB_val {
    /// The bytes of a key or value.
    ///
    /// LMDB does not write to its arguments.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
      self.init(
        mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    @inline(__always)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
  }
#endif
