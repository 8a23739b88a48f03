#if HAS_ROCKSDB
  import CRocksDB
  import Foundation

  /// RocksDB with one column family for each table.
  final class RocksStore: KeyValueStore, @unchecked Sendable {
    static let detectsConcurrentDuplicates = false

    let database: OpaquePointer
    let families: [OpaquePointer?]
    let reading = rocksdb_readoptions_create()
    private let writing = rocksdb_writeoptions_create()
    private let options: [OpaquePointer?]

    init(directory: String) throws {
      let cache = rocksdb_cache_create_lru(256 << 20)
      options = KeyValueTable.allCases.map { Self.options($0, cache: cache) }
      rocksdb_cache_destroy(cache)
      rocksdb_writeoptions_set_sync(writing, 1)
      let names = ["default", "identifiers", "log"].map { (name: String) in strdup(name) }
      defer { for name in names { free(name) } }
      var families = [OpaquePointer?](repeating: nil, count: names.count)
      var error: UnsafeMutablePointer<CChar>?
      let opened = rocksdb_open_column_families(
        options[0], directory, Int32(names.count), names.map { UnsafePointer($0) }, options,
        &families, &error)
      try KeyValueError.check("rocksdb", error, free: rocksdb_free)
      guard let opened else {
        throw KeyValueError(store: "rocksdb", message: "cannot open \(directory)")
      }
      database = opened
      self.families = families
    }

    deinit {
      for option in options { rocksdb_options_destroy(option) }
      rocksdb_readoptions_destroy(reading)
      rocksdb_writeoptions_destroy(writing)
    }

    func close() {
      for family in families { rocksdb_column_family_handle_destroy(family) }
      rocksdb_close(database)
    }

    func write(_ body: (RocksWriter) throws -> Void) throws {
      let writer = RocksWriter(store: self)
      defer { rocksdb_writebatch_destroy(writer.batch) }
      try body(writer)
      var error: UnsafeMutablePointer<CChar>?
      rocksdb_write(database, writing, writer.batch, &error)
      try KeyValueError.check("rocksdb", error, free: rocksdb_free)
    }

    func read<Result>(_ body: (RocksReader) throws -> Result) throws -> Result {
      try body(RocksReader(store: self))
    }

    /// A load that is flushed at its end needs no log.
    func beginBulk() {
      rocksdb_writeoptions_set_sync(writing, 0)
      rocksdb_writeoptions_disable_WAL(writing, 1)
    }

    func endBulk() throws {
      rocksdb_writeoptions_disable_WAL(writing, 0)
      rocksdb_writeoptions_set_sync(writing, 1)
      let flushing = rocksdb_flushoptions_create()
      defer { rocksdb_flushoptions_destroy(flushing) }
      for family in families {
        var error: UnsafeMutablePointer<CChar>?
        rocksdb_flush_cf(database, flushing, family, &error)
        try KeyValueError.check("rocksdb", error, free: rocksdb_free)
      }
    }

    /// Waits for flushes and compactions.
    func quiesce() {
      let properties = [
        "rocksdb.compaction-pending", "rocksdb.mem-table-flush-pending",
        "rocksdb.num-running-compactions", "rocksdb.num-running-flushes",
      ]
      for _ in 0..<6000 {
        let isBusy = families.contains { family in
          properties.contains { property in
            var value: UInt64 = 0
            rocksdb_property_int_cf(database, family, property, &value)
            return value > 0
          }
        }
        if !isBusy { return }
        Thread.sleep(forTimeInterval: 0.02)
      }
    }

    func compact() throws {
      try endBulk()
      let how = rocksdb_compactoptions_create()
      defer { rocksdb_compactoptions_destroy(how) }
      // 2: also the files of the last level, which still contain deleted rows.
      rocksdb_compactoptions_set_bottommost_level_compaction(how, 2)
      for family in families {
        rocksdb_compact_range_cf_opt(database, family, how, nil, 0, nil, 0)
      }
      quiesce()
    }

    /// The options of one family.
    ///
    /// Those of the first also apply to the database.
    private static func options(_ table: KeyValueTable, cache: OpaquePointer?) -> OpaquePointer? {
      let options = rocksdb_options_create()
      rocksdb_options_set_create_if_missing(options, 1)
      rocksdb_options_set_create_missing_column_families(options, 1)
      rocksdb_options_set_max_background_jobs(options, 2)
      rocksdb_options_set_compression(options, Int32(rocksdb_lz4_compression))
      rocksdb_options_set_write_buffer_size(options, 64 << 20)
      let blocks = rocksdb_block_based_options_create()
      rocksdb_block_based_options_set_block_cache(blocks, cache)
      rocksdb_block_based_options_set_format_version(blocks, 5)
      rocksdb_block_based_options_set_block_size(blocks, table == .identifiers ? 4096 : 16384)
      if table == .identifiers {
        // Most look-ups before writing find nothing, and filters answer them without a search.
        rocksdb_block_based_options_set_filter_policy(
          blocks, rocksdb_filterpolicy_create_bloom_full(10))
        rocksdb_options_set_memtable_prefix_bloom_size_ratio(options, 0.1)
        rocksdb_options_set_memtable_whole_key_filtering(options, 1)
      }
      rocksdb_options_set_block_based_table_factory(options, blocks)
      rocksdb_block_based_options_destroy(blocks)
      return options
    }
  }
#endif
