import HealthStore
import SampleLog

/// Reports samples that cannot be decoded, so that a command can skip them.
final class UnreadableSamples {
  private let console: Console
  private var check: SampleCheck
  private var count = 0

  init(_ reader: RowReader, readsPoints: Bool = false, _ console: Console) {
    check = SampleCheck(reader, readsPoints: readsPoints)
    self.console = console
  }

  /// Returns whether a sample can be decoded, and reports it if it cannot.
  func admits(_ block: Block, _ row: Int, in snapshot: Snapshot) throws -> Bool {
    guard let error = try check.problem(of: Row(block, row), in: snapshot) else {
      return true
    }
    note(error.description)
    return false
  }

  /// Counts and reports a sample that cannot be decoded.
  func note(_ sentence: String) {
    count += 1
    console.note(sentence)
  }

  /// Returns the exit status of a command that has completed, and reports the number of skipped
  /// samples and the remedy.
  func status(
    remedy: String = "`healthstore delete --uuid` removes one."
  ) -> ExitStatus {
    if count == 0 { return .good }
    console.note("\(Figures.count(count, "sample")) could not be read; all others were. \(remedy)")
    return .damaged
  }
}
