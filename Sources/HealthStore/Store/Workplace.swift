/// Where work that may wait for a disk is done: on threads of its own, unless a test says where.
enum Workplace {
  typealias Run = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Takes the work of the tasks within, in place of real threads.
  @TaskLocal static var simulated: Run?
}
