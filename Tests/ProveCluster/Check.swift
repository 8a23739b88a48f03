import SampleLog
import SampleLogReplication

/// The timeout of waits for events that should happen soon, in seconds: a machine may be busy.
let longestWait = 240.0

/// A violated expectation of servers or stores.
struct Breach: Error, CustomStringConvertible {
  var description: String
}

func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
  if !condition { throw Breach(description: sentence()) }
}

extension Replica {
  /// Applies messages until there are no more and the store has reached the given end.
  func catchUp(to end: UInt64 = 0, within seconds: Double = longestWait) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      if try step() == .idle {
        if database.end >= end { return }
        try expect(
          ContinuousClock.now < deadline, "a replica is stuck at \(database.end) of \(end)")
        pause(0.001)
      }
    }
  }
}

extension Promotion {
  /// Steps until the replica is the primary.
  func finish(within seconds: Double = longestWait) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      do {
        if try step() == .promoted { return }
      } catch let error where ContinuousClock.now < deadline {
        if error is ReplicationError { throw error }
      }
      try expect(ContinuousClock.now < deadline, "the promotion does not complete")
      pause(0.001)
    }
  }
}

extension Database {
  /// A batch of heart rates of one person, the first at a start.
  func batch(_ count: Int, from start: Double) -> Batch {
    var batch = Batch()
    let key = SeriesKey(subject: symbols.intern("ada"), type: symbols.intern("heartRate"))
    for index in 0..<count {
      let time = start + Double(index)
      // Identifiers are not random, because random ones cost a system call each.
      batch.add(
        to: key, id: Identifier(high: 7, low: UInt64(time)), start: time,
        value: 60 + Double(index % 40))
    }
    return batch
  }

  /// The start dates of all samples, by sequence number.
  var starts: [UInt64: Double] {
    get throws {
      let snapshot = snapshot()
      return Dictionary(
        try snapshot.select(snapshot.series).map {
          ($0.block.sequence[$0.row], $0.block.start[$0.row])
        }
      ) { first, _ in first }
    }
  }
}
