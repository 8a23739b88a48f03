import Foundation
import SampleLog
import SampleLogNATS
import SampleLogReplication

/// Checks that real servers keep the contract of `StreamTransport`.
struct TransportCheck {
  let servers: NATSServers

  func run(restarts: Int) throws {
    // Every append must be answered, even on a busy machine.
    let stream = try servers.connect(to: Identifier(), answerTimeout: 20)
    try expect(try stream.end() == 0, "a new stream has messages")
    try expect(try stream.read(from: 1, limit: 10).isEmpty, "a new stream is not empty")
    try expectations(stream)
    try manyMessages(stream)
    try lease()
    try reports()
    try trim(stream)
    try absence()
    for _ in 0..<restarts { try restart() }
    if restarts > 0 {
      if servers.addresses.count > 1 { try spreading() }
      try lostFiles()
    }
  }

  /// A stream that is required and does not exist is an error.
  private func absence() throws {
    var options = servers.options
    (options.makesStream, options.requiresStream) = (false, true)
    let storeID = Identifier()
    do {
      _ = try NATSStream.connect(to: storeID, options: options)
      throw Breach(description: "a missing stream is not reported")
    } catch NATSError.noStream(let name, _) {
      try expect(name == NATSStream.name(of: storeID), "the missing stream is \(name)")
    }
    _ = try servers.connect(to: storeID)
    _ = try NATSStream.connect(to: storeID, options: options)
  }

  /// The lease and the reports are on as many servers as the stream, even if they were on one.
  private func spreading() throws {
    var options = servers.options
    (options.makesStream, options.replicaCount) = (false, 1)
    for isEarly in [true, false] {
      let storeID = Identifier()
      if isEarly {
        // Without the stream, both buckets are on one server.
        let early = try NATSStream.connect(to: storeID, options: options)
        try expect(try early.lease(holder: "one", seconds: 4), "there is no lease")
        try early.report([1], from: "one")
      }
      _ = try servers.connect(to: storeID)
      let stream = try NATSStream.connect(to: storeID, options: options)
      try waitForServices(stream, after: "the stream was made")
      for number in servers.addresses.indices {
        servers.kill(number)
        try waitForServices(stream, after: "server \(number) was killed")
        try servers.start(number)
        try waitForServices(stream, after: "server \(number) was started")
      }
    }
  }

  /// A running primary has a lease and reports again after all servers have lost their files.
  private func lostFiles() throws {
    let stream = try servers.connect(to: Identifier())
    try waitForServices(stream, after: "the stream was made")
    for number in servers.addresses.indices { servers.kill(number) }
    for number in servers.addresses.indices { try servers.removeFiles(number) }
    for number in servers.addresses.indices { try servers.start(number) }
    try waitForServices(stream, after: "all servers lost their files")
  }

  /// Waits until the lease can be renewed and a report can be read.
  private func waitForServices(_ stream: any StreamTransport, after event: String) throws {
    _ = try servers.wait(after: event) { (try? stream.lease(holder: "one", seconds: 4)) == true }
    _ = try servers.wait(after: event) {
      (try? stream.report([1], from: "one")) != nil && (try? stream.reports()) == ["one": [1]]
    }
  }

  private func expectations(_ stream: any StreamTransport) throws {
    let large = (0..<(512 << 10) + 120).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try expect(try stream.append(large, expecting: 3) == .refused, "3 was accepted at 0")
    try expect(try stream.append(large, expecting: 0) == .accepted(1), "the first was not accepted")
    // The client library takes 0 for no expectation.
    try expect(try stream.append([2], expecting: 0) == .refused, "0 was accepted at 1")
    try expect(try stream.append([2], expecting: 1) == .accepted(2), "the second was not accepted")
    let found = try stream.read(from: 1, limit: 10)
    try expect(found.first == StreamMessage(sequence: 1, bytes: large), "the first message differs")
    let last = try stream.read(from: 2, limit: 1)
    try expect(last == [StreamMessage(sequence: 2, bytes: [2])], "the second differs: \(last)")
    try expect(try stream.read(from: 3, limit: 9).isEmpty, "messages follow the end")
    let end = try stream.end()
    try expect(end == 2, "the end is \(end)")
  }

  private func manyMessages(_ stream: any StreamTransport) throws {
    for number in 3...700 {
      let outcome = try stream.append([UInt8(number & 0xFF)], expecting: UInt64(number) - 1)
      try expect(outcome == .accepted(UInt64(number)), "\(number): \(outcome)")
    }
    var next: UInt64 = 3
    while true {
      let messages = try stream.read(from: next, limit: 64)
      if messages.isEmpty { break }
      for message in messages {
        try expect(
          message == StreamMessage(sequence: next, bytes: [UInt8(next & 0xFF)]),
          "\(message.sequence) was read in place of \(next)")
        next += 1
      }
    }
    try expect(next == 701, "reading stopped before \(next)")
  }

  private func lease() throws {
    let storeID = Identifier()
    let (one, other) = (try servers.connect(to: storeID), try servers.connect(to: storeID))
    // Long enough for the first requests, even on a busy machine.
    let seconds = 4.0
    try expect(try one.lease(holder: "one", seconds: seconds), "a free lease is refused")
    try expect(try !other.lease(holder: "other", seconds: seconds), "the lease has two holders")
    let lease = try other.status()?.lease
    try expect(lease?.holder == "one", "the holder is \(lease?.holder ?? "unknown")")
    try expect((0...longestWait).contains(lease?.age ?? -1), "its age is \(lease?.age ?? -1)")
    try expect(try one.lease(holder: "one", seconds: seconds), "the lease cannot be extended")
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while try !other.lease(holder: "other", seconds: seconds) {
      try expect(ContinuousClock.now < deadline, "the lease does not expire")
      pause(0.05)
    }
  }

  private func reports() throws {
    let storeID = Identifier()
    let (one, other) = (try servers.connect(to: storeID), try servers.connect(to: storeID))
    try expect(try one.reports().isEmpty, "a new stream has reports")
    let names = ["", "b", "a.b > * $KV ä", "host:/var/store", String(repeating: "n", count: 200)]
    for (number, name) in names.enumerated() {
      try one.report([0], from: name)
      try one.report([1, UInt8(number)], from: name)
    }
    let expected = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, [1, UInt8($0)]) })
    let deadline = ContinuousClock.now + .seconds(longestWait)
    // Any server may answer, with a stale state.
    while true {
      let reports = try other.reports()
      if reports == expected { break }
      try expect(ContinuousClock.now < deadline, "the reports are \(reports)")
      pause(0.05)
    }
    let ages = try one.status()?.reportAges ?? [:]
    try expect(Set(ages.keys) == Set(names), "the ages are \(ages)")
    try expect(ages.values.allSatisfy { (0...60).contains($0) }, "the ages are \(ages)")
  }

  private func trim(_ stream: any StreamTransport) throws {
    try stream.trim(through: 600)
    let deadline = ContinuousClock.now + .seconds(longestWait)
    // Any server may answer, with a stale state.
    while true {
      let first = try stream.read(from: 1, limit: 1).first?.sequence
      if first == 601 { break }
      try expect(ContinuousClock.now < deadline, "the first message is \(first ?? 0)")
      pause(0.05)
    }
    try expect(try stream.end() == 700, "trimming changed the end")
    let status = try stream.status()
    try expect(status?.byteLimit == 64 << 20, "the limit is \(status?.byteLimit ?? 0)")
    try expect(status?.byteCount ?? 0 > 100, "the size is \(status?.byteCount ?? 0)")
    try expect(status?.lease == nil, "the stream has a lease")
  }

  /// Kills all servers just after they have created a stream.
  ///
  /// Accepted messages must return, and an unanswered append must be present once or not at all.
  private func restart() throws {
    let storeID = Identifier()
    let stream = try servers.connect(to: storeID)
    let others = try (0..<16).map { _ in try servers.connect(to: storeID) }
    var count: UInt64 = 0
    for number in 0..<20 {
      try append([UInt8(number)], to: stream, expecting: count)
      count += 1
    }
    for number in servers.addresses.indices { servers.kill(number) }
    let outcome = (try? stream.append([99], expecting: 20)) ?? .unknown
    try expect(outcome == .unknown, "without a server an append is \(outcome)")
    for number in servers.addresses.indices { try servers.start(number) }
    let deadline = ContinuousClock.now + .seconds(longestWait)
    // Each request asks for the stream again, and would create it if it were missing.
    let group = DispatchGroup()
    for other in others {
      group.enter()
      Thread {
        Self.wait(until: deadline) { try other.append([], expecting: 0) }
        group.leave()
      }.start()
    }
    Self.wait(until: deadline) { try stream.append([99], expecting: 20) }
    group.wait()
    try expect(ContinuousClock.now < deadline, "the servers do not return")
    for number in servers.addresses.indices {
      let isMadeTwice = try servers.log(of: number).contains("duplicate assignment")
      try expect(!isMadeTwice, "server \(number) was asked to create a stream that it had")
    }
    var found: [StreamMessage] = []
    while found.count < 21 {
      let more = (try? stream.read(from: UInt64(found.count) + 1, limit: 64)) ?? []
      found += more
      try expect(ContinuousClock.now < deadline, "only \(found.count) messages are left")
    }
    let expected = (0..<20).map { [UInt8($0)] } + [[99]]
    try expect(found.map(\.bytes) == expected, "the messages differ from the accepted ones")
  }

  /// Appends a message that must be accepted, even if the answer is lost.
  private func append(
    _ bytes: [UInt8], to stream: any StreamTransport, expecting last: UInt64
  ) throws {
    var outcome = try stream.append(bytes, expecting: last)
    let deadline = ContinuousClock.now + .seconds(longestWait)
    while outcome == .unknown, ContinuousClock.now < deadline {
      outcome = try stream.append(bytes, expecting: last)
      if outcome == .refused, try stream.end() == last + 1 { return }
    }
    try expect(outcome == .accepted(last + 1), "after \(last): \(outcome)")
  }

  /// Appends until a server has confirmed the outcome.
  private static func wait(
    until deadline: ContinuousClock.Instant, _ append: () throws -> AppendOutcome
  ) {
    while ContinuousClock.now < deadline {
      if let outcome = try? append(), outcome != .unknown { return }
    }
  }
}
