import SampleLog

/// The option `--wait`, with which a command waits until a replica has reached an anchor.
struct AnchorWait {
  static let option = CommandUsage.Option(
    name: "--wait", value: "SECONDS",
    help: "Waits for a replica that has not reached the anchor after --after.")

  private let duration: Duration

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments.has("--wait"), !arguments.has("--after") {
      throw arguments.error("The option --wait needs --after")
    }
    duration = .seconds(try arguments.count("--wait") ?? 0)
  }

  /// Opens a store for reading, and checks that it has everything up to an anchor.
  ///
  /// - Throws: `StoreError.notHereYet` if a replica has not reached the anchor in time. The errors
  ///   of other anchors are left to the reader.
  func reading(_ path: String, reaching anchor: Anchor) throws -> Database {
    let deadline = ContinuousClock.now + duration
    var database = try StoreOpening.reading(path)
    while true {
      do {
        _ = try database.snapshot().check(anchor)
        return database
      } catch StoreError.notHereYet where ContinuousClock.now < deadline {
        do {
          let left = deadline - ContinuousClock.now
          _ = try database.waitForChange(atMost: min(max(left, .zero), .milliseconds(200)))
        } catch StoreError.anchorOfAnotherStore {
          // The replica has begun to follow another primary.
          database = try StoreOpening.reading(path)
        }
      } catch let error as StoreError where Failure(error).status != .behind {
        return database
      }
    }
  }
}
