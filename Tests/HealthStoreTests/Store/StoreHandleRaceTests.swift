import Foundation
import SampleLog
import SampleLogSimulation
import Testing

@testable import HealthStore

/// Handles that threads open and release while stores become idle and close.
@Suite struct StoreHandleRaceTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `samples saved through short-lived handles survive, whenever stores close`(
    seed: UInt64
  ) throws {
    let directory = StoreDirectory()
    let urls = (0..<3).map { directory.url.appendingPathComponent("\($0)") }
    // A thread of its own advances the clock at any moment.
    let clock = ManualClock()
    let registry = StoreRegistry(clock: clock.clock, maximumIdleCount: 2)
    let isOver = Locked(false)
    let saved = Locked<[[Double]]>([[], [], []])
    let work = DispatchGroup()
    for number in 0..<4 {
      work.enter()
      Thread.detachNewThread {
        defer { work.leave() }
        var random = Seeded(mixing: seed, UInt64(number))
        for step in 0..<40 {
          let index = random.below(urls.count)
          let value = Double(number * 1000 + step)
          do {
            switch random.below(8) {
            case 0:
              var options = Database.Options()
              options.sealRowCount = 1 + random.below(3)
              _ = try registry.open(urls[index], options: options)
            case 1:
              // A database of the engine's is refused as long as there are handles.
              let database = try Database(path: urls[index].path)
              try database.close()
            case 2:
              _ = try registry.open(urls[index], mode: .readOnly)
            default:
              let store = try registry.open(urls[index])
              try store.save([heartBeat(value)], subject: "")
              saved.withLock { $0[index].append(value) }
            }
          } catch is HKStoreOptionsError {
          } catch StoreError.locked {
          } catch StoreError.notAStore {
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    let ticking = DispatchGroup()
    ticking.enter()
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) {
        clock.advance(by: 1)
        sched_yield()
      }
      ticking.leave()
    }
    work.wait()
    isOver.withLock { $0 = true }
    ticking.wait()
    clock.advance(by: 10)
    registry.settle()
    #expect(registry.openCount == 0)
    for (index, url) in urls.enumerated() {
      let expected = saved.withLock { $0[index].sorted() }
      #expect(!expected.isEmpty)
      let database = try Database(path: url.path)
      let found = try HKHealthStore(database: database).savedBeats()
      #expect(found.sorted() == expected)
      try database.close()
    }
  }
}

extension HKHealthStore {
  /// The values of all heart rates.
  fileprivate func savedBeats() throws -> [Double] {
    let reader = StoreReader(try location.open(), subject: subject)
    let samples: [HKQuantitySample] = try reader.samples(
      reader.plan([(testHeartRate, try SampleCondition(nil))]), order: SampleOrder([]), limit: 0)
    return samples.map { $0.quantity.doubleValue(for: testBeats) }
  }
}
