import HealthStore
import SampleLog
import Testing

@Suite struct HandleOptionsTests {
  @Test func `options of handles and of delivery are kept, compared and independent`() {
    typealias Change = (inout HKHealthStore.Options) -> Void
    let changes: [Change] = [
      { $0.deliveryTimeout = .seconds(1) }, { $0.deliveryRetention = .seconds(1) },
      { $0.idleTimeout = .seconds(1) }, { $0.refreshInterval = .seconds(1) },
    ]
    func values(_ options: HKHealthStore.Options) -> [Duration] {
      [
        options.deliveryTimeout, options.deliveryRetention, options.idleTimeout,
        options.refreshInterval,
      ]
    }
    let defaults = HKHealthStore.Options()
    #expect(
      values(defaults) == [.seconds(60), .seconds(2_592_000), .seconds(2), .milliseconds(50)])
    for (number, change) in changes.enumerated() {
      var options = defaults
      change(&options)
      var expected = values(defaults)
      expected[number] = .seconds(1)
      #expect(values(options) == expected && options != defaults)
      let copy = options
      #expect(options == copy)
    }
    var options = defaults
    options.idleTimeout = .seconds(1)
    options.idleTimeout = .seconds(2)
    #expect(options == defaults, "set back to the default")
  }
}
