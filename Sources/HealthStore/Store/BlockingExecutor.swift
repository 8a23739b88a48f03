import Dispatch

/// Where work that may wait for a disk is done: on threads of its own, unless a test says where.
///
/// A structure, because a task-local value that is a function has a type of the optimizer's making
/// that Swift 6.3's runtime does not know, and setting it crashes.
struct BlockingExecutor: Sendable {
  typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Takes the work of the tasks within, in place of real threads.
  @TaskLocal static var simulated: BlockingExecutor?

  /// Where work is done that no caller waits for.
  static var current: BlockingExecutor { simulated ?? pool }

  static let pool = BlockingExecutor(run: WorkerPool.shared.async)

  /// Where reads for async callers run, so that Swift's own threads are never blocked.
  static let readers: BlockingExecutor = {
    let queue = DispatchQueue(label: "healthstore.read", attributes: .concurrent)
    return BlockingExecutor { queue.async(execute: $0) }
  }()

  let run: Run
}
