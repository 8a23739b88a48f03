public import SampleLog

/// One of the stores that people are spread over.
public struct Shard: Hashable, Sendable {
  /// What it is called, in maps and errors.
  public var name: String
  /// Where its primary is: whatever your servers take for an address; nothing here connects to it.
  public var primary: String
  /// The identity of its store; nil where a map does not say, and any store will do.
  public var storeID: Identifier?

  /// Creates a shard.
  public init(name: String, primary: String, storeID: Identifier? = nil) {
    self.name = name
    self.primary = primary
    self.storeID = storeID
  }
}
