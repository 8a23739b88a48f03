#if HAS_ROCKSDB
  import CRocksDB

  /// A RocksDB batch.
  struct RocksWriter: KeyValueWriter {
    let store: RocksStore
    let batch: OpaquePointer?

    init(store: RocksStore) {
      self.store = store
      batch = rocksdb_writebatch_create()
    }

    @inline(__always)
    func put(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) {
      rocksdb_writebatch_put_cf(
        batch, store.families[table.rawValue], key.characters, key.count, value.characters,
        value.count)
    }

    func putNew(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws {
      guard try !RocksReader(store: store).get(table, key, { _ in }) else {
        throw KeyValueError(store: "rocksdb", message: "the key is there already")
      }
      put(table, key, value)
    }

    func remove(_ table: KeyValueTable, _ key: UnsafeRawBufferPointer) {
      rocksdb_writebatch_delete_cf(
        batch, store.families[table.rawValue], key.characters, key.count)
    }

    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer, _ value: inout [UInt8]
    ) throws -> Bool {
      try RocksReader(store: store).get(table, key) { value = [UInt8]($0) }
    }
  }

  /// Reads RocksDB's committed data.
  struct RocksReader: KeyValueReader {
    let store: RocksStore

    func get(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) -> Void
    ) throws -> Bool {
      var error: UnsafeMutablePointer<CChar>?
      let slice = rocksdb_get_pinned_cf(
        store.database, store.reading, store.families[table.rawValue], key.characters, key.count,
        &error)
      try KeyValueError.check("rocksdb", error, free: rocksdb_free)
      guard let slice else { return false }
      defer { rocksdb_pinnableslice_destroy(slice) }
      var length = 0
      let bytes = rocksdb_pinnableslice_value(slice, &length)
      body(UnsafeRawBufferPointer(start: bytes, count: length))
      return true
    }

    func getAll(
      _ table: KeyValueTable, keys: UnsafeRawBufferPointer, length: Int,
      _ body: (Int, UnsafeRawBufferPointer) -> Void
    ) throws {
      let count = keys.count / length
      guard count > 0, let base = keys.characters else { return }
      let positions = (0..<count).map { Optional(base + $0 * length) }
      let lengths = [Int](repeating: length, count: count)
      var values = [OpaquePointer?](repeating: nil, count: count)
      var errors = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
      positions.withUnsafeBufferPointer { positions in
        rocksdb_batched_multi_get_cf(
          store.database, store.reading, store.families[table.rawValue], count,
          positions.baseAddress, lengths, &values, &errors, false)
      }
      defer { for case let value? in values { rocksdb_pinnableslice_destroy(value) } }
      for error in errors { try KeyValueError.check("rocksdb", error, free: rocksdb_free) }
      for (index, value) in values.enumerated() {
        guard let value else {
          throw KeyValueError(store: "rocksdb", message: "a row of the log is missing")
        }
        var length = 0
        let bytes = rocksdb_pinnableslice_value(value, &length)
        body(index, UnsafeRawBufferPointer(start: bytes, count: length))
      }
    }

    func withCursor<Result>(
      _ table: KeyValueTable, _ body: (RocksCursor) throws -> Result
    ) throws -> Result {
      let iterator = rocksdb_create_iterator_cf(
        store.database, store.reading, store.families[table.rawValue])
      defer { rocksdb_iter_destroy(iterator) }
      return try body(RocksCursor(iterator: iterator))
    }
  }

  /// A RocksDB iterator.
  struct RocksCursor: KeyValueCursor {
    let iterator: OpaquePointer?

    @inline(__always)
    var isValid: Bool { rocksdb_iter_valid(iterator) != 0 }

    @inline(__always)
    var key: UnsafeRawBufferPointer {
      var count = 0
      let bytes = rocksdb_iter_key(iterator, &count)
      return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    @inline(__always)
    var value: UnsafeRawBufferPointer {
      var count = 0
      let bytes = rocksdb_iter_value(iterator, &count)
      return UnsafeRawBufferPointer(start: bytes, count: count)
    }

    func seek(_ key: UnsafeRawBufferPointer) {
      rocksdb_iter_seek(iterator, key.characters, key.count)
    }

    /// No key equals the bound, so the entry at or before it is before it.
    func seekBefore(_ key: UnsafeRawBufferPointer) {
      rocksdb_iter_seek_for_prev(iterator, key.characters, key.count)
    }

    @inline(__always)
    func next() { rocksdb_iter_next(iterator) }

    func check() throws {
      var error: UnsafeMutablePointer<CChar>?
      rocksdb_iter_get_error(iterator, &error)
      try KeyValueError.check("rocksdb", error, free: rocksdb_free)
    }
  }
#endif
