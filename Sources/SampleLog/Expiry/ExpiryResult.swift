/// What an expiry deleted, or would delete.
public struct ExpiryResult: Hashable, Sendable {
  /// Samples of one subject and type.
  public struct Series: Hashable, Sendable {
    /// Whose data it is.
    public var subject: String
    /// What kind of data it is.
    public var type: String
    /// How many samples of it.
    public var sampleCount: Int
  }

  /// The subjects and types that had samples to delete, by name.
  public internal(set) var series: [Series] = []
  /// Commits that it took, each of which is in the feed whole or not at all; 0 when nothing was
  /// deleted.
  public internal(set) var commitCount = 0

  /// Samples of all subjects and types.
  public var sampleCount: Int { series.reduce(0) { $0 + $1.sampleCount } }
}
