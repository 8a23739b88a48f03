import HealthStore
import SampleLog

/// The samples that a command cannot read: it tells of each and goes on.
final class UnreadableSamples {
  private let console: Console
  private var check: SampleCheck
  private var count = 0

  init(_ reader: RowReader, readsPoints: Bool = false, _ console: Console) {
    check = SampleCheck(reader, readsPoints: readsPoints)
    self.console = console
  }

  /// Whether a sample can be read; tells of one that cannot.
  func admits(_ block: Block, _ row: Int, in snapshot: Snapshot) throws -> Bool {
    guard let error = try check.problem(of: RowReference(block, row), in: snapshot) else {
      return true
    }
    note(error.description)
    return false
  }

  /// Tells of a sample that cannot be read.
  func note(_ sentence: String) {
    count += 1
    console.note(sentence)
  }

  /// The exit status of a command that did all else.
  func status() -> ExitStatus {
    if count == 0 { return .good }
    console.note(
      "\(Figures.count(count, "sample")) could not be read; all others were. `healthstore delete "
        + "--uuid` removes one.")
    return .damaged
  }
}
