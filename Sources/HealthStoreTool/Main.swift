import Foundation

/// The program.
@main
enum Main {
  static func main() async {
    Descriptors.occupyStandard()
    // A closed pipe is then an error of writing, which ends the program quietly.
    signal(SIGPIPE, SIG_IGN)
    // And a limit on the size of files is an error of writing, which is reported.
    signal(SIGXFSZ, SIG_IGN)
    let status = await Tool.run(Array(CommandLine.arguments.dropFirst()), Console.standard)
    exit(status.rawValue)
  }
}
