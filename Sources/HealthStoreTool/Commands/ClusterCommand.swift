import SampleLog
import SampleLogNATS
import SampleLogReplication

/// `healthstore cluster`: reports the progress of a copy and its stream.
struct ClusterCommand: Command {
  static let usage = CommandUsage(
    name: "cluster", summary: "Shows the positions of a copy, its stream and its replicas.",
    store: .using, options: StreamAccess.options + ReportFormat.options,
    notes: [
      "For the directory: whether it is a primary or a replica, its epoch, the number of "
        + "earlier promotions, restores and repairs (the term), and its last sequence number. "
        + "For the stream: its last message, the epoch and term of its writer, and its last "
        + "sequence number. The lag is the number of records in the stream that the directory "
        + "lacks; unpublished is the number of records in a primary's directory that the stream "
        + "lacks. For each replica that reported in the last minute: its name, epoch, term, and "
        + "the last sequence number on its disk.",
      "Exit status: 0 success, 1 the stream cannot be reached, 2 a file or directory that "
        + "cannot be used.",
    ])

  private let store: String
  private let isJSON: Bool
  private let stream: StreamChoice

  init(_ arguments: ParsedArguments) throws {
    store = try arguments.store()
    isJSON = try arguments.wantsJSON()
    stream = try StreamChoice(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    let database = try StoreOpening.reading(store)
    let transport = try stream.connect(to: database.storeID)
    let last = try transport.end()
    let found = try last == 0 ? nil : transport.read(from: last, limit: 1).first
    let message = try found.flatMap { try Message($0.bytes) }
    let published = message?.last ?? 0
    let isReplica = try StreamChoice.isReplica(store)
    var facts: [(name: String, text: String, number: UInt64?)] = [
      ("role", isReplica ? "replica" : "primary", nil),
      ("stream", NATSStream.name(of: database.storeID), nil),
      ("epoch", "", UInt64(database.epoch)), ("term", "", UInt64(database.term)),
      ("lastSequence", "", database.end), ("messages", "", last),
    ]
    if let message {
      facts += [
        ("streamEpoch", "", UInt64(message.writer.epoch)),
        ("streamTerm", "", UInt64(message.writer.term)), ("streamSequence", "", published),
        ("lag", "", published > database.end ? published - database.end : 0),
      ]
    }
    if !isReplica {
      facts.append(
        ("unpublished", "", published < database.end ? database.end - published : 0))
    }
    let reports = try transport.reports(of: database.storeID).sorted { $0.key < $1.key }
    try console.report(
      isJSON ? [json(facts, reports)] : table(facts) + (reports.isEmpty ? [] : table(reports)))
    return .good
  }

  private typealias Report = (key: String, value: ReplicaReport)

  private func json(
    _ facts: [(name: String, text: String, number: UInt64?)], _ reports: [Report]
  ) -> String {
    var object = JSONObject()
    for fact in facts {
      if let number = fact.number {
        object.add(fact.name, number)
      } else {
        object.add(fact.name, fact.text)
      }
    }
    object.add(
      "replicas",
      reports.map { name, report in
        var replica = JSONObject()
        replica.add("name", name)
        replica.add("epoch", report.epoch)
        replica.add("term", report.term)
        replica.add("lastSequence", report.last)
        return replica
      })
    return object.text
  }

  private func table(_ reports: [Report]) -> [String] {
    var table = TextTable([
      ("replica", .left), ("epoch", .right), ("term", .right), ("lastSequence", .right),
    ])
    for (name, report) in reports {
      table.add([name, "\(report.epoch)", "\(report.term)", "\(report.last)"])
    }
    return [""] + table.lines()
  }

  private func table(_ facts: [(name: String, text: String, number: UInt64?)]) -> [String] {
    let width = facts.map(\.name.count).max() ?? 0
    return facts.map { "\($0.name.padded(to: width))  \($0.number.map { "\($0)" } ?? $0.text)" }
  }
}
