import Foundation

/// A file of metrics that is replaced periodically, for a collector that reads text files.
final class MetricsFile {
  static let option = CommandUsage.Option(
    name: "--metrics-file", value: "PATH",
    help: "Writes the replication metrics to PATH twice a second, in Prometheus's text format.")

  private static let interval = Duration.seconds(0.5)

  private let path: String?
  private var next: ContinuousClock.Instant?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments["--metrics-file"]
    if path == "" { throw arguments.error("The value of the option --metrics-file is empty") }
  }

  /// Replaces the file atomically, unless that was done within the last half second.
  ///
  /// - Throws: A ``Failure`` if the first write fails. Later errors are ignored, because a full
  ///   disk must not stop replication; the file then becomes stale.
  func update(_ text: () -> String) throws {
    let now = ContinuousClock.now
    guard let path, next.map({ now >= $0 }) ?? true else { return }
    let isFirst = next == nil
    next = now + Self.interval
    do {
      try Paths.write(text(), to: path)
    } catch {
      guard isFirst else { return }
      throw error
    }
  }
}
