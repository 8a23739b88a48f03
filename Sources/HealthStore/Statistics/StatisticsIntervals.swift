/// Numbered intervals that follow one another and cover all of time.
protocol StatisticsIntervals {
  /// The number of the interval that holds a time: the last that begins then or before.
  func index(at time: Double) -> Int

  /// When an interval begins, which is when the one before it ends; never falls with the number.
  ///
  /// Negative or positive infinity where no interval begins any more.
  func start(of index: Int) -> Double
}

/// The only interval of a single statistics query, in which every sample counts whole.
struct WholeTime: StatisticsIntervals {
  func index(at time: Double) -> Int { 0 }

  func start(of index: Int) -> Double { index <= 0 ? -.infinity : .infinity }
}
