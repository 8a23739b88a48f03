public import SampleLog
public import SampleLogReplication

/// The streams of stores on NATS servers, whose JetStream keeps them.
public enum NATSStream {
  /// Whether this program was built with the package's trait `NATS`.
  public static var isBuilt: Bool {
    #if NATS
      true
    #else
      false
    #endif
  }

  /// Connects to the stream of a store, and makes it where there is none if the options say so.
  ///
  /// The connection is made again whenever it breaks, as long as the transport lives. Calls may
  /// come from any thread.
  ///
  /// - Parameters:
  ///   - storeID: The store's identity.
  ///   - options: Where the servers are.
  /// - Returns: The stream, for a `Primary` or a `Replica`.
  /// - Throws: ``NATSError/notBuilt``, ``NATSError/unreachable(server:reason:)``, and
  ///   ``NATSError/refused(operation:reason:)`` when the stream cannot be made.
  public static func connect(
    to storeID: Identifier, options: NATSOptions
  ) throws -> any StreamTransport {
    #if NATS
      return try NATSTransport(NATSConnection(options), name(of: storeID))
    #else
      throw NATSError.notBuilt
    #endif
  }

  /// The name of a store's stream: `HS_` and 32 hexadecimal digits.
  public static func name(of storeID: Identifier) -> String {
    "HS_" + storeID.description.filter { $0 != "-" }
  }
}
