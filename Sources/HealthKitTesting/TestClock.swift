public import HealthKit
private import Synchronization

/// A clock that a test controls.
///
/// It changes only when the test sets it. Safe to use from any thread.
public final class TestClock: Sendable {
  private let date: Mutex<Date>

  /// Creates a clock.
  ///
  /// - Parameter now: The initial time; default: Monday, 5 January 2026, 12:00 UTC.
  public init(_ now: Date = Date(timeIntervalSince1970: 1_767_614_400)) { date = Mutex(now) }

  /// The current time of the clock.
  public var now: Date {
    get { date.withLock { $0 } }
    set { date.withLock { $0 = newValue } }
  }

  /// Moves the clock forward, or back by a negative time.
  ///
  /// - Parameter seconds: The time in seconds.
  public func advance(by seconds: TimeInterval) {
    date.withLock { $0.addTimeInterval(seconds) }
  }
}
