public import Foundation

/// A completed questionnaire with a score.
///
/// Abstract: create an ``HKGAD7Assessment`` or ``HKPHQ9Assessment``.
open class HKScoredAssessment: HKSample, NSCopying, @unchecked Sendable {
  /// The sum of the answers' scores.
  open var score: Int { payload(AssessmentPayload.self).score }

  /// Returns the object itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  override class var payloadType: (any SamplePayload.Type)? { AssessmentPayload.self }

  /// The raw values of the answers.
  final var answerNumbers: [Int] { payload(AssessmentPayload.self).answers }

  /// Validates the arguments and builds an assessment of a type.
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
