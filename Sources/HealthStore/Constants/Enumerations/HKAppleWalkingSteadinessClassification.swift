/// How steadily a person walks, by the score of `appleWalkingSteadiness`.
///
/// Apple does not publish the scores at which its classes begin. Here each has a third of the
/// scale.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
  /// Within the normal range.
  case ok = 1

  /// Below normal.
  case low = 2

  /// Far below normal.
  case veryLow = 3

  /// The class of a score.
  ///
  /// - Throws: ``HKUnitError/incompatible(from:to:)`` when the quantity is no share, and
  ///   ``HKError`` with `errorInvalidArgument` when it is not between 0 and 100 %.
  public init(for appleWalkingSteadiness: HKQuantity) throws {
    let score = try appleWalkingSteadiness.value(in: .percent())
    guard (0...1).contains(score) else {
      throw HKError.make(
        .errorInvalidArgument, "A walking steadiness is between 0 and 1, not \(score).")
    }
    self = score >= Self.okBound ? .ok : score >= Self.lowBound ? .low : .veryLow
  }

  /// The lowest score of the class, which belongs to it.
  public var minimum: HKQuantity {
    switch self {
    case .ok: HKQuantity(unit: .percent(), doubleValue: Self.okBound)
    case .low: HKQuantity(unit: .percent(), doubleValue: Self.lowBound)
    case .veryLow: HKQuantity(unit: .percent(), doubleValue: 0)
    }
  }

  /// The highest score of the class, which belongs to the next one but for ``ok``.
  public var maximum: HKQuantity {
    switch self {
    case .ok: HKQuantity(unit: .percent(), doubleValue: 1)
    case .low: Self.ok.minimum
    case .veryLow: Self.low.minimum
    }
  }

  private static let okBound = 2.0 / 3
  private static let lowBound = 1.0 / 3
}
