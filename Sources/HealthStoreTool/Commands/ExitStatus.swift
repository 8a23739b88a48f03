/// The exit status of the tool.
enum ExitStatus: Int32, CaseIterable {
  case good = 0
  /// The work failed.
  case failed = 1
  /// The arguments are invalid, or a file or directory cannot be used.
  case unusable = 2
  /// The output could not be written, for a reason other than a closed pipe.
  case unwritable = 3
  /// An export is truncated; the part before was imported.
  case truncated = 4
  /// A store, backup, sample or archive is damaged.
  case damaged = 5
  /// Parts of an export are malformed, unknown or above a limit; all others were imported.
  case incomplete = 6
  /// A replica has not reached an anchor yet.
  case behind = 7
  /// Another copy of a store was promoted, so this one saves nothing more.
  case fenced = 8
  /// No server of a stream answers, or the stream has not confirmed what is saved.
  case unreachable = 9
  /// A replica must be created again from a backup.
  case needsBackup = 10
  /// SIGINT stopped the work at a point from which it can be resumed.
  case interrupted = 130
  /// SIGTERM stopped the work at a point from which it can be resumed.
  case terminated = 143

  /// The description of the status in the help.
  var meaning: String {
    switch self {
    case .good: "success; also if the reader of the output closed the pipe"
    case .failed: "the work failed"
    case .unusable: "wrong usage, or a file or directory that cannot be used"
    case .unwritable: "the output could not be written"
    case .truncated: "the export is cut short; everything before the cut was imported"
    case .damaged: "a store, a backup, a sample or an archive is damaged"
    case .incomplete: "parts of the export, malformed, unknown or above a limit, were left out"
    case .behind: "a replica has not reached the anchor yet, which remains valid"
    case .fenced: "another copy of the store was promoted, and this one saves nothing more"
    case .unreachable:
      "no server of the stream answers, or the stream has not confirmed what is saved here"
    case .needsBackup: "the replica must be created again from a backup"
    case .interrupted: "interrupted by SIGINT; completed work is kept, and another run resumes"
    case .terminated: "interrupted by SIGTERM; likewise"
    }
  }
}
