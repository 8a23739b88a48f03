/// Where work that may wait for a disk is done: on threads of its own, unless a test says where.
///
/// A structure, because a task-local value that is a function has a type of the optimizer's making
/// that Swift 6.3's runtime does not know, and setting it crashes.
struct BlockingExecutor: Sendable {
  typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Takes the work of the tasks within, in place of real threads.
  @TaskLocal static var simulated: BlockingExecutor?

  let run: Run
}
