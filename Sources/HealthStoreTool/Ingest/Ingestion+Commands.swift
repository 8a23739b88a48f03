import AppleHealthExport
import HealthStore
import SampleLog

// The arguments, errors and report that `ingest` and `primary` share.
extension Ingestion {
  /// Returns the subject of samples without one, which `--subject` names.
  static func subject(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let subject = arguments["--subject"] ?? ""
    guard subject.utf8.count <= StoreLimit.nameBytes.maximum else {
      throw arguments.error(
        "The name after --subject has more than \(StoreLimit.nameBytes.maximum) bytes")
    }
    return subject
  }

  /// Opens lines of samples; a format of nil is detected.
  ///
  /// - Throws: A ``Failure`` if the first line is not valid, and errors of reading.
  static func reader(_ input: FileInput, _ format: RecordReader.Format?) throws -> RecordReader {
    do {
      return try RecordReader(input, format)
    } catch let problem as IngestProblem {
      throw Failure("Line 1: \(problem.text)", status: .unusable)
    }
  }

  /// Adds the line that an error is about and the position from which to continue.
  ///
  /// - Parameters:
  ///   - error: An error of ``run(isCancelled:report:)``.
  ///   - line: The line from which the work began.
  ///   - advice: The way to continue from a line, as a sentence without its full stop.
  /// - Returns: The error as the command reports it.
  func failure(_ error: any Error, from line: Int, advice: (Int) -> String) -> Failure {
    let saved =
      resume == line
      ? "Nothing was saved."
      : "Everything before line \(resume) is saved; \(advice(resume))."
    if let problem = error as? IngestProblem {
      return Failure("Line \(self.line): \(problem.text) \(saved)", status: .unusable)
    }
    let failure = Failure(error)
    return Failure("\(failure.sentence) \(saved)", status: failure.status)
  }
}

extension Ingestion.Summary {
  /// The counts as a line of output.
  var text: String {
    "\(Figures.count(added)) added, \(Figures.count(known)) there already, "
      + "\(Figures.count(deleted)) deleted"
      + (days == 0 ? "" : ", \(Figures.count(days, "activity summary", "activity summaries")) set")
  }
}

extension IngestProblem {
  /// The sentence with its end.
  fileprivate var text: String { sentence.hasSuffix("?") ? sentence : sentence + "." }
}
