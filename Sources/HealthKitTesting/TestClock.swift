public import HealthKit

/// A clock that a test sets.
///
/// It stands still until the test moves it. It may be used from any thread.
public final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var date: Date

  /// Makes a clock.
  ///
  /// - Parameter now: What it shows; 5 January 2026, 12:00 UTC, a Monday, unless given.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_767_614_400)) { date = now }

  /// What the clock shows.
  public var now: Date {
    get { lock.withLock { date } }
    set { lock.withLock { date = newValue } }
  }

  /// Moves the clock forward, or back by a negative time.
  ///
  /// - Parameter seconds: How far.
  public func advance(by seconds: TimeInterval) {
    lock.withLock { date.addTimeInterval(seconds) }
  }
}
