/// A store that can take part, with the function that opens it.
package struct PeerKind: Sendable {
  /// The name on the command line and in the table.
  package let name: String
  /// Whether the store refuses a commit with an identifier that it already holds.
  package var refusesKnownIdentifiers = true
  /// The number of subjects that its keys can distinguish.
  package var greatestSubjectCount = LoadOrder.greatestSubjectCount
  /// Opens the store in an existing directory, making it if there is none.
  package let open:
    @Sendable (_ directory: String, _ plan: PeerSession.Plan) throws ->
      any BenchmarkPeer

  /// Our own store, which always takes part, and with which the others are compared.
  package static let own = PeerKind(name: "healthstore") { directory, plan in
    try HealthStorePeer(
      directory: directory, subjects: plan.loadOrder.subjects,
      memoryLimit: plan.memoryLimit)
  }

  /// The stores that `--against` can name.
  package static let others: [PeerKind] = {
    var kinds: [PeerKind] = []
    kinds.append(
      contentsOf: SQLiteSettings.allCases.map { settings in
        PeerKind(name: settings.rawValue) { directory, _ in
          try SQLitePeer(directory: directory, settings: settings)
        }
      })
    #if HAS_ROCKSDB
      kinds.append(
        PeerKind(name: "rocksdb", greatestSubjectCount: KeyValueCoding.greatestSubjectCount) {
          directory, _ in
          try KeyValuePeer<RocksStore>(directory: directory)
        })
    #endif
    #if HAS_LMDB
      kinds.append(
        PeerKind(name: "lmdb", greatestSubjectCount: KeyValueCoding.greatestSubjectCount) {
          directory, _ in
          try KeyValuePeer<LMDBStore>(directory: directory)
        })
    #endif
    #if HAS_LEVELDB
      kinds.append(
        PeerKind(name: "leveldb", greatestSubjectCount: KeyValueCoding.greatestSubjectCount) {
          directory, _ in
          try KeyValuePeer<LevelStore>(directory: directory)
        })
    #endif
    if DuckDBLibrary.problem == nil {
      kinds.append(
        PeerKind(name: "duckdb", refusesKnownIdentifiers: false) { directory, _ in
          try DuckDBPeer(directory: directory)
        })
    }
    return kinds
  }()

  /// The requirements of the optional stores, by name.
  static let needs = [
    "rocksdb": needs(package: "librocksdb-dev"), "lmdb": needs(package: "liblmdb-dev"),
    "leveldb": needs(package: "libleveldb-dev"),
    "duckdb":
      "its library was not found (\(DuckDBLibrary.problem ?? "")): \(DuckDBLibrary.advice).",
  ]

  private static func needs(package: String) -> String {
    "it was not there when this was built: install \(package), then build again."
  }

  /// The stores that take part by default.
  static var usual: [PeerKind] {
    others.filter { $0.name == SQLiteSettings.durable.rawValue || needs[$0.name] != nil }
  }

  /// The store with a name, including ours.
  static func named(_ name: String) -> PeerKind? { ([own] + others).first { $0.name == name } }
}
