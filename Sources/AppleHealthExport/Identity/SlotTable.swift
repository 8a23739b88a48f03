/// The numbers of each content that samples of a file have, from 1 on.
///
/// A file that is read again has its samples in the same order, so the numbers that are taken lead:
/// an ``OccurrenceTable`` counts them. Only numbers that samples take out of turn are kept apart.
struct SlotTable: Sendable {
  private var leading = OccurrenceTable()
  private var ahead: [UInt64: Set<UInt32>] = [:]

  /// Takes the first free number of a content, and returns it.
  mutating func takeNext(_ hash: SipHash128.Output) -> UInt32 {
    let number = leading.count(hash)
    if !ahead.isEmpty { catchUp(hash, number) }
    return number
  }

  /// The first free number of a content.
  func next(_ hash: SipHash128.Output) -> UInt32 { leading.occurrences(of: hash) + 1 }

  /// Whether a sample has a number of a content.
  func isTaken(_ number: UInt32, of hash: SipHash128.Output) -> Bool {
    number < next(hash) || ahead[hash.low]?.contains(number) == true
  }

  /// The number of samples with a content.
  func count(_ hash: SipHash128.Output) -> UInt32 {
    leading.occurrences(of: hash) + UInt32(ahead[hash.low]?.count ?? 0)
  }

  /// Takes a free number of a content.
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
