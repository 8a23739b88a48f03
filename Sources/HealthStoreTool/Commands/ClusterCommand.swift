import Foundation
import HealthCluster
import SampleLog
import SampleLogReplication

/// `healthstore cluster`: reports the state of a store's stream, primary and replicas.
struct ClusterCommand: Command {
  static let usage = CommandUsage(
    name: "cluster", summary: "Shows the primary, the stream and the replicas of a store.",
    store: .using, storeAlternative: "--all",
    options: StreamAccess.options + [
      .init(
        name: "--all", value: "MAP",
        help: "Every shard of a shard map (Docs/shards.md), in place of --store.")
    ] + ReportFormat.options,
    notes: [
      "For the directory: whether it is a primary, a replaced primary or a replica, its epoch, "
        + "the number of earlier promotions, restores and repairs (the term), and its last "
        + "sequence number. A replica's lag is the number of published records that it lacks; "
        + "unpublished is the number of a primary's records that the stream has not confirmed, "
        + "and a gap contains those that neither the stream nor a log has.",
      "For the stream: its last message, its size and limit in bytes, the epoch and term of its "
        + "writer, the last sequence number that it has confirmed, and the holder of the lease "
        + "with the seconds since it was renewed: the primary, or a copy that is being promoted. "
        + "Without a holder, no primary runs. For each replica that reported in the last minute: "
        + "its name, epoch, term, the last sequence number on its disk, its lag, and the age of "
        + "the report. With --json also the last sequence number through which its files have no "
        + "erased data (erasedThrough).",
      "If a copy may still have the data of the last erasure: the sequence number of the erasure, "
        + "and the copies, which are replicas by name, the stream, or this directory.",
      "Exit status: 0 success, 1 the servers refuse the request, 2 a file or directory that "
        + "cannot be used, 9 no server answers.",
    ])

  private let store: String?
  private let map: String?
  private let isJSON: Bool
  private let stream: StreamChoice

  init(_ arguments: ParsedArguments) throws {
    map = arguments["--all"]
    if map != nil, arguments.has("--store") {
      throw arguments.error("The options --store and --all exclude each other")
    }
    store = map == nil ? try arguments.store() : nil
    isJSON = try arguments.wantsJSON()
    stream = try StreamChoice(arguments)
  }

  func run(_ console: Console) async throws -> ExitStatus {
    if let store {
      let status = try stream.status(of: try StoreOpening.reading(store))
      try console.report(isJSON ? [status.object.text] : status.lines)
      return .good
    }
    var result = ExitStatus.good
    for (number, shard) in try shards().enumerated() {
      var object = JSONObject()
      object.add("shard", shard.name)
      object.add("primary", shard.primary)
      var lines = (number == 0 ? [] : [""]) + ["\(shard.name) at \(shard.primary)".printable]
      // The other shards are still of interest.
      do {
        let transport = try stream.connect(to: shard.storeID)
        let status = try ClusterStatus(of: shard.storeID, copy: nil, transport: transport)
        object.add(membersOf: status.object)
        lines += status.lines
      } catch {
        let failure = Failure(error)
        if failure.status == .unusable { throw failure }
        result = failure.status
        object.add("failure", failure.sentence)
        lines.append(failure.sentence)
      }
      try console.report(isJSON ? [object.text] : lines)
    }
    return result
  }

  /// Returns the shards of the map, each of which must name its store.
  private func shards() throws -> [(name: String, primary: String, storeID: Identifier)] {
    guard let path = map else { return [] }
    let shards: [Shard]
    do {
      shards = try ShardMap(json: try Data(contentsOf: URL(fileURLWithPath: path))).shards
    } catch let error as ShardMapError {
      throw Failure("\(path): \(error)", status: .unusable)
    } catch {
      throw Failure("\(path) cannot be read.", status: .unusable)
    }
    return try shards.map { shard in
      guard let id = shard.storeID else {
        throw Failure(
          "The map does not name the store of the shard \(shard.name).", status: .unusable)
      }
      return (shard.name, shard.primary, id)
    }
  }
}
