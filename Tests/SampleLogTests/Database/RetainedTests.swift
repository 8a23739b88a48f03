import Foundation
import SampleLogSimulation
import Testing

@testable import SampleLog

/// The memory of a database depends on its contents, not on the number of past commits.
///
/// `make histories` tests the same with a hundred thousand commits.
@Suite struct RetainedTests {
  @Test func `Many commits with every option set leave no more memory than a few`() throws {
    let commits = try RepeatedCommits()
    let before = try commits.run(500)
    #expect(before.sizes.count > 20)
    let after = try commits.run(3000)
    #expect(after.growth(since: before, allowing: 8) == [])
  }

  @Test func `The hook for deletions is called at a constant stack depth`()
    throws
  {
    let database = try Database.inMemory()
    let depths = Locked<[Int]>([])
    database.addCommitHook { _, _ in
      let depth = Thread.callStackReturnAddresses.count
      depths.withLock { $0.append(depth) }
      return []
    }
    for number in 0..<20 as Range<UInt64> {
      let id = Identifier(high: 1, low: number)
      var batch = Batch()
      batch.add(to: database.key("heartRate"), id: id, start: 0, value: 1)
      try database.commit(batch)
      batch = Batch()
      batch.delete(id)
      try database.commit(batch)
    }
    #expect(depths.withLock { $0.count } == 20)
    #expect(Set(depths.withLock { $0 }).count == 1)
  }

  @Test func `A growing collection is detected in any object`() {
    final class Inner { var rows: [SeriesKey: Set<Int>] = [:] }
    struct Outer {
      var inner: Inner? = Inner()
      var names = Locked<[[UInt8]]>([])
    }
    let outer = Outer()
    let before = Footprint(of: outer)
    for number in 0..<20 {
      outer.inner?.rows[SeriesKey(subject: 0, type: 0), default: []].insert(number)
    }
    #expect(Footprint(of: outer).growth(since: before, allowing: 8).count == 1)
    outer.names.withLock { $0 = Array(repeating: [], count: 20) }
    #expect(Footprint(of: outer).growth(since: before, allowing: 8).count == 2)
  }
}
