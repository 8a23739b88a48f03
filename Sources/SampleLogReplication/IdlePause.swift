/// The pause between two reads of a stream without new messages.
///
/// Messages often follow each other closely, and savers may wait for a replica to have them. The
/// first pauses are therefore short; then each is twice as long as the one before.
package struct IdlePause {
  /// The first pauses, in seconds.
  private static let shortest = 0.001
  /// The number of the first pauses.
  private static let shortCount = 32

  private let longest: Double
  private var count = 0
  private var seconds = shortest

  /// Creates a pause of at most a number of seconds.
  package init(longest: Double) { self.longest = longest }

  /// Returns the pause after a read that found no message, and 0 after others, in seconds.
  package mutating func next(isIdle: Bool) -> Double {
    guard isIdle else {
      self = IdlePause(longest: longest)
      return 0
    }
    count += 1
    if count > Self.shortCount { seconds = min(2 * seconds, longest) }
    return seconds
  }
}
