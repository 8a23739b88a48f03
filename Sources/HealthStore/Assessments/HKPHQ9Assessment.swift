public import Foundation

/// An assessment of depression: the answers to the nine questions of PHQ-9.
open class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
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

    /// The subject preferred not to answer. Valid only for the ninth question.
    case preferNotToAnswer = 4
  }

  /// The likelihood that the subject suffers from depression.
  public enum Risk: Int, Hashable, Sendable {
    /// A score of 0 to 4.
    case noneToMinimal = 1

    /// A score of 5 to 9.
    case mild = 2

    /// A score of 10 to 14.
    case moderate = 3

    /// A score of 15 to 19.
    case moderatelySevere = 4

    /// A score of 20 to 27.
    case severe = 5
  }

  /// Creates an assessment with 9 answers.
  ///
  /// Traps if ``validated(date:answers:device:metadata:sourceRevision:)`` would throw.
  public convenience init(date: Date, answers: [Answer], metadata: [String: Any]? = [:]) {
    self.init(
      built: BuiltSample.orTrap { () throws(HKInvalidSampleError) in
        try Self.build(.PHQ9, date, answers.map(\.rawValue), nil, metadata, nil)
      })
  }

  /// Creates an assessment, or throws an error if the arguments are invalid.
  ///
  /// This is an addition for data from external sources: the initialiser traps instead.
  /// `sourceRevision` is the source that recorded the data, if not the running program.
  ///
  /// - Throws: ``HKInvalidSampleError`` unless there are 9 answers, of which only the ninth may be
  ///   `preferNotToAnswer`, or if the date is not finite or the metadata cannot be stored.
  public static func validated(
    date: Date, answers: [Answer], device: HKDevice? = nil, metadata: [String: Any]? = nil,
    sourceRevision: HKSourceRevision? = nil
  ) throws(HKInvalidSampleError) -> HKPHQ9Assessment {
    HKPHQ9Assessment(
      built: try build(
        .PHQ9, date, answers.map(\.rawValue), device, metadata, sourceRevision))
  }

  /// The answers, in the order of the questions.
  open var answers: [Answer] { answerNumbers.compactMap(Answer.init(rawValue:)) }

  /// The risk that corresponds to the score.
  open var risk: Risk {
    switch score {
    case ...4: .noneToMinimal
    case ...9: .mild
    case ...14: .moderate
    case ...19: .moderatelySevere
    default: .severe
    }
  }

  override class func accepts(_ sample: BuiltSample) -> Bool {
    (sample.payload as? AssessmentPayload)?.answers.count == 9
  }
}
