/// A store that can take part, and how to open it.
struct PeerKind: Sendable {
  /// What the command line and the table call it.
  let name: String
  /// Opens the store in a directory that exists, filling it when it is empty.
  let open: @Sendable (_ directory: String) throws -> any BenchmarkPeer

  /// Our own stores, which always take part; the first is what the others are compared with.
  static let own: [PeerKind] = [
    PeerKind(name: "healthstore") { try HealthStorePeer(directory: $0) }
  ]

  /// The stores that take part when `--against` names them.
  static let others: [PeerKind] = SQLiteSettings.allCases.map { settings in
    PeerKind(name: settings.rawValue) { try SQLitePeer(directory: $0, settings: settings) }
  }
}
