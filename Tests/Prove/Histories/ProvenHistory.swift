/// A kind of seeded history.
protocol ProvenHistory: Subcommand, SendableMetatype {
  associatedtype Figures: Sendable

  /// The figures of no histories.
  static var none: Figures { get }
  /// The number of histories unless the command line says another.
  static var count: UInt64 { get }

  /// Runs the history of a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - keep: The steps to take, or nil for all.
  ///   - isLoud: Whether to print the events.
  /// - Returns: The breaches, and what adds the history to the figures.
  static func history(
    _ seed: UInt64, keep: [Int]?, isLoud: Bool
  ) -> (breaches: [String], add: (inout Figures) -> Void)

  /// Returns a small set of steps that still fails, and the number of all steps.
  static func smallest(_ seed: UInt64) -> (kept: [Int], count: Int)

  /// Returns what was tried, so that a proof that tried nothing is noticed.
  static func text(_ figures: Figures, _ count: UInt64, _ proof: HistoryProof) -> String
}
