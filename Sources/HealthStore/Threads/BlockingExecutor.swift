import Dispatch

/// An executor for work that may block on disk I/O.
///
/// Tests can replace it to run work deterministically.
///
/// This is a structure, not a closure type, because Swift 6.3's runtime crashes when a task-local
/// value is a function type that the optimizer has specialised.
struct BlockingExecutor: Sendable {
  typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The executor that tests install for a task tree, in place of real threads.
  @TaskLocal static var simulated: BlockingExecutor?

  /// The executor for background work.
  static var current: BlockingExecutor { simulated ?? pool }

  static let pool = BlockingExecutor(run: WorkerPool.shared.async)

  /// The executor for reads on behalf of async callers, which keeps Swift's cooperative threads
  /// from blocking.
  static let readers: BlockingExecutor = {
    let queue = DispatchQueue(label: "healthstore.read", attributes: .concurrent)
    return BlockingExecutor { queue.async(execute: $0) }
  }()

  let run: Run
}
