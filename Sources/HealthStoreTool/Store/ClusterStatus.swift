import SampleLog
import SampleLogNATS
import SampleLogReplication

/// The state of a store's stream, of its primary and its replicas, and of one copy.
struct ClusterStatus {
  private enum Value {
    case text(String)
    case list([String])
    case number(UInt64)
    case seconds(Double)
  }

  private var facts: [(name: String, value: Value)] = []
  private let reports: [(name: String, report: ReplicaReport, age: Double?)]
  /// The last sequence number that the stream has confirmed.
  private let published: UInt64

  /// Reads the state of a stream.
  ///
  /// - Parameters:
  ///   - storeID: The store of the stream.
  ///   - database: A copy of the store, or nil if there is none on this machine.
  ///   - transport: The connection to the stream.
  /// - Throws: Any error if the stream or the copy cannot be read.
  init(
    of storeID: Identifier, copy database: Database?, transport: any StreamTransport
  ) throws {
    let last = try transport.end()
    let found = try last == 0 ? nil : transport.read(from: last, limit: 1).first
    let message = try found.flatMap { try Message($0.bytes) }
    let status = try transport.status()
    // A commit counts once the stream has all of its parts.
    published = message.map { $0.part + 1 == $0.parts ? $0.last : $0.before.last } ?? 0
    reports = try transport.reports(of: storeID).sorted { $0.key < $1.key }
      .map { ($0.key, $0.value, status?.reportAges[$0.key]) }
    if let database { try add(database, last, message) }
    facts.append(("stream", .text(NATSStream.name(of: storeID))))
    facts.append(("messages", .number(last)))
    if let status {
      facts.append(("streamBytes", .number(status.byteCount)))
      if let limit = status.byteLimit { facts.append(("streamByteLimit", .number(limit))) }
    }
    if let writer = message?.writer {
      facts.append(("streamEpoch", .number(UInt64(writer.epoch))))
      facts.append(("streamTerm", .number(UInt64(writer.term))))
      facts.append(("streamSequence", .number(published)))
    }
    if let lease = status?.lease {
      facts += [("leaseHolder", .text(lease.holder)), ("leaseAge", .seconds(lease.age))]
    }
    if let progress = try database?.erasureProgress(transport), !progress.isConfirmed {
      facts += [
        ("unconfirmedErasure", .number(progress.sequence)),
        ("unconfirmedCopies", .list(progress.copies)),
      ]
    }
  }

  /// Adds the facts about a copy.
  private mutating func add(_ database: Database, _ last: UInt64, _ message: Message?) throws {
    let (isReplica, end) = (try StreamChoice.isReplica(database.path), database.end)
    let isReplaced = !isReplica && (message?.writer.term ?? 0) > database.term
    facts = [
      ("role", .text(isReplica ? "replica" : isReplaced ? "replaced primary" : "primary")),
      ("epoch", .number(UInt64(database.epoch))), ("term", .number(UInt64(database.term))),
      ("lastSequence", .number(end)),
    ]
    if isReplica {
      facts.append(("lag", .number(published - min(published, end))))
      return
    }
    let state = try database.publicationState()
    // Behind a gap, and in a stream that another primary continues, no later commit is published.
    let isOwn = last == 0 || message?.writer.epoch == database.epoch
    let confirmed = isOwn && state?.gapEnd == nil ? published : state?.confirmed ?? 0
    facts.append(("unpublished", .number(end - min(end, confirmed))))
    if let gapEnd = state?.gapEnd {
      facts += [("gapStart", .number(confirmed)), ("gapEnd", .number(gapEnd))]
    }
  }

  /// The state as an object of JSON.
  var object: JSONObject {
    var object = JSONObject()
    for fact in facts {
      switch fact.value {
      case .text(let text): object.add(fact.name, text)
      case .list(let texts): object.add(fact.name, texts)
      case .number(let number): object.add(fact.name, number)
      case .seconds(let seconds): object.add(fact.name, Self.rounded(seconds))
      }
    }
    object.add(
      "replicas",
      reports.map { name, report, age in
        var replica = JSONObject()
        replica.add("name", name)
        replica.add("epoch", report.epoch)
        replica.add("term", report.term)
        replica.add("lastSequence", report.last)
        replica.add("erasedThrough", report.erasedThrough)
        replica.add("lag", published - min(published, report.last))
        if let age { replica.add("age", Self.rounded(age)) }
        return replica
      })
    return object
  }

  /// The state as two tables.
  var lines: [String] {
    let width = facts.map(\.name.count).max() ?? 0
    var lines = facts.map { name, value in
      let text =
        switch value {
        case .text(let text): text.printable
        case .list(let texts): texts.joined(separator: ", ").printable
        case .number(let number): "\(number)"
        case .seconds(let seconds): "\(Self.rounded(seconds)) s"
        }
      return "\(name.padded(to: width))  \(text)"
    }
    if reports.isEmpty { return lines }
    var table = TextTable([
      ("replica", .left), ("epoch", .right), ("term", .right), ("lastSequence", .right),
      ("lag", .right), ("age", .right),
    ])
    for (name, report, age) in reports {
      table.add([
        name, "\(report.epoch)", "\(report.term)", "\(report.last)",
        "\(published - min(published, report.last))", age.map { "\(Self.rounded($0)) s" } ?? "",
      ])
    }
    lines += [""] + table.lines()
    return lines
  }

  /// Returns a time in seconds with one decimal place.
  private static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}
