import Foundation
import HealthKit

/// A model like an app's, in a file that does not import Observation.
@Observable final class StepModel {
  var steps = 0
  @ObservationIgnored var reads = 0
}

// Apple's HealthKit re-exports Observation.
func changes(of model: StepModel, _ note: @escaping @Sendable () -> Void) -> Int {
  withObservationTracking {
    model.steps
  } onChange: {
    note()
  }
}
