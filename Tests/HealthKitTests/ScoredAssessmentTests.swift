import HealthKit
import Testing

@Suite struct ScoredAssessmentTests {
  /// Questionnaires whose answers add up to a score.
  private func anxiety(_ score: Int) -> [HKGAD7Assessment.Answer] {
    (0..<7).map { index in
      HKGAD7Assessment.Answer(rawValue: min(3, max(0, score - index * 3))) ?? .notAtAll
    }
  }

  private func depression(_ score: Int) -> [HKPHQ9Assessment.Answer] {
    (0..<9).map { index in
      HKPHQ9Assessment.Answer(rawValue: min(3, max(0, score - index * 3))) ?? .notAtAll
    }
  }

  @Test func `the score of GAD-7 is the sum of its answers and determines the risk`() {
    for score in 0...21 {
      let assessment = HKGAD7Assessment(date: start, answers: anxiety(score))
      #expect(assessment.score == score)
      let risk: HKGAD7Assessment.Risk =
        score < 5 ? .noneToMinimal : score < 10 ? .mild : score < 15 ? .moderate : .severe
      #expect(assessment.risk == risk)
      #expect(assessment.answers == anxiety(score))
    }
  }

  @Test func `the score of PHQ-9 is the sum of its answers and determines the risk`() {
    for score in 0...27 {
      let assessment = HKPHQ9Assessment(date: start, answers: depression(score))
      #expect(assessment.score == score)
      #expect(assessment.risk.rawValue == (score < 20 ? score / 5 + 1 : 5))
    }
  }

  @Test func `the ninth question of PHQ-9 may be unanswered and then adds nothing`() throws {
    var answers = depression(24)
    answers[8] = .preferNotToAnswer
    let assessment = try HKPHQ9Assessment.validated(date: start, answers: answers)
    #expect(assessment.score == 24)
    #expect(assessment.answers.last == .preferNotToAnswer)
    answers.swapAt(7, 8)
    #expect(throws: HKInvalidSampleError.self) {
      try HKPHQ9Assessment.validated(date: start, answers: answers)
    }
  }

  @Test(arguments: [0, 6, 8, 9]) func `GAD-7 has exactly seven answers`(count: Int) {
    #expect(throws: HKInvalidSampleError.self) {
      try HKGAD7Assessment.validated(
        date: start, answers: Array(repeating: .severalDays, count: count))
    }
  }

  @Test(arguments: [0, 7, 8, 10]) func `PHQ-9 has exactly nine answers`(count: Int) {
    #expect(throws: HKInvalidSampleError.self) {
      try HKPHQ9Assessment.validated(
        date: start, answers: Array(repeating: .severalDays, count: count))
    }
  }

  @Test func `each questionnaire is a type of its own`() async throws {
    let store = HKHealthStore.inMemory()
    let anxiety = HKGAD7Assessment(date: start, answers: anxiety(8))
    let depression = HKPHQ9Assessment(date: start, answers: depression(12))
    try await store.save([anxiety, depression])
    let first = try await HKSampleQueryDescriptor(
      predicates: [.gad7Assessment()], sortDescriptors: []
    ).result(for: store)
    #expect(first == [anxiety] && first[0].score == 8)
    let second = try await HKSampleQueryDescriptor(
      predicates: [.phq9Assessment()], sortDescriptors: []
    ).result(for: store)
    #expect(second == [depression] && second[0].risk == .moderate)
  }
}
