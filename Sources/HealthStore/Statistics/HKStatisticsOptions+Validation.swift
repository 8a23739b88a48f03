extension HKStatisticsOptions {
  /// The options themselves, or why statistics of a type cannot have them.
  ///
  /// A sum is for cumulative types; average, minimum and maximum are for discrete ones. The rest
  /// goes with every type.
  ///
  /// Our addition: HealthKit raises an exception when the query is made, and so do our queries end
  /// the process. Ask here first where the options or the type come from outside.
  ///
  /// - Throws: ``HKStatisticsError/optionNotAllowed(type:option:)``, for the first such option.
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

  /// Ends the process where `validated(for:)` throws.
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
