extension HKStateOfMind {
  /// The time span that a state of mind describes.
  public enum Kind: Int, Hashable, Sendable {
    /// An emotion at the moment.
    case momentaryEmotion = 1

    /// The overall mood of the day.
    case dailyMood = 2
  }

  /// A classification of a state of mind by its valence.
  ///
  /// Apple does not document the bounds of its seven classes. Here each class covers a seventh of
  /// the scale from -1 to 1, including its lower bound.
  public enum ValenceClassification: Int, Hashable, Sendable {
    /// Very unpleasant.
    case veryUnpleasant = 1

    /// Unpleasant.
    case unpleasant = 2

    /// Slightly unpleasant.
    case slightlyUnpleasant = 3

    /// Neither pleasant nor unpleasant.
    case neutral = 4

    /// Slightly pleasant.
    case slightlyPleasant = 5

    /// Pleasant.
    case pleasant = 6

    /// Very pleasant.
    case veryPleasant = 7

    /// Classifies a valence.
    ///
    /// Returns nil if it is outside -1 to 1.
    public init?(valence: Double) {
      guard (-1...1).contains(valence) else { return nil }
      self.init(rawValue: min(Int((valence + 1) * 3.5), 6) + 1)
    }
  }
}
