import Foundation
import SampleLog

/// The payload of a scored assessment: a version byte, the number of answers, and one byte per
/// answer.
///
/// GAD-7 has seven answers and PHQ-9 has nine. Each answer contributes its number to the score,
/// except the ninth of PHQ-9 if the subject preferred not to answer.
struct AssessmentPayload: SamplePayload {
  static let kind: UInt64 = 10
  private static let version: UInt8 = 1
  /// The highest answer number that contributes to the score.
  private static let greatest = 3

  let answers: [Int]

  /// The score, from 0 to 27.
  var score: Int { answers.reduce(0) { $0 + ($1 > Self.greatest ? 0 : $1) } }

  var rowValue: Double { Double(score) }

  init(_ answers: [Int]) { self.answers = answers }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.byte(Self.version)
    writer.list(answers) { $0.byte(UInt8(clamping: $1)) }
    return writer.bytes
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    guard reader.byte() == Self.version, let answers = reader.list({ $0.byte().map(Int.init) }),
      reader.isAtEnd, Self.isValid(answers)
    else { return nil }
    self.answers = answers
  }

  func check(_ type: HKSampleType, start: Date, end: Date) throws(HKInvalidSampleError) {
    let count = type.identifier == HKScoredAssessmentTypeIdentifier.GAD7.rawValue ? 7 : 9
    guard answers.count == count else {
      throw .invalidContents(
        type: type.identifier, reason: "it has \(count) answers, not \(answers.count).")
    }
    guard Self.isValid(answers) else {
      throw .invalidContents(
        type: type.identifier, reason: "only the ninth question may be left unanswered.")
    }
  }

  private static func isValid(_ answers: [Int]) -> Bool {
    (answers.count == 7 || answers.count == 9)
      && answers.enumerated().allSatisfy { (0...(($0 == 8) ? 4 : greatest)).contains($1) }
  }
}
