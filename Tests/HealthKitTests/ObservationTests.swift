import Synchronization
import Testing

/// Observation, which HealthKit re-exports.
@Suite struct ObservationTests {
  @Test func `a model in a file that imports only HealthKit is observable`() {
    let model = StepModel()
    let count = Mutex(0)
    #expect(changes(of: model) { count.withLock { $0 += 1 } } == 0)
    model.reads = 1
    #expect(count.withLock { $0 } == 0)
    model.steps = 7
    #expect(count.withLock { $0 } == 1)
  }
}
