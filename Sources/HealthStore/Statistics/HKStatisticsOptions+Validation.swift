extension HKStatisticsOptions {
  /// Returns the options, or throws if statistics of a type do not support them.
  ///
  /// Sums require a cumulative type. Average, minimum and maximum require a discrete type. All
  /// other options apply to every type.
  ///
  /// This is an addition: HealthKit raises an exception when the query is created, and the queries
  /// of this library trap. Validate options or types that come from an untrusted source with this
  /// method first.
  ///
  /// - Throws: ``HKStatisticsError/optionNotAllowed(type:option:)`` for the first unsupported
  ///   option.
  public func validated(
    for quantityType: HKQuantityType
  ) throws(HKStatisticsError) -> HKStatisticsOptions {
    let isCumulative = quantityType.aggregationStyle == .cumulative
    let forbidden = isCumulative ? Self.forDiscreteTypes : Self.forCumulativeTypes
    for (option, name) in forbidden where contains(option) {
      throw .optionNotAllowed(type: quantityType.identifier, option: name)
    }
    return self
  }

  /// Traps if `validated(for:)` throws.
  func trapUnlessAllowed(for quantityType: HKQuantityType) {
    do {
      _ = try validated(for: quantityType)
    } catch {
      fatalError("\(error)")
    }
  }

  private static let forCumulativeTypes: [(HKStatisticsOptions, String)] = [
    (.cumulativeSum, "cumulativeSum")
  ]

  private static let forDiscreteTypes: [(HKStatisticsOptions, String)] = [
    (.discreteAverage, "discreteAverage"), (.discreteMin, "discreteMin"),
    (.discreteMax, "discreteMax"),
  ]
}
