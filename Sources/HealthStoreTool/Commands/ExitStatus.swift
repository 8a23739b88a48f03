/// What the program tells its caller.
enum ExitStatus: Int32, CaseIterable {
  case good = 0
  /// The work failed.
  case failed = 1
  /// The arguments make no sense, or something cannot be used.
  case unusable = 2
  /// The output could not be written, for any other reason than a closed pipe.
  case unwritable = 3
  /// An export ends before its end; what came before was imported.
  case truncated = 4
  /// Something is damaged.
  case damaged = 5
  /// Parts of an export are broken, not known or above a limit; all others were imported.
  case incomplete = 6
  /// SIGINT came, and the work stopped where it can go on.
  case interrupted = 130
  /// SIGTERM came, and the work stopped where it can go on.
  case terminated = 143

  /// What it means, as the help says it.
  var meaning: String {
    switch self {
    case .good: "good; also when whoever read the output closed the pipe"
    case .failed: "the work failed"
    case .unusable: "wrong usage, or a file or directory that cannot be used"
    case .unwritable: "the output could not be written"
    case .truncated: "the export is cut short; everything before the cut was imported"
    case .damaged: "a store, a backup, a sample or an archive is damaged"
    case .incomplete: "parts of the export, broken, not known or above a limit, were left out"
    case .interrupted: "interrupted (SIGINT); what was done stays, and another run goes on"
    case .terminated: "ended (SIGTERM); likewise"
    }
  }
}
