extension HKStateOfMind {
  /// Which time a state of mind is about.
  public enum Kind: Int, Hashable, Sendable {
    /// What is felt at the moment.
    case momentaryEmotion = 1

    /// How the day was.
    case dailyMood = 2
  }

  /// How pleasant a state of mind is, by its valence.
  ///
  /// Apple does not publish the valences at which its seven classes begin. Here each has a seventh
  /// of the scale from -1 to 1, the lower bound included.
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

    /// The class of a valence; nil outside of -1 to 1.
    public init?(valence: Double) {
      guard (-1...1).contains(valence) else { return nil }
      self.init(rawValue: min(Int((valence + 1) * 3.5), 6) + 1)
    }
  }
}
