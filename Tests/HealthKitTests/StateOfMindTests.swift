import HealthKit
import Testing

@Suite struct StateOfMindTests {
  private func mind(
    _ valence: Double, _ kind: HKStateOfMind.Kind = .momentaryEmotion,
    _ labels: [HKStateOfMind.Label] = [], _ associations: [HKStateOfMind.Association] = []
  ) -> HKStateOfMind {
    HKStateOfMind(
      date: start, kind: kind, valence: valence, labels: labels, associations: associations)
  }

  @Test func `a state of mind has one moment and keeps its arguments`() {
    let mind = mind(-0.25, .dailyMood, [.sad, .lonely], [.weather])
    #expect(mind.startDate == start && mind.endDate == start)
    #expect(mind.kind == .dailyMood)
    #expect(mind.valence == -0.25)
    #expect(mind.labels == [.sad, .lonely])
    #expect(mind.associations == [.weather])
    #expect(mind.sampleType == HKObjectType.stateOfMindType())
    #expect(mind.metadata?.isEmpty == true)
  }

  @Test func `a valence has one of seven classes, with the neutral one around zero`() {
    let classes = stride(from: -1.0, through: 1, by: 1.0 / 64).map {
      HKStateOfMind.ValenceClassification(valence: $0)?.rawValue ?? 0
    }
    #expect(classes == classes.sorted())
    #expect(Set(classes) == Set(1...7))
    #expect(mind(0).valenceClassification == .neutral)
    #expect(mind(-1).valenceClassification == .veryUnpleasant)
    #expect(mind(1).valenceClassification == .veryPleasant)
    for valence in [-1.1, 1.1, .nan, .infinity] {
      #expect(HKStateOfMind.ValenceClassification(valence: valence) == nil)
    }
  }

  @Test func `enumerations have the raw values of Apple's headers`() {
    #expect((1...38).allSatisfy { HKStateOfMind.Label(rawValue: $0) != nil })
    #expect(HKStateOfMind.Label(rawValue: 39) == nil)
    #expect(HKStateOfMind.Label.amazed.rawValue == 1)
    #expect(HKStateOfMind.Label.worried.rawValue == 31)
    #expect(HKStateOfMind.Label.satisfied.rawValue == 38)
    #expect(HKStateOfMind.Association.community.rawValue == 1)
    #expect(HKStateOfMind.Association.weather.rawValue == 18)
    #expect(HKStateOfMind.Kind.dailyMood.rawValue == 2)
  }

  @Test func `a valence outside of the scale is refused`() {
    for valence in [-1.001, 1.001, .nan, .infinity] {
      #expect(throws: HKInvalidSampleError.self) {
        try HKStateOfMind.validated(date: start, kind: .dailyMood, valence: valence)
      }
    }
  }

  @Test func `predicates admit by valence, kind, label and association`() async throws {
    let store = HKHealthStore.inMemory()
    let calm = mind(0.5, .dailyMood, [.calm, .content], [.family, .travel])
    let angry = mind(-0.75, .momentaryEmotion, [.angry], [.work])
    let plain = mind(0, .momentaryEmotion)
    try await store.save([calm, angry, plain])
    try await store.save(beat(60))
    let cases: [(NSPredicate, Set<HKStateOfMind>)] = [
      (HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .greaterThan), [calm]),
      (
        HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: .lessThanOrEqualTo),
        [angry, plain]
      ),
      (HKQuery.predicateForStatesOfMind(withValence: 0.5, operatorType: .equalTo), [calm]),
      (
        HKQuery.predicateForStatesOfMind(withValence: 0.5, operatorType: .notEqualTo),
        [angry, plain]
      ),
      (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Kind.dailyMood), [calm]),
      (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.content), [calm]),
      (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.happy), []),
      (HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.work), [angry]),
      (
        NSCompoundPredicate(
          notPredicateWithSubpredicate: HKQuery.predicateForStatesOfMind(
            with: HKStateOfMind.Label.angry)), [calm, plain]
      ),
    ]
    for (predicate, expected) in cases {
      let found = try await HKSampleQueryDescriptor(
        predicates: [.stateOfMind(predicate)], sortDescriptors: []
      ).result(for: store)
      #expect(Set(found) == expected, "\(predicate)")
      for sample in [calm, angry, plain] {
        #expect(predicate.evaluate(with: sample) == expected.contains(sample), "\(predicate)")
      }
      let other = try await store.samples(heartRate, predicate: predicate)
      #expect(other.isEmpty || predicate is NSCompoundPredicate)
    }
  }
}
