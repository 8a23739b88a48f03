/// The occurrence numbers, from 1, that are assigned to the samples of a file, for each content.
///
/// A file that is imported again lists its samples in the same order, so the assigned numbers are
/// mostly contiguous from 1 and an ``OccurrenceTable`` counts them. Only numbers assigned out of
/// order are stored separately.
struct SlotTable: Sendable {
  private var leading = OccurrenceTable()
  private var ahead: [UInt64: Set<UInt32>] = [:]

  /// Assigns the lowest free number of a content and returns it.
  mutating func takeNext(_ hash: SipHash128.Output) -> UInt32 {
    let number = leading.count(hash)
    if !ahead.isEmpty { catchUp(hash, number) }
    return number
  }

  /// Returns the lowest free number of a content.
  func next(_ hash: SipHash128.Output) -> UInt32 { leading.occurrences(of: hash) + 1 }

  /// Returns whether a number of a content is assigned.
  func isTaken(_ number: UInt32, of hash: SipHash128.Output) -> Bool {
    number < next(hash) || ahead[hash.low]?.contains(number) == true
  }

  /// Returns the count of assigned numbers of a content.
  func count(_ hash: SipHash128.Output) -> UInt32 {
    leading.occurrences(of: hash) + UInt32(ahead[hash.low]?.count ?? 0)
  }

  /// Assigns a free number of a content.
  mutating func take(_ number: UInt32, of hash: SipHash128.Output) {
    if number == next(hash) {
      _ = takeNext(hash)
    } else {
      ahead[hash.low, default: []].insert(number)
    }
  }

  private mutating func catchUp(_ hash: SipHash128.Output, _ last: UInt32) {
    guard var rest = ahead[hash.low] else { return }
    var last = last
    while rest.remove(last + 1) != nil { last = leading.count(hash) }
    ahead[hash.low] = rest.isEmpty ? nil : rest
  }
}
