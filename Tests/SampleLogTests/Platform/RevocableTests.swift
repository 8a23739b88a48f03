import Foundation
import Synchronization
import Testing

@testable import SampleLog

@Suite struct RevocableTests {
  private final class Object: Sendable {
    let number: Int
    private let end: @Sendable () -> Void

    init(_ number: Int, end: @escaping @Sendable () -> Void = {}) {
      self.number = number
      self.end = end
    }

    deinit { end() }
  }

  /// The state that several threads share.
  private final class Shared: Sendable {
    let place = Revocable<Object>()
    private let ended = Atomic(false)

    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func end() { ended.store(true, ordering: .releasing) }
  }

  @Test func `A stored object stays until it is taken, and there is one at a time`() {
    let place = Revocable<Object>()
    #expect(place.withObject { $0.number } == nil)
    let isNew = [place.put(Object(1)), place.put(Object(2))]
    #expect(isNew == [true, false])
    #expect(place.withObject { $0.number } == 1)
    place.take()
    #expect(place.withObject { $0.number } == nil)
    let isNewAgain = place.put(Object(3))
    #expect(isNewAgain)
    #expect(place.withObject { $0.number } == 3)
  }

  @Test func `A use sets the mark until the mark is taken`() {
    let place = Revocable<Object>()
    _ = place.put(Object(1))
    let fresh = place.takeReferenceBit()
    _ = place.withObject { $0.number }
    let marks = [fresh, place.takeReferenceBit(), place.takeReferenceBit()]
    #expect(marks == [false, true, false])
  }

  @Test func `An object lives as long as its slot, and no longer`() {
    let shared = Shared()
    do {
      let place = Revocable<Object>()
      _ = place.put(Object(1) { shared.end() })
      #expect(!shared.hasEnded)
      #expect(place.withObject { $0.number } == 1)
    }
    #expect(shared.hasEnded)
  }

  @Test func `Revoking waits for current users and admits no new ones`() {
    let shared = Shared()
    _ = shared.place.put(Object(7) { shared.end() })
    let taken = DispatchSemaphore(value: 0)
    let seen = shared.place.withObject { object in
      Thread.detachNewThread {
        shared.place.take()
        taken.signal()
      }
      // From now on no other thread gets the object: the revoking thread has begun to wait.
      while shared.place.withObject({ _ in }) != nil { sched_yield() }
      var isAlive = true
      for _ in 0..<1000 {
        isAlive = isAlive && !shared.hasEnded
        sched_yield()
      }
      return isAlive ? object.number : nil
    }
    taken.wait()
    #expect(seen == .some(.some(7)))
    #expect(shared.hasEnded)
    #expect(shared.place.withObject { _ in } == nil)
  }

  @Test func `Many threads use the objects that one thread stores and revokes`() {
    let shared = Shared()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for turn in 0..<20_000 {
        if thread == 0 {
          _ = shared.place.put(Object(turn))
          shared.place.take()
        } else {
          let number = shared.place.withObject { $0.number }
          #expect(number.map { 0..<20_000 ~= $0 } ?? true)
        }
      }
    }
    #expect(shared.place.withObject { _ in } == nil)
  }
}
