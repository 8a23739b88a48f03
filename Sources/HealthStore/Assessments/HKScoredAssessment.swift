public import Foundation

/// A questionnaire that was answered and scored.
///
/// Abstract: make an ``HKGAD7Assessment`` or ``HKPHQ9Assessment``.
open class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
  /// The sum of what the answers count.
  open var score: Int { payload(AssessmentPayload.self).score }

  /// Returns the object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The numbers of the answers.
  final var answerNumbers: [Int] { payload(AssessmentPayload.self).answers }

  /// What becomes an assessment of a type.
  final class func build(
    _ type: HKScoredAssessmentTypeIdentifier, _ date: Date, _ answers: [Int],
    _ device: HKDevice?, _ metadata: [String: Any]?, _ sourceRevision: HKSourceRevision?
  ) throws(HKInvalidSampleError) -> BuiltSample {
    try BuiltSample(
      validating: HKScoredAssessmentType(type), start: date, end: date,
      payload: AssessmentPayload(answers), device: device, metadata: metadata,
      sourceRevision: sourceRevision)
  }
}
