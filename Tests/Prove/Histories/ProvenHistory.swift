/// A kind of seeded history.
protocol ProvenHistory: Subcommand, SendableMetatype {
  associatedtype Figures: Sendable

  /// The figures before the first history.
  static var none: Figures { get }
  /// The default number of histories.
  static var count: UInt64 { get }

  /// Runs the history of a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - keep: The steps to take, or nil for all.
  ///   - isLoud: Whether to print the events.
  /// - Returns: The violations, and the figures of the history.
  static func history(
    _ seed: UInt64, keep: [Int]?, isLoud: Bool
  ) -> (breaches: [String], add: (inout Figures) -> Void)

  /// Returns a small set of steps that still fails, and the number of all steps.
  static func smallest(_ seed: UInt64) -> (kept: [Int], count: Int)

  /// Returns the figures as text; a run that tried nothing is visible in them.
  static func text(_ figures: Figures, _ count: UInt64, _ proof: HistoryProof) -> String
}
