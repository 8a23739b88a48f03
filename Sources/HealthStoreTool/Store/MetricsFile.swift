import Foundation

/// A file of figures that is written again now and then, for a collector that reads text files.
final class MetricsFile {
  /// The option that names it.
  static let option = CommandUsage.Option(
    name: "--metrics-file", value: "PATH",
    help: "Writes the figures of replication there twice a second, in Prometheus's text format.")

  private static let interval = Duration.seconds(0.5)

  private let path: String?
  private var next: ContinuousClock.Instant?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments["--metrics-file"]
    if path == "" { throw arguments.error("The value of the option --metrics-file is empty") }
  }

  /// Writes the figures if it is time, as a new file in the place of the old one.
  ///
  /// - Throws: A ``Failure`` when they cannot be written the first time. Later a full disk must not
  ///   end what the figures are about: then the file grows old.
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
