import Foundation
import SampleLog
import Testing

@testable import HealthStore

/// A predicate that takes too many steps is an error and has no result.
@Suite struct PredicatesWorkTests {
  private let store = HKHealthStore.inMemory()
  private let many = String(repeating: "a", count: 40) + "c"

  private func save() async throws {
    try await store.save([
      heartBeat(60, metadata: ["key": "aab"]),
      heartBeat(61, at: 1, metadata: ["key": many], source: revision(many)),
    ])
  }

  private func matching(_ keyPath: String, _ pattern: String) -> NSPredicate {
    NSPredicate(format: "%K MATCHES %@", keyPath, pattern)
  }

  private func expectError(
    _ error: HKPredicateFormatError, _ predicate: NSPredicate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let asked: [@Sendable (HKHealthStore, SharedPredicate) async throws -> Void] = [
      { _ = try await $0.beats($1.value) },
      {
        _ = try await HKAnchoredObjectQueryDescriptor(
          predicates: [.quantitySample(type: testHeartRate, predicate: $1.value)], anchor: nil
        ).result(for: $0)
      },
      { _ = try await $0.deleteObjects(of: testHeartRate, predicate: $1.value) },
    ]
    for ask in asked {
      do {
        try await ask(store, SharedPredicate(predicate))
        Issue.record("the query succeeded", sourceLocation: sourceLocation)
      } catch let found as HKError {
        #expect(found.code == .errorInvalidArgument, sourceLocation: sourceLocation)
        #expect(
          found.userInfo[NSUnderlyingErrorKey] as? HKPredicateFormatError == error,
          sourceLocation: sourceLocation)
      } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: ["metadata.key", "source.bundleIdentifier"])
  func `a regular expression that takes too many steps fails the query`(field: String) async throws
  {
    try await save()
    let pattern = "(a+)+b"
    await expectError(.tooMuchWork(pattern: pattern), matching(field, pattern))
    await expectError(
      .tooMuchWork(pattern: pattern),
      NSCompoundPredicate(notPredicateWithSubpredicate: matching(field, pattern)))
    // A subclass evaluates its subpredicates itself, and they still fail.
    await expectError(
      .tooMuchWork(pattern: pattern),
      Conjunction(type: .and, subpredicates: [matching(field, pattern)]))
    #expect(try await store.beats(matching("metadata.key", "a+b|.*c")) == [60, 61])
  }

  @Test func `a regular expression that exceeds the matcher's memory fails the query`()
    async throws
  {
    let long = String(repeating: "a", count: 200_000) + "c"
    try await store.save(heartBeat(60, metadata: ["key": long]))
    let pattern = "(a|b)*c"
    await expectError(.tooMuchWork(pattern: pattern), matching("metadata.key", pattern))
  }

  @Test func `a regular expression may examine each character of long metadata`() throws {
    let text = String(repeating: "a", count: Metadata.largestEncoding / 2) + "c"
    for pattern in ["a*c", "[ab]*c", ".*c", ".*[cd]"] {
      #expect(try BoundedExpression(pattern, []).matches(text), "\(pattern)")
      #expect(try !BoundedExpression(pattern, []).matches(text + "e"), "\(pattern)")
    }
  }

  @Test func `evaluating such a predicate traps or throws`() async throws {
    let sample = try heartBeat(61, metadata: ["key": many])
    #expect(throws: HKPredicateFormatError.tooMuchWork(pattern: "(a+)+b")) {
      try matching("metadata.key", "(a+)+b").healthEvaluate(with: sample)
    }
    #expect(try matching("metadata.key", "a+c").healthEvaluate(with: sample))
    await #expect(processExitsWith: .failure) {
      let text = String(repeating: "a", count: 40) + "c"
      let predicate = NSPredicate(format: "metadata.key MATCHES '(a+)+b'")
      _ = predicate.evaluate(with: try heartBeat(61, metadata: ["key": text]))
    }
  }

  /// A predicate of nested compound predicates of alternating kinds.
  private func nested(_ depth: Int, _ kinds: [NSCompoundPredicate.LogicalType]) -> NSPredicate {
    let leaf = HKQuery.predicateForSamples(withStart: testStart, end: nil)
    var predicate: NSPredicate = leaf
    for level in 0..<depth {
      let kind = kinds[level % kinds.count]
      predicate = NSCompoundPredicate(
        type: kind, subpredicates: kind == .not ? [predicate] : [predicate, leaf])
    }
    Self.kept.withLock { $0.append(SharedPredicate(predicate)) }
    return predicate
  }

  /// Keeps deep predicates alive, because Foundation deallocates them recursively.
  private static let kept = Locked<[SharedPredicate]>([])

  @Test(arguments: [[NSCompoundPredicate.LogicalType.and, .or], [.not, .and], [.or, .not, .and]])
  func `a predicate of 20,000 levels is refused`(kinds: [NSCompoundPredicate.LogicalType])
    async throws
  {
    try await save()
    let deep = nested(20_000, kinds)
    await expectError(.tooDeep(allowed: FormatParser.deepest), deep)
    #expect(
      HKSamplePredicate.quantitySample(type: testHeartRate, predicate: deep)
        == .quantitySample(type: testHeartRate, predicate: deep))
  }

  @Test(arguments: [NSCompoundPredicate.LogicalType.and, .or, .not])
  func `predicates joined one by one are as flat as those joined at once`(
    kind: NSCompoundPredicate.LogicalType
  ) async throws {
    try await save()
    #expect(try await store.beats(nested(20_000, [kind])) == [60, 61])
    let some = HKQuery.predicateForQuantitySamples(
      with: .lessThan, quantity: HKQuantity(unit: testBeats, doubleValue: 60.5))
    let odd = NSCompoundPredicate(notPredicateWithSubpredicate: nested(2, [.not]))
    let both = NSCompoundPredicate(orPredicateWithSubpredicates: [odd, some])
    #expect(try await store.beats(both) == [60])
  }

  @Test func `a store and an evaluation agree on dates that are not numbers`() async throws {
    try await save()
    let sample = try heartBeat(60)
    let none = Date(timeIntervalSinceReferenceDate: .nan)
    for options: HKQueryOptions in [[], .strictStartDate, .strictEndDate] {
      for predicate in [
        HKQuery.predicateForSamples(withStart: none, end: nil, options: options),
        HKQuery.predicateForSamples(withStart: nil, end: none, options: options),
        NSPredicate(format: "startDate != %@", none as any CVarArg),
        NSPredicate(format: "endDate >= %@", none as any CVarArg),
      ] {
        #expect(try await store.beats(predicate) == [])
        #expect(!predicate.evaluate(with: sample))
      }
    }
  }
}

/// Opaque, because it is not Foundation's own class.
private final class Conjunction: NSCompoundPredicate {}
