/// The samples that an expiry deleted.
public struct ExpiryResult: Hashable, Sendable {
  /// The number of expired samples of one subject and type.
  public struct Series: Hashable, Sendable {
    /// The name of the subject.
    public var subject: String
    /// The name of the type.
    public var type: String
    /// The number of samples.
    public var sampleCount: Int
  }

  /// The subjects and types with expired samples, sorted by name.
  public internal(set) var series: [Series] = []
  /// The number of commits, each of which appears in the feed atomically; 0 if nothing was deleted.
  public internal(set) var commitCount = 0

  /// The total number of samples.
  public var sampleCount: Int { series.reduce(0) { $0 + $1.sampleCount } }
}
