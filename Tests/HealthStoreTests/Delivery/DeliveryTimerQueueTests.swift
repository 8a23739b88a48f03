import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct DeliveryTimerQueueTests {
  @Test(arguments: 0..<8)
  func `Entries come out in order of time and never early`(seed: UInt64) {
    var random = Seeded(mixing: seed)
    var timers = DeliveryTimerQueue()
    var times: [Double] = []
    for step in 0..<500 {
      if random.once(in: 3) {
        let now = Double(random.drawn(below: 100))
        let key = timers.removeFirst(by: now)
        let first = times.min().flatMap { $0 <= now ? $0 : nil }
        #expect((key == nil) == (first == nil))
        guard let first, let index = times.firstIndex(of: first) else { continue }
        #expect(key?.subject == Symbol(first))
        times.remove(at: index)
      } else {
        let time = Double(random.drawn(below: 100))
        timers.add(time, SeriesKey(subject: Symbol(time), type: Symbol(step)))
        times.append(time)
      }
      #expect(timers.next == times.min())
      #expect(timers.count == times.count)
    }
  }
}
