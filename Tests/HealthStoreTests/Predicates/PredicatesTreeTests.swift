import Foundation
import SampleLogSimulation
import Testing

@testable import HealthStore

@Suite struct PredicatesTreeTests {
  let a = SampleCondition.categoryValue(.equal, 1)
  let b = SampleCondition.categoryValue(.equal, 2)
  let c = SampleCondition.categoryValue(.equal, 3)

  @Test func `Nested conjunctions and disjunctions become flat`() {
    #expect(SampleCondition.all([a, .all([b, .all([c])])]).simplified == .all([a, b, c]))
    #expect(SampleCondition.any([.any([a]), .any([b, c])]).simplified == .any([a, b, c]))
    #expect(
      SampleCondition.all([a, .any([.all([b, c]), b])]).simplified
        == .all([a, .any([.all([b, c]), b])]))
  }

  @Test func `Constants, doubles and repetitions are folded`() {
    #expect(SampleCondition.all([]).simplified == .always)
    #expect(SampleCondition.any([]).simplified == .never)
    #expect(SampleCondition.all([.always, a]).simplified == a)
    #expect(SampleCondition.all([a, .never]).simplified == .never)
    #expect(SampleCondition.any([a, .always]).simplified == .always)
    #expect(SampleCondition.any([.never, a, a]).simplified == a)
    #expect(SampleCondition.not(.not(a)).simplified == a)
    #expect(SampleCondition.not(.all([])).simplified == .never)
    #expect(SampleCondition.uuid([]).simplified == .never)
    #expect(SampleCondition.not(.source([])).simplified == .always)
  }

  @Test func `Simplifying preserves the result of 2,000 random trees`() throws {
    var random = Seeded(state: 3)
    func tree(_ depth: Int) -> SampleCondition {
      switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
      case 0: return .always
      case 1: return .never
      case 2: return .categoryValue(.greaterOrEqual, Int.random(in: 0...5, using: &random))
      case 3: return .startDate(.less, Make.date(Double.random(in: 0...5, using: &random)))
      case 4: return .not(tree(depth - 1))
      case 5: return .all((0..<Int.random(in: 0...3, using: &random)).map { _ in tree(depth - 1) })
      default:
        return .any((0..<Int.random(in: 0...3, using: &random)).map { _ in tree(depth - 1) })
      }
    }
    let samples = (0...5).map {
      HKCategorySample(
        type: Make.sleep, value: $0, start: Make.date(Double(5 - $0)), end: Make.date(9))
    }
    for _ in 0..<2000 {
      let condition = tree(4)
      let simple = condition.simplified
      #expect(simple.simplified == simple)
      for sample in samples {
        #expect(try simple.matches(sample) == condition.matches(sample), "\(condition)")
      }
    }
  }

  @Test func `Foundation's compound predicates are transparent, and everything else is opaque`()
    throws
  {
    let left = HKCategoryValueSleepAnalysis.predicateForSamples(.equalTo, value: .awake)
    let right = HKQuery.predicateForSamples(withStart: Make.date(1), end: nil)
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      left, NSCompoundPredicate(notPredicateWithSubpredicate: right),
    ])
    #expect(
      try SampleCondition(both)
        == .all([.categoryValue(.equal, 2), .not(.endDate(.greaterOrEqual, Make.date(1)))]))
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [left, right])
    #expect(
      try SampleCondition(either)
        == .any([.categoryValue(.equal, 2), .endDate(.greaterOrEqual, Make.date(1))]))
    #expect(try SampleCondition(NSCompoundPredicate(andPredicateWithSubpredicates: [])) == .always)
    #expect(try SampleCondition(nil) == .always)
    let block = NSPredicate { object, _ in (object as? HKSample)?.startDate == Make.date(4) }
    let mixed = NSCompoundPredicate(andPredicateWithSubpredicates: [left, block])
    #expect(
      try SampleCondition(mixed)
        == .all([.categoryValue(.equal, 2), .opaque(OpaquePredicate(predicate: block))]))
    #expect(try SampleCondition(block).matches(Make.heartRate(from: 4)))
    #expect(try !SampleCondition(block).matches(Make.heartRate(from: 5)))
    #expect(try SampleCondition(block) == SampleCondition(block))
    #expect(try SampleCondition(block) != SampleCondition(NSPredicate { _, _ in true }))
    let own = OddCompound(type: .and, subpredicates: [left])
    #expect(try SampleCondition(own) == .opaque(OpaquePredicate(predicate: own)))
  }

  @Test func `Own predicates are equal by meaning, copy as themselves and print like a format`() {
    let one = HKQuery.predicateForSamples(withStart: Make.date(1), end: nil)
    let two = HKQuery.predicateForSamples(withStart: Make.date(1), end: nil)
    let other = HKQuery.predicateForSamples(withStart: Make.date(2), end: nil)
    #expect(one == two)
    #expect(one.hash == two.hash)
    #expect(one != other)
    #expect(one.copy() as? NSPredicate === one)
    #expect(one.description == "endDate >= CAST(1.0, \"NSDate\")")
    let metadata = NSPredicate(format: "metadata.k BEGINSWITH[cd] 'x' AND NOT value IN {1, 2}")
    #expect(
      metadata.description
        == "(metadata.k BEGINSWITH[cd] \"x\" AND NOT ((value == 1 OR value == 2)))")
  }

  @Test func `Predicates evaluate only on objects and sources`() {
    let predicate = HKQuery.predicateForSamples(withStart: Make.date(1), end: nil)
    #expect(!predicate.evaluate(with: nil))
    #expect(!predicate.evaluate(with: "text"))
  }

  @Test func `Predicates work inside Foundation's compound predicates and filters`() {
    let samples = (0..<4).map { Make.heartRate(from: Double($0)) }
    let predicate = NSCompoundPredicate(
      notPredicateWithSubpredicate:
        HKQuery.predicateForSamples(withStart: Make.date(2), end: nil))
    #expect(samples.filter { predicate.evaluate(with: $0) }.count == 2)
  }
}

private class OddCompound: NSCompoundPredicate {
  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    false
  }
}
