import Foundation
internal import SampleLog

/// A cache of the last computed boundaries.
///
/// Grids with the same anchor, step and calendar share a cache, because a server computes
/// the daily totals of thousands of subjects with the same calendar.
final class KnownBoundaries: Sendable {
  private struct Owner: Sendable {
    let anchor: Date
    let step: StatisticsStep
    let calendar: Calendar
    let boundaries: KnownBoundaries
  }

  private static let owners = Locked<[Owner]>([])
  private static let limit = 8

  private let boundaries = Locked<EvenBoundaries?>(nil)

  /// The boundaries, or nil if none have been computed.
  var last: EvenBoundaries? {
    get { boundaries.withLock { $0 } }
    set { boundaries.withLock { $0 = newValue } }
  }

  /// Returns the cache of grids with these properties.
  ///
  /// Returns nil if the calendar follows the user's settings, because its boundaries may change.
  static func shared(
    _ anchor: Date, _ step: StatisticsStep, _ calendar: Calendar
  ) -> KnownBoundaries? {
    if calendar == .autoupdatingCurrent || calendar.timeZone == .autoupdatingCurrent { return nil }
    return owners.withLock { owners in
      for owner in owners where owner.anchor == anchor && owner.step == step {
        if owner.calendar == calendar { return owner.boundaries }
      }
      let new = KnownBoundaries()
      if owners.count == limit { owners.removeFirst() }
      owners.append(
        Owner(anchor: anchor, step: step, calendar: calendar, boundaries: new))
      return new
    }
  }
}
