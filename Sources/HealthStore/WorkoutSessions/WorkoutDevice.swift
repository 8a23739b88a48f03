import Foundation
import SampleLog

/// What records a person's workouts: a simulated watch, which has no sensors of its own.
package final class WorkoutDevice: Sendable {
  private struct State {
    /// The session that goes on, also when the program has let go of it.
    var active: WorkoutSessionCore?
    /// The sessions that were made, the latest last, while the program keeps them.
    var made: [Made] = []
    var clock: @Sendable () -> Date = { Date() }
    var launch: (@Sendable (HKWorkoutConfiguration) -> Void)?
    var mirroringHandler: (@Sendable (HKWorkoutSession) -> Void)?
  }

  private struct Made {
    weak var core: WorkoutSessionCore?
  }

  /// That of handles of the default store.
  static let standard = WorkoutDevice()

  private let state = Locked(State())

  /// Makes a device that nothing goes on with.
  package init() {}

  var now: Date { state.withLock { $0.clock }() }

  /// Sets what the device takes for the time.
  package func setClock(_ clock: @escaping @Sendable () -> Date) {
    state.withLock { $0.clock = clock }
  }

  /// What starts the program on the watch; nil where there is none.
  package var launch: (@Sendable (HKWorkoutConfiguration) -> Void)? {
    get { state.withLock { $0.launch } }
    set { state.withLock { $0.launch = newValue } }
  }

  var mirroringHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get { state.withLock { $0.mirroringHandler } }
    set { state.withLock { $0.mirroringHandler = newValue } }
  }

  /// The session that goes on.
  package var active: WorkoutSessionCore? { state.withLock { $0.active } }

  /// The session that goes on, or else the one that was made last.
  package var newest: WorkoutSessionCore? {
    state.withLock { $0.active ?? $0.made.last { $0.core != nil }?.core }
  }

  func note(_ core: WorkoutSessionCore) {
    state.withLock { state in
      state.made.removeAll { $0.core == nil }
      state.made.append(Made(core: core))
    }
  }

  /// Waits until the delegates of all sessions were called for all that happened by now.
  package func settle() async {
    for core in state.withLock({ $0.made.compactMap(\.core) }) { await core.settle() }
  }

  /// Makes a session the one that goes on, which ends the one before.
  func begin(_ core: WorkoutSessionCore) {
    let before = state.withLock { state in
      defer { state.active = core }
      return state.active
    }
    if let before, before !== core {
      before.fail(HKError.make(.errorAnotherWorkoutSessionStarted, "Another session started."))
    }
  }

  func end(_ core: WorkoutSessionCore) {
    state.withLock { if $0.active === core { $0.active = nil } }
  }
}
