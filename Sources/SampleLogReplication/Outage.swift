/// Decides when to report that a stream does not answer.
struct Outage {
  /// The number of consecutive failures at which the stream counts as unreachable.
  ///
  /// Fewer may result from lost or stale answers.
  let limit: Int
  private var count = 0
  /// The number of failures at which a changed reason is reported.
  private var next: Int
  private var reported: String?

  /// Whether the outage has been reported.
  var hasBeenReported: Bool { reported != nil }

  init(limit: Int) {
    self.limit = limit
    next = limit
  }

  /// Records a failure.
  ///
  /// A changed reason is reported again, but more and more rarely: a server that was down may
  /// refuse the connection afterwards, and the reasons may alternate.
  ///
  /// - Returns: The reason to report, or nil if there is nothing new to report.
  mutating func fail(_ reason: @autoclosure () -> String) -> String? {
    count += 1
    guard count >= next else { return nil }
    let reason = reason()
    next = 2 * count
    if reason == reported { return nil }
    reported = reason
    return reason
  }

  /// Records an answer.
  ///
  /// - Returns: Whether an outage that was reported has ended.
  mutating func end() -> Bool {
    defer { self = Outage(limit: limit) }
    return hasBeenReported
  }
}
