#if HAS_LEVELDB
  import CLevelDB
  import Foundation

  /// LevelDB, whose single key space is divided among the tables by a first byte.
  final class LevelStore: KeyValueStore, @unchecked Sendable {
    static let detectsConcurrentDuplicates = false

    let database: OpaquePointer
    let reading = leveldb_readoptions_create()
    private let writing = leveldb_writeoptions_create()
    private let options = leveldb_options_create()
    private let cache = leveldb_cache_create_lru(256 << 20)
    private let filter = leveldb_filterpolicy_create_bloom(10)

    init(directory: String) throws {
      leveldb_writeoptions_set_sync(writing, 1)
      leveldb_options_set_create_if_missing(options, 1)
      leveldb_options_set_write_buffer_size(options, 64 << 20)
      leveldb_options_set_cache(options, cache)
      leveldb_options_set_filter_policy(options, filter)
      leveldb_options_set_max_open_files(options, 5000)
      leveldb_options_set_compression(options, Int32(leveldb_snappy_compression))
      var error: UnsafeMutablePointer<CChar>?
      let opened = leveldb_open(options, directory, &error)
      try KeyValueError.check("leveldb", error, free: leveldb_free)
      guard let opened else {
        throw KeyValueError(store: "leveldb", message: "cannot open \(directory)")
      }
      database = opened
    }

    deinit {
      leveldb_readoptions_destroy(reading)
      leveldb_writeoptions_destroy(writing)
      leveldb_options_destroy(options)
      leveldb_cache_destroy(cache)
      leveldb_filterpolicy_destroy(filter)
    }

    func close() { leveldb_close(database) }

    func write(_ body: (LevelWriter) throws -> Void) throws {
      let writer = LevelWriter(store: self)
      defer { leveldb_writebatch_destroy(writer.batch) }
      try body(writer)
      try commit(writer.batch)
    }

    func read<Result>(_ body: (LevelReader) throws -> Result) throws -> Result {
      try body(LevelReader(store: self))
    }

    func beginBulk() { leveldb_writeoptions_set_sync(writing, 0) }

    /// Syncs an empty batch, which also syncs the log before it.
    func endBulk() throws {
      leveldb_writeoptions_set_sync(writing, 1)
      let batch = leveldb_writebatch_create()
      defer { leveldb_writebatch_destroy(batch) }
      try commit(batch)
    }

    /// Waits until the files do not change for a while, because LevelDB reports no background work.
    func quiesce() {
      var before = ""
      for _ in 0..<120 {
        Thread.sleep(forTimeInterval: 0.5)
        let now = leveldb_property_value(database, "leveldb.sstables")
        defer { leveldb_free(now) }
        let text = now.map { String(cString: $0) } ?? ""
        if text == before { return }
        before = text
      }
    }

    func compact() { leveldb_compact_range(database, nil, 0, nil, 0) }

    private func commit(_ batch: OpaquePointer?) throws {
      var error: UnsafeMutablePointer<CChar>?
      leveldb_write(database, writing, batch, &error)
      try KeyValueError.check("leveldb", error, free: leveldb_free)
    }

    /// Calls `body` with a key in the shared key space.
    @inline(__always)
    static func withKey<Result>(
      _ table: KeyValueTable, _ key: UnsafeRawBufferPointer,
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      var storage: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      return try withUnsafeMutableBytes(of: &storage) { bytes in
        bytes[0] = UInt8(table.rawValue)
        UnsafeMutableRawBufferPointer(rebasing: bytes[1...]).copyMemory(from: key)
        return try body(UnsafeRawBufferPointer(rebasing: bytes[...key.count]))
      }
    }
  }
#endif
