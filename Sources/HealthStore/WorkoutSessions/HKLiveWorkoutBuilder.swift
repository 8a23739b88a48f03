public import Foundation
import SampleLog

/// Builds the workout of a session, with the samples and events that the device collects.
///
/// A session makes it. It collects while the session runs, from `beginCollection` on until
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

  /// Receives what is collected; a weak reference.
  open weak var delegate: (any HKLiveWorkoutBuilderDelegate)? {
    get { weakDelegate.withLock { $0.delegate } }
    set { weakDelegate.withLock { $0.delegate = newValue } }
  }

  /// Says what is collected; nothing while there is none.
  open var dataSource: HKLiveWorkoutDataSource? {
    get { core.dataSource }
    set { core.dataSource = newValue }
  }

  /// Whether the session's events are added, which they are unless it is set to false.
  open var shouldCollectWorkoutEvents: Bool {
    get { core.collectsEvents }
    set { core.collectsEvents = newValue }
  }

  /// The session, while the program keeps it.
  open weak var workoutSession: HKWorkoutSession? { core.session }

  /// The activity that goes on, the session's own where none was begun; nil before the session
  /// started and after it ended.
  open var currentWorkoutActivity: HKWorkoutActivity? { core.activityOfBuilder }

  /// The seconds since collecting began, or to its end, without pauses; 0 before.
  open var elapsedTime: TimeInterval { elapsedTime(at: core.device.now) }

  override func didCollect(_ samples: [HKSample]) {
    core.deliverCollected(Set(samples.map(\.sampleType)))
  }

  override func didCollectEvents() { core.deliverEvents() }
}
