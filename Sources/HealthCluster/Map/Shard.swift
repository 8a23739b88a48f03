public import SampleLog

/// One of the stores over which subjects are distributed.
public struct Shard: Hashable, Sendable {
  /// The name of the shard in maps and errors.
  public var name: String
  /// The address of the primary, in a format that your servers define.
  ///
  /// This library does not connect to it.
  public var primary: String
  /// The identity of the shard's store.
  ///
  /// If nil, any store is accepted.
  public var storeID: Identifier?

  /// Creates a shard.
  public init(name: String, primary: String, storeID: Identifier? = nil) {
    self.name = name
    self.primary = primary
    self.storeID = storeID
  }
}
