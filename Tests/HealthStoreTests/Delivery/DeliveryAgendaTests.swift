import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct DeliveryAgendaTests {
  @Test(arguments: 0..<8)
  func `Entries come out in order of time and never early`(seed: UInt64) {
    var random = Seeded(mixing: seed)
    var agenda = DeliveryAgenda()
    var times: [Double] = []
    for step in 0..<500 {
      if random.once(in: 3) {
        let now = Double(random.drawn(below: 100))
        let key = agenda.removeFirst(by: now)
        let first = times.min().flatMap { $0 <= now ? $0 : nil }
        #expect((key == nil) == (first == nil))
        guard let first, let index = times.firstIndex(of: first) else { continue }
        #expect(key?.subject == Symbol(first))
        times.remove(at: index)
      } else {
        let time = Double(random.drawn(below: 100))
        agenda.add(time, SeriesKey(subject: Symbol(time), type: Symbol(step)))
        times.append(time)
      }
      #expect(agenda.next == times.min())
      #expect(agenda.count == times.count)
    }
  }
}
