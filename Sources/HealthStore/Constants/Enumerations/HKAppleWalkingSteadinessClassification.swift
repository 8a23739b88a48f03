/// A classification of walking steadiness, by the score of `appleWalkingSteadiness`.
///
/// Apple does not document the bounds of its classes. Here each class covers a third of the scale.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
  /// Within the normal range.
  case ok = 1

  /// Below normal.
  case low = 2

  /// Far below normal.
  case veryLow = 3

  /// Classifies a score.
  ///
  /// - Throws: ``HKUnitError/incompatible(from:to:)`` if the quantity is not a percentage, and
  ///   ``HKError`` with `errorInvalidArgument` if it is not between 0 and 100 %.
  public init(for appleWalkingSteadiness: HKQuantity) throws {
    let score = try appleWalkingSteadiness.value(in: .percent())
    guard (0...1).contains(score) else {
      throw HKError.make(
        .errorInvalidArgument, "A walking steadiness is between 0 and 1, not \(score).")
    }
    self = score >= Self.okBound ? .ok : score >= Self.lowBound ? .low : .veryLow
  }

  /// The inclusive lower bound of the class.
  public var minimum: HKQuantity {
    switch self {
    case .ok: HKQuantity(unit: .percent(), doubleValue: Self.okBound)
    case .low: HKQuantity(unit: .percent(), doubleValue: Self.lowBound)
    case .veryLow: HKQuantity(unit: .percent(), doubleValue: 0)
    }
  }

  /// The upper bound of the class: inclusive for ``ok``, exclusive for the other classes.
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
