import SampleLog
import Testing

@testable import SampleLogReplication
@testable import SampleLogSimulation

/// Copies that new replicas receive from running ones.
@Suite struct CopyTests {
  private struct Ended: Error {}

  private let stores = Stores()
  private let values: CopyValues

  init() { values = CopyValues(stores.shared) }

  /// A primary with segments and a log, all published.
  private func primary(_ count: Int = 60) throws -> (Database, Publisher) {
    let primary = try stores.open { $0.sealRowCount = 25 }
    let publisher = Publisher(primary, stores.stream)
    for value in 0..<count {
      let ids = try primary.save(Double(value), Double(value) + 0.5)
      if value % 7 == 0 { try primary.delete(ids[1]) }
    }
    try publisher.publishAll()
    return (primary, publisher)
  }

  private func source(_ database: Database, patience: Int = 0) -> CopySource {
    CopySource(database, values, patience: patience, pieceSize: 500)
  }

  @Test func `Checks with a stream that transfers no copies do not keep a store open`() throws {
    for _ in 0..<100 {
      let source = CopySource(try stores.open(), stores.shared)
      source.check()
    }
  }

  private func receive(
    _ path: String = "new", of database: Database, from sources: CopySources,
    name: String? = nil, patience: Int = 2000,
    _ onProgress: (CopyProgress) throws -> Void = { _ in }
  ) throws {
    try Replica.receive(
      database.storeID, at: path, of: "the primary", transport: values, name: name,
      patience: patience, fileSystem: stores.files
    ) { progress in
      if progress.isWaiting { try sources.step() }
      try onProgress(progress)
    }
  }

  private func names(_ path: String = "new") -> [String] {
    (stores.files.list(path) ?? []).sorted()
  }

  /// Checks that a replica follows and equals the primary.
  private func expectFollows(
    _ primary: Database, _ publisher: Publisher, at path: String = "new"
  ) throws {
    let replica = try stores.replica(path)
    try primary.save(1000)
    try publisher.publishAll()
    try replica.catchUp()
    #expect(try replica.database.historyEnd == primary.historyEnd)
    #expect(try replica.database.values == primary.values)
    try replica.close()
  }

  @Test func `A new replica receives a copy while the primary saves and compacts, and follows`()
    throws
  {
    let (primary, publisher) = try primary()
    var pieces = 0
    try receive(of: primary, from: CopySources(source(primary))) { progress in
      if progress.isWaiting { return }
      pieces += 1
      try primary.save(Double(pieces))
      if pieces % 5 == 0 { try publisher.publishAll() }
      if pieces == 6 { try primary.compact() }
    }
    #expect(pieces > 10)
    #expect(try Database(path: "new", mode: .readOnly, fileSystem: stores.files).end < primary.end)
    try expectFollows(primary, publisher)
    // A request, an offer and a window of pieces: the servers need no more space than that.
    #expect(values.valueCount == CopyMessage.window + 2)
  }

  @Test func `A copy arrives although values are lost and answers are stale`() throws {
    let (primary, publisher) = try primary()
    values.faults.oneIn = 3
    try receive(of: primary, from: CopySources(source(primary)), patience: 20_000)
    try expectFollows(primary, publisher)
  }

  @Test func `A transfer that ends at any piece leaves no file, and the next one succeeds`() throws
  {
    let (primary, publisher) = try primary(12)
    var count = 0
    var isWhole = false
    while !isWhole {
      var left = count
      do {
        try receive(of: primary, from: CopySources(source(primary))) { progress in
          if progress.isWaiting { return }
          left -= 1
          if left < 0 { throw Ended() }
        }
        isWhole = true
      } catch is Ended {
        #expect(names() == [])
      }
      count += 1
    }
    #expect(count > 4)
    try expectFollows(primary, publisher)
  }

  @Test func `A receiver that a crash ended at any piece begins again`() throws {
    let (primary, publisher) = try primary(12)
    for lost in ["UNFINISHED", "UNFINISHED 0000000000000001.log REPLICA"] {
      stores.files.createDirectory("new")
      for name in lost.split(separator: " ") {
        _ = try stores.files.open("new/\(name)", .create)
      }
      try receive(of: primary, from: CopySources(source(primary)))
      try expectFollows(primary, publisher)
      try Replica.discard("new", fileSystem: stores.files)
    }
  }

  @Test func `If the source ends at any piece, another one sends the copy from the beginning`()
    throws
  {
    let (primary, publisher) = try primary(12)
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    var count = 0
    var isWhole = false
    while !isWhole {
      let sources = CopySources(source(primary), source(other.database, patience: 50))
      var left = count
      var hasEnded = false
      let path = "new-\(count)"
      try receive(path, of: primary, from: sources) { progress in
        if progress.isWaiting { return }
        left -= 1
        if left < 0, !hasEnded {
          sources.end(0)
          hasEnded = true
        }
      }
      isWhole = !hasEnded
      try expectFollows(primary, publisher, at: path)
      try other.catchUp()
      count += 1
    }
    #expect(count > 4)
  }

  @Test func `Two receivers get copies from two sources at once, and from one in turn`() throws {
    let (primary, publisher) = try primary(12)
    let other = try stores.makeReplica("other", fromBackupOf: primary)
    let sources = CopySources(source(primary), source(other.database))
    var hasBegun = false
    try receive("one", of: primary, from: sources) { progress in
      guard progress.received > 500, !hasBegun else { return }
      hasBegun = true
      try receive("two", of: primary, from: sources)
    }
    try expectFollows(primary, publisher, at: "one")
    try expectFollows(primary, publisher, at: "two")

    let single = CopySources(source(primary))
    hasBegun = false
    try receive("three", of: primary, from: single) { progress in
      guard progress.received > 500, !hasBegun else { return }
      hasBegun = true
      #expect(throws: ReplicationError.noCopyOffered) {
        try receive("four", of: primary, from: single, patience: 100)
      }
    }
    try expectFollows(primary, publisher, at: "three")
    try receive("four", of: primary, from: single)
    try expectFollows(primary, publisher, at: "four")
  }

  @Test func `A second receiver into one directory is refused, and the first one continues`() throws
  {
    let (primary, publisher) = try primary(12)
    let sources = CopySources(source(primary))
    var refusals = 0
    try receive(of: primary, from: sources) { progress in
      if progress.isWaiting { return }
      do {
        try receive(of: primary, from: sources)
      } catch StoreError.locked {
        refusals += 1
      }
    }
    #expect(refusals > 3)
    try expectFollows(primary, publisher)
  }

  @Test func `An open replica is not replaced`() throws {
    let (primary, publisher) = try primary()
    let replica = try stores.makeReplica("new", fromBackupOf: primary)
    do {
      try receive(of: primary, from: CopySources(source(primary)))
      Issue.record("The replica was replaced.")
    } catch StoreError.locked {}
    try replica.close()
    try expectFollows(primary, publisher)
  }

  @Test func `A damaged piece is an error, and no file is left`() throws {
    let (primary, publisher) = try primary(12)
    var last = 0
    try receive("whole", of: primary, from: CopySources(source(primary))) {
      if !$0.isWaiting { last += 1 }
    }
    let changes: [(inout [UInt8]) -> Void] = [
      { $0[$0.count / 2] ^= 1 }, { $0[3] ^= 1 }, { $0.removeLast() }, { $0 = [] },
      { bytes in
        guard var piece = CopyMessage(bytes) else { return }
        piece.number += 1
        bytes = piece.encoded
      },
      { bytes in
        guard var piece = CopyMessage(bytes) else { return }
        piece.payload.removeAll()
        bytes = piece.encoded
      },
    ]
    for (index, change) in changes.enumerated() {
      for damaged in [0, 1, last - 1] {
        values.faults.change = { key, bytes in
          guard case .piece = key, CopyMessage(bytes)?.number == UInt64(damaged) else {
            return bytes
          }
          var bytes = bytes
          change(&bytes)
          return bytes
        }
        do {
          try receive(of: primary, from: CopySources(source(primary)))
          Issue.record("change \(index) of piece \(damaged) was accepted")
        } catch ReplicationError.damagedCopy {}
        #expect(names() == [])
      }
    }
    values.faults.change = { $1 }
    try receive(of: primary, from: CopySources(source(primary)))
    try expectFollows(primary, publisher)
  }

  @Test func `A file that was changed at its source does not become a replica`() throws {
    let (primary, _) = try primary()
    var pieces = 0
    try receive("whole", of: primary, from: CopySources(source(primary))) {
      if !$0.isWaiting { pieces += 1 }
    }
    for changed in 1..<pieces {
      values.faults.change = { key, bytes in
        guard case .piece = key, var piece = CopyMessage(bytes), piece.number == UInt64(changed),
          let last = piece.payload.indices.last
        else { return bytes }
        piece.payload[last] ^= 0x10
        return piece.encoded
      }
      do {
        try receive(of: primary, from: CopySources(source(primary)))
        Issue.record("a change of piece \(changed) was accepted")
      } catch StoreError.damaged {
      } catch ReplicationError.damagedCopy {}
      #expect(names() == [])
    }
  }

  @Test(arguments: [
    ["../evil.log"], ["REPLICA"], ["/etc/passwd"], ["a/0000000000000001.log"], [""],
    ["0000000000000001.log", "0000000000000001.log"],
  ])
  func `A hostile name is refused`(names: [String]) throws {
    let manifest = CopyManifest(
      end: 1, epochs: [], files: names.map { StoreFiles.Entry(name: $0, byteCount: 1) })
    do {
      _ = try CopyManifest(manifest.encoded, byteCount: UInt64(names.count))
      Issue.record("\(names) was accepted")
    } catch ReplicationError.damagedCopy {}
  }

  @Test func `A list of files with wrong lengths, or cut anywhere, is refused`() throws {
    let name = "0000000000000001.log"
    func manifest(_ counts: UInt64...) -> CopyManifest {
      CopyManifest(
        end: 1, epochs: [CopyManifest.Epoch(epoch: 1, last: 1)],
        files: zip([name, "0000000000000002.log", "0000000000000003.log"], counts).map {
          StoreFiles.Entry(name: $0, byteCount: $1)
        })
    }
    for (files, byteCount) in [
      (manifest(1), 2), (manifest(2), 1), (manifest(1 << 63, 1 << 63, 3), 3), (manifest(), 1),
    ] as [(CopyManifest, UInt64)] {
      do {
        _ = try CopyManifest(files.encoded, byteCount: byteCount)
        Issue.record("\(files) was accepted")
      } catch ReplicationError.damagedCopy {}
    }
    let whole = manifest(1, 2)
    #expect(try CopyManifest(whole.encoded, byteCount: 3) == whole)
    for count in 0..<whole.encoded.count {
      do {
        _ = try CopyManifest(Array(whole.encoded.prefix(count)), byteCount: 3)
        Issue.record("\(count) bytes were accepted")
      } catch ReplicationError.damagedCopy {}
    }
  }

  @Test func `A replica that needs a backup is replaced by a copy`() throws {
    let (primary, publisher) = try primary()
    let old = try stores.makeReplica("new", fromBackupOf: primary)
    try old.catchUp()
    for value in 0..<8 {
      try primary.save(Double(value))
      try publisher.publishAll()
    }
    try stores.stream.trim(through: stores.stream.last - 1)
    #expect(throws: ReplicationError.needsBackup(end: old.database.end)) { try old.catchUp() }
    try old.close()
    try receive(of: primary, from: CopySources(source(primary)))
    try expectFollows(primary, publisher)
  }

  @Test func `A replica with commits that the copy lacks is not removed`() throws {
    let (primary, publisher) = try primary()
    let ahead = try stores.makeReplica("new", fromBackupOf: primary)
    let source = try stores.makeReplica("source", fromBackupOf: primary)
    try primary.save(7)
    try publisher.publishAll()
    try ahead.catchUp()
    try ahead.close()
    let files = names()
    let expected = ReplicationError.notInCopy(epoch: 1, end: ahead.database.end)
    #expect(throws: expected) {
      try receive(of: primary, from: CopySources(self.source(source.database)))
    }
    #expect(names() == files)
    try expectFollows(primary, publisher)
  }

  @Test func `A replaced primary receives a copy after its own commits were kept`() throws {
    let (primary, _) = try primary()
    let replica = try stores.makeReplica("replica", fromBackupOf: primary)
    try replica.catchUp()
    try primary.save(7)
    try Promotion(replica).finish()
    let next = try stores.open(promoted: replica)
    let publisher = Publisher(next, stores.stream)
    try publisher.publishAll()
    try primary.close()
    let result = try Replica.rejoin(
      "primary", as: "replica", transport: stores.stream, keeping: "kept",
      options: Stores.options(), fileSystem: stores.files)
    #expect(result?.kept == "kept")
    try receive("primary", of: next, from: CopySources(source(next)))
    try expectFollows(next, publisher, at: "primary")
    let kept = try Database(path: "kept", mode: .readOnly, fileSystem: stores.files)
    #expect(try kept.values.contains(7))
  }

  @Test func `A store that is no replica is not replaced`() throws {
    let (primary, _) = try primary(3)
    try stores.open("new").close()
    let files = names()
    #expect(throws: StoreError.notEmpty(path: "new")) {
      try receive(of: primary, from: CopySources(source(primary)))
    }
    #expect(names() == files)
  }

  @Test func `Without a source or a transport for copies, the error says so`() throws {
    let (primary, _) = try primary(1)
    #expect(throws: ReplicationError.noCopyOffered) {
      try receive(of: primary, from: CopySources(), patience: 100)
    }
    #expect(throws: ReplicationError.copiesUnsupported) {
      try Replica.receive(
        primary.storeID, at: "new", of: "the primary", transport: stores.stream,
        fileSystem: stores.files
      ) { _ in }
    }
    #expect(names() == [])
  }

  @Test func `A primary sends a copy by itself if no replica does`() throws {
    let primary = try Primary(
      path: "primary", transport: values, options: Stores.options(), fileSystem: stores.files)
    try primary.commit(primary.database.batch(5), acknowledgement: .replicated)
    try Replica.receive(
      primary.database.storeID, at: "new", of: "the primary", transport: values, patience: .max,
      fileSystem: stores.files
    ) { progress in
      if progress.isWaiting { primary.check() }
    }
    try primary.close()
    let replica = try stores.replica("new")
    try replica.catchUp()
    #expect(try replica.database.values == [5])
  }

  @Test func `A primary gives up a replica once the stream has discarded its next commit`() throws {
    let (primary, publisher) = try primary(3)
    var watch = RetentionWatch()
    func events(_ name: String?, _ last: UInt64 = 0) throws -> [StoreEvent.Kind] {
      let message = try #require(
        try Message(try stores.stream.read(from: 1, limit: 1)[0].bytes))
      let report = ReplicaReport(
        storeID: primary.storeID, epoch: 1, term: 0, last: last, chain: HistoryChain(value: 1))
      return watch.take(name.map { [$0: report] } ?? [:], streamBeginsWith: message)
    }
    let end = primary.end
    try primary.save(7)
    try publisher.publishAll()
    try primary.save(8)
    try publisher.publishAll()
    #expect(try events("b", end) == [])
    // The replica's report has expired meanwhile.
    try stores.stream.trim(through: stores.stream.last - 2)
    #expect(try events(nil) == [])
    try stores.stream.trim(through: stores.stream.last - 1)
    let event = StoreEvent.Kind.replicaGivenUp(name: "b", end: end, streamStart: end + 1)
    #expect(try events(nil) == [event])
    #expect(try events("b", end) == [])
    // A replica that receives a copy has reported nothing durable.
    #expect(try events("b", 0) == [])
    #expect(try events("b", end + 1) == [])
    try primary.save(9)
    try publisher.publishAll()
    try stores.stream.trim(through: stores.stream.last - 1)
    #expect(try events("b", end + 1).count == 1)
  }
}
