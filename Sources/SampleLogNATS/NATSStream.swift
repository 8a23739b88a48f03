public import SampleLog
public import SampleLogReplication

/// Streams of stores on NATS servers, stored by JetStream.
public enum NATSStream {
  /// Whether the program was built with the package's trait `NATS`.
  public static var isBuilt: Bool {
    #if NATS
      true
    #else
      false
    #endif
  }

  /// Connects to the stream of a store, and creates it if it does not exist and the options allow
  /// it.
  ///
  /// The connection is re-established whenever it breaks, as long as the transport exists, with the
  /// files for TLS and credentials as they are then. The transport is thread-safe.
  ///
  /// - Parameters:
  ///   - storeID: The identity of the store.
  ///   - options: Options for connecting to the servers.
  /// - Returns: The transport, for a `Primary` or a `Replica`.
  /// - Throws: ``NATSError/notBuilt``, ``NATSError/unreachable(server:reason:)``,
  ///   ``NATSError/unauthorized(server:credentials:reason:)``,
  ///   ``NATSError/untrusted(server:reason:)``, ``NATSError/unusableFile(path:reason:)``,
  ///   ``NATSError/noStream(name:server:)`` if the options require the stream, and
  ///   ``NATSError/refused(operation:reason:)`` if the stream cannot be created.
  public static func connect(
    to storeID: Identifier, options: NATSOptions
  ) throws -> any StreamTransport {
    #if NATS
      let transport = NATSTransport(try NATSConnection(options), name(of: storeID))
      if options.makesStream {
        try transport.waitForStream()
      } else if options.requiresStream {
        try transport.requireStream()
      }
      return RenewingTransport(transport)
    #else
      throw NATSError.notBuilt
    #endif
  }

  /// Returns the name of a store's stream: `HS_` and 32 hexadecimal digits.
  public static func name(of storeID: Identifier) -> String {
    "HS_" + storeID.description.filter { $0 != "-" }
  }

  /// Returns the identity of the store whose stream has a name, or nil if no stream has that name.
  public static func storeID(ofStream name: String) -> Identifier? {
    let digits = name.dropFirst(3)
    guard let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.dropFirst(16), radix: 16)
    else { return nil }
    let storeID = Identifier(high: high, low: low)
    return self.name(of: storeID) == name ? storeID : nil
  }
}
