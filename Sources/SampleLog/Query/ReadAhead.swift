internal import Dispatch

/// Work on items whose results one thread takes in order, while others work on those that follow.
///
/// Who takes the results works, too, where nobody has begun, so that nothing waits for a thread
/// that is not there.
final class ReadAhead<Item: Sendable, Value: Sendable>: @unchecked Sendable {
  private enum Stage {
    case waiting
    case begun
    case done(Result<Value, any Error>)
  }

  private let work: @Sendable (Item) throws -> Value
  private let monitor = Monitor()
  // Guarded by the monitor. Numbers of items count from the first that was ever added.
  private var items: [(item: Item, stage: Stage)] = []
  private var taken = 0
  private var begun = 0
  private var helpers = 0
  private var working = 0
  private var isStopped = false

  init(_ work: @escaping @Sendable (Item) throws -> Value) { self.work = work }

  /// How many results have not been taken.
  var count: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return items.count
  }

  /// Adds items behind the others.
  func add(_ more: [Item]) {
    monitor.lock()
    items += more.map { ($0, .waiting) }
    // The first item is the caller's own; with more threads than processors they would be in each
    // other's way.
    let wanted = min(processorCount - 1, taken + items.count - begun - 1)
    let missing = max(0, wanted - helpers)
    helpers += missing
    monitor.unlock()
    for _ in 0..<missing { DispatchQueue.global().async { self.help() } }
  }

  /// Returns the next result; nil when there is no item left.
  func next() throws -> Value? {
    monitor.lock()
    defer { monitor.unlock() }
    while let first = items.first {
      if case .done(let result) = first.stage {
        items.removeFirst()
        taken += 1
        return try result.get()
      }
      if !workOnOne() { monitor.wait() }
    }
    return nil
  }

  /// Sees to it that nobody works any more.
  func stop() {
    monitor.lock()
    isStopped = true
    while working > 0 { monitor.wait() }
    monitor.unlock()
  }

  private func help() {
    monitor.lock()
    working += 1
    while !isStopped, workOnOne() {}
    working -= 1
    helpers -= 1
    monitor.broadcast()
    monitor.unlock()
  }

  /// Works on the first item that nobody has begun; gives the lock up meanwhile.
  private func workOnOne() -> Bool {
    let number = begun
    guard number < taken + items.count else { return false }
    begun += 1
    items[number - taken].stage = .begun
    let item = items[number - taken].item
    monitor.unlock()
    let result = Result { try work(item) }
    monitor.lock()
    items[number - taken].stage = .done(result)
    if number == taken { monitor.broadcast() }
    return true
  }
}
