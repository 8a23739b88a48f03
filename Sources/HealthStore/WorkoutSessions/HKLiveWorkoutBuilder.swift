public import Foundation
import SampleLog

/// Builds the workout of a session from the samples and events that the device collects.
///
/// Created by a session. It collects while the session runs, from `beginCollection` to
/// `endCollection`.
open class HKLiveWorkoutBuilder: HKWorkoutBuilder, @unchecked Sendable {
  let core: WorkoutSessionCore
  private let weakDelegate = Locked(WeakDelegate())

  private struct WeakDelegate {
    weak var delegate: (any HKLiveWorkoutBuilderDelegate)?
  }

  init(_ core: WorkoutSessionCore) {
    self.core = core
    super.init(core.healthStore, core.configuration, .local(), core.building)
  }

  /// The delegate, which is notified of collected data; a weak reference.
  open weak var delegate: (any HKLiveWorkoutBuilderDelegate)? {
    get { weakDelegate.withLock { $0.delegate } }
    set { weakDelegate.withLock { $0.delegate = newValue } }
  }

  /// The data source, which selects the samples to collect.
  ///
  /// If nil, nothing is collected.
  open var dataSource: HKLiveWorkoutDataSource? {
    get { core.dataSource }
    set { core.dataSource = newValue }
  }

  /// Whether the session's events are added to the workout; default: true.
  open var shouldCollectWorkoutEvents: Bool {
    get { core.collectsEvents }
    set { core.collectsEvents = newValue }
  }

  /// The session, as long as the program retains it.
  open weak var workoutSession: HKWorkoutSession? { core.session }

  /// The current activity, which is the session's own unless another was begun.
  ///
  /// Nil before the session starts and after it ends.
  open var currentWorkoutActivity: HKWorkoutActivity? { core.activityOfBuilder }

  /// The time since collection began, or until it ended, in seconds and without pauses; 0 before.
  open var elapsedTime: TimeInterval { elapsedTime(at: core.device.now) }

  override func didCollect(_ samples: [HKSample]) {
    core.deliverCollected(Set(samples.map(\.sampleType)))
  }

  override func didCollectEvents() { core.deliverEvents() }
}
