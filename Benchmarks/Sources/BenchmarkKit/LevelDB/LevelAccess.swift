#if HAS_LEVELDB
  import CLevelDB

  /// A LevelDB batch.
  struct LevelWriter: KeyValueWriter {
    let store: LevelStore
    let batch: OpaquePointer?

    init(store: LevelStore) {
      self.store = store
      batch = leveldb_writebatch_create()
    }

    @inline(__always)
    func put(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) {
      LevelStore.withKey(table, key) { key in
        leveldb_writebatch_put(batch, key.characters, key.count, value.characters, value.count)
      }
    }

    func putNew(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws {
      guard try !LevelReader(store: store).get(table, key, { _ in }) else {
        throw KeyValueError(store: "leveldb", message: "the key is there already")
      }
      put(table, key, value)
    }

    func remove(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer) {
      LevelStore.withKey(table, key) { leveldb_writebatch_delete(batch, $0.characters, $0.count) }
    }

    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]
    ) throws -> Bool {
      try LevelReader(store: store).get(table, key) { value = [UInt8]($0) }
    }
  }

  /// Reads LevelDB's committed data.
  struct LevelReader: KeyValueReader {
    let store: LevelStore

    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) throws -> Bool {
      var error: UnsafeMutablePointer<CChar>?
      var length = 0
      let bytes = LevelStore.withKey(table, key) { key in
        leveldb_get(
          store.database, store.reading, key.characters, key.count, &length, &error)
      }
      try KeyValueError.check("leveldb", error, free: leveldb_free)
      guard let bytes else { return false }
      defer { leveldb_free(bytes) }
      body(UnsafeRawBufferPointer(start: bytes, count: length))
      return true
    }

    func withCursor<Result>(
      _ table: KeyValueTable, _ body: (LevelCursor) throws -> Result
    ) throws -> Result {
      let iterator = leveldb_create_iterator(store.database, store.reading)
      defer { leveldb_iter_destroy(iterator) }
      return try body(LevelCursor(iterator: iterator, table: table))
    }
  }

  /// A LevelDB iterator within one table.
  struct LevelCursor: KeyValueCursor {
    let iterator: OpaquePointer?
    let table: KeyValueTable

    @inline(__always)
    var isValid: Bool {
      leveldb_iter_valid(iterator) != 0 && wholeKey[0] == UInt8(table.rawValue)
    }

    @inline(__always)
    var key: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: wholeKey[1...]) }

    @inline(__always)
    private var wholeKey: UnsafeRawBufferPointer {
      var count = 0
      let bytes = leveldb_iter_key(iterator, &count)
      return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    @inline(__always)
    var value: UnsafeRawBufferPointer {
      var count = 0
      let bytes = leveldb_iter_value(iterator, &count)
      return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    func seek(_ key: UnsafeRawBufferPointer) {
      LevelStore.withKey(table, key) { leveldb_iter_seek(iterator, $0.characters, $0.count) }
    }

    func seekBefore(_ key: UnsafeRawBufferPointer) {
      seek(key)
      if leveldb_iter_valid(iterator) != 0 {
        leveldb_iter_prev(iterator)
      } else {
        leveldb_iter_seek_to_last(iterator)
      }
    }

    @inline(__always)
    func next() { leveldb_iter_next(iterator) }

    func check() throws {
      var error: UnsafeMutablePointer<CChar>?
      leveldb_iter_get_error(iterator, &error)
      try KeyValueError.check("leveldb", error, free: leveldb_free)
    }
  }
#endif
