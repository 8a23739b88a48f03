import Foundation
import SampleLog

/// A device that records a subject's workouts: a simulated watch without sensors.
package final class WorkoutDevice: Sendable {
  private struct State {
    /// The active session, retained even if the program releases it.
    var active: WorkoutSessionCore?
    /// The sessions in order of creation, as long as the program retains them.
    var made: [Made] = []
    var clock: @Sendable () -> Date = { Date() }
    var launch: (@Sendable (HKWorkoutConfiguration) -> Void)?
    var mirroringHandler: (@Sendable (HKWorkoutSession) -> Void)?
  }

  private struct Made {
    weak var core: WorkoutSessionCore?
  }

  /// The device of all handles of the default store.
  static let standard = WorkoutDevice()

  private let state = Locked(State())

  /// Creates a device without an active session.
  package init() {}

  var now: Date { state.withLock { $0.clock }() }

  package func setClock(_ clock: @escaping @Sendable () -> Date) {
    state.withLock { $0.clock = clock }
  }

  /// The function that starts the program on the watch, or nil if there is none.
  package var launch: (@Sendable (HKWorkoutConfiguration) -> Void)? {
    get { state.withLock { $0.launch } }
    set { state.withLock { $0.launch = newValue } }
  }

  var mirroringHandler: (@Sendable (HKWorkoutSession) -> Void)? {
    get { state.withLock { $0.mirroringHandler } }
    set { state.withLock { $0.mirroringHandler = newValue } }
  }

  /// The active session.
  package var active: WorkoutSessionCore? { state.withLock { $0.active } }

  /// The active session, or else the one that was created last.
  package var newest: WorkoutSessionCore? {
    state.withLock { $0.active ?? $0.made.last { $0.core != nil }?.core }
  }

  func note(_ core: WorkoutSessionCore) {
    state.withLock { state in
      state.made.removeAll { $0.core == nil }
      state.made.append(Made(core: core))
    }
  }

  /// Waits until the delegates of all sessions have been called for all events so far.
  package func settle() async {
    for core in state.withLock({ $0.made.compactMap(\.core) }) { await core.settle() }
  }

  /// Makes a session active, which ends the previous one.
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
