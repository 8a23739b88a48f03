internal import Dispatch

/// A queue of work items that threads process in parallel and one thread consumes in order.
///
/// The consumer also processes items that no thread has started, so progress does not depend on
/// the availability of other threads.
final class ReadAhead<Item: Sendable, Value: Sendable>: @unchecked Sendable {
  private enum Stage {
    case waiting
    case begun
    case done(Result<Value, any Error>)
  }

  private let work: @Sendable (Item) throws -> Value
  private let monitor = Monitor()
  // Guarded by the monitor. Item numbers count from the first item ever added.
  private var items: [(item: Item, stage: Stage)] = []
  private var taken = 0
  private var begun = 0
  private var helpers = 0
  private var working = 0
  private var isStopped = false

  init(_ work: @escaping @Sendable (Item) throws -> Value) { self.work = work }

  /// The number of items whose results have not been consumed.
  var count: Int {
    monitor.lock()
    defer { monitor.unlock() }
    return items.count
  }

  /// Appends items to the queue.
  func add(_ more: [Item]) {
    monitor.lock()
    items += more.map { ($0, .waiting) }
    // The consumer processes the first item itself. More threads than processors would only
    // contend.
    let wanted =
      InlineWork.isActive ? 0 : min(processorCount - 1, taken + items.count - begun - 1)
    let missing = max(0, wanted - helpers)
    helpers += missing
    monitor.unlock()
    for _ in 0..<missing { DispatchQueue.global().async { self.help() } }
  }

  /// Returns the next result, or nil if no item is left.
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

  /// Stops the helper threads and waits for them to finish.
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

  /// Processes the first unstarted item, and releases the lock while doing so.
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
