/// A line of output from a writer to the process that will kill it.
package enum TortureLine: Equatable, Sendable {
  /// The store is open; `end` is its end.
  case opened(end: UInt64)
  /// An operation is about to save `size` samples and to delete those of other operations.
  case begun(operation: UInt64, size: Int, isDurable: Bool, deleting: [UInt64])
  /// An operation was acknowledged with these sequence numbers.
  case done(operation: UInt64, first: UInt64, last: UInt64)
  /// An operation failed and must never become visible.
  case failed(operation: UInt64, reason: String)
  /// A subscription is about to be acknowledged.
  case confirming(UInt64)
  /// A subscription was acknowledged.
  case confirmed(UInt64)
  /// A registration is about to be acknowledged.
  case delivering(UInt64)
  /// A registration was acknowledged.
  case delivered(UInt64, isDurable: Bool)
  /// Everything up to `end` is durable.
  case flushed(end: UInt64)
  /// The number of samples that the writer reads when it ends.
  case read(count: Int)
  /// Another event to count, such as a sealing, a compaction or a failure of either.
  case note(String)

  package init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: false)
    func number(_ index: Int) -> UInt64? { index < words.count ? UInt64(words[index]) : nil }
    switch (words.first ?? "", words.count) {
    case ("opened", 2): self = .opened(end: number(1) ?? 0)
    case ("begun", 5):
      guard let operation = number(1), let size = number(2) else { return nil }
      self = .begun(
        operation: operation, size: Int(size), isDurable: words[3] == "durable",
        deleting: words[4].split(separator: ",").compactMap { UInt64($0) })
    case ("done", 4):
      guard let operation = number(1), let first = number(2), let last = number(3) else {
        return nil
      }
      self = .done(operation: operation, first: first, last: last)
    case ("failed", 3...):
      guard let operation = number(1) else { return nil }
      self = .failed(operation: operation, reason: words[2...].joined(separator: " "))
    case ("confirming", 2): self = .confirming(number(1) ?? 0)
    case ("confirmed", 2): self = .confirmed(number(1) ?? 0)
    case ("delivering", 2): self = .delivering(number(1) ?? 0)
    case ("delivered", 3):
      self = .delivered(number(1) ?? 0, isDurable: words[2] == "durable")
    case ("flushed", 2): self = .flushed(end: number(1) ?? 0)
    case ("read", 2): self = .read(count: Int(number(1) ?? 0))
    case ("note", 2...): self = .note(words[1...].joined(separator: " "))
    default: return nil
    }
  }

  package var text: String {
    switch self {
    case .opened(let end): "opened \(end)"
    case .begun(let operation, let size, let isDurable, let deleting):
      "begun \(operation) \(size) \(isDurable ? "durable" : "buffered") "
        + deleting.map(String.init).joined(separator: ",")
    case .done(let operation, let first, let last): "done \(operation) \(first) \(last)"
    case .failed(let operation, let reason): "failed \(operation) \(reason)"
    case .confirming(let sequence): "confirming \(sequence)"
    case .confirmed(let sequence): "confirmed \(sequence)"
    case .delivering(let sequence): "delivering \(sequence)"
    case .delivered(let sequence, let isDurable):
      "delivered \(sequence) \(isDurable ? "durable" : "buffered")"
    case .flushed(let end): "flushed \(end)"
    case .read(let count): "read \(count)"
    case .note(let text): "note \(text)"
    }
  }
}
