public import Foundation

/// An assessment of anxiety: the answers to the seven questions of GAD-7.
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
  /// An answer: the frequency of a symptom in the last two weeks.
  public enum Answer: Int, Hashable, Sendable {
    /// Not on any day.
    case notAtAll = 0

    /// On several days.
    case severalDays = 1

    /// On more than half of the days.
    case moreThanHalfTheDays = 2

    /// On nearly every day.
    case nearlyEveryDay = 3
  }

  /// The likelihood that the subject suffers from anxiety.
  public enum Risk: Int, Hashable, Sendable {
    /// A score of 0 to 4.
    case noneToMinimal = 1

    /// A score of 5 to 9.
    case mild = 2

    /// A score of 10 to 14.
    case moderate = 3

    /// A score of 15 to 21.
    case severe = 4
  }

  /// Creates an assessment with 7 answers.
  ///
  /// Traps if ``validated(date:answers:device:metadata:sourceRevision:)`` would throw.
  public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(.GAD7, date, answers.map(\.rawValue), nil, metadata, nil)
      })
  }

  /// Creates an assessment, or throws an error if the arguments are invalid.
  ///
  /// This is an addition for data from external sources: the initialiser traps instead.
  /// `sourceRevision` is the source that recorded the data, if not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` unless there are 7 answers, or if the date is not finite
  ///   or the metadata cannot be stored.
  public static func validated(
    date: Date, answers: [Answer], device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKGAD7Assessment {
    HKGAD7Assessment(
      built: try build(
        .GAD7, date, answers.map(\.rawValue), device, metadata, sourceRevision))
  }

  /// The answers, in the order of the questions.
  open var answers: [Answer] { answerNumbers.compactMap(Answer.init(rawValue:)) }

  /// The risk that corresponds to the score.
  open var risk: Risk {
    switch score {
    case ...4: .noneToMinimal
    case ...9: .mild
    case ...14: .moderate
    default: .severe
    }
  }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    (sample.payload as? AssessmentPayload)?.answers.count == 7
  }
}
