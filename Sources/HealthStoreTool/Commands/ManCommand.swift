/// `healthstore man`: prints the manual page.
struct ManCommand: Command {
  static let usage = CommandUsage(
    name: "man", summary: "Prints the manual page, as troff.",
    notes: [
      "`healthstore man | man -l -` displays the page. Save it as "
        + "man1/healthstore.1 for `man`."
    ])

  init(_ arguments: ParsedArguments) {}

  func run(_ console: Console) async throws -> ExitStatus {
    try console.out.write(ManPage.text)
    return .good
  }
}
