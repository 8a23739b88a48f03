import Foundation

/// The entry point of the `healthstore` command-line tool.
@main
enum Main {
  static func main() async {
    Descriptors.occupyStandard()
    // Writing to a closed pipe then fails with EPIPE, which ends the tool without a message.
    signal(SIGPIPE, SIG_IGN)
    // Exceeding the file-size limit then fails with EFBIG, which the tool reports.
    signal(SIGXFSZ, SIG_IGN)
    let status = await Tool.run(Array(CommandLine.arguments.dropFirst()), Console.standard)
    exit(status.rawValue)
  }
}
