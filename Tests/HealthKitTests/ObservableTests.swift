import Foundation
import HealthKit

/// A model as an app has it, in a file that imports no Observation.
@Observable final class StepModel {
  var steps = 0
  @ObservationIgnored var reads = 0
}

// Apple's HealthKit brings Observation in.
func changes(of model: StepModel, _ note: @escaping @Sendable () -> Void) -> Int {
  withObservationTracking {
    model.steps
  } onChange: {
    note()
  }
}
