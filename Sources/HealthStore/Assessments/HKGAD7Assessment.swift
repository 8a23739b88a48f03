public import Foundation

/// The answers to the seven questions of GAD-7 on anxiety.
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
  /// An answer: on how many days of the last two weeks it was so.
  public enum Answer: Int, Hashable, Sendable {
    /// On none.
    case notAtAll = 0

    /// On several.
    case severalDays = 1

    /// On more than half of them.
    case moreThanHalfTheDays = 2

    /// On nearly every one.
    case nearlyEveryDay = 3
  }

  /// How likely it is that the person suffers from anxiety.
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

  /// Makes an assessment of 7 answers.
  ///
  /// Traps where ``validated(date:answers:device:metadata:sourceRevision:)`` throws.
  public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(.GAD7, date, answers.map(\.rawValue), nil, metadata, nil)
      })
  }

  /// Makes an assessment, or throws where the initialiser traps.
  ///
  /// Our addition, for data from outside: the error says what is wrong with the arguments.
  /// `sourceRevision` says who recorded the data when that is not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` unless there are 7 answers, all of which count, for a date
  ///   that is not finite and for metadata that cannot be stored.
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

  /// The risk that the score stands for.
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
