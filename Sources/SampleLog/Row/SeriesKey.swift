/// What rows of one block have in common: whose data they are and of what kind.
public struct SeriesKey: Hashable, Sendable {
  /// Whose data it is.
  public var subject: Symbol
  /// What kind of data it is.
  public var type: Symbol

  /// Creates a key.
  @inlinable
  public init(subject: Symbol, type: Symbol) {
    self.subject = subject
    self.type = type
  }
}
