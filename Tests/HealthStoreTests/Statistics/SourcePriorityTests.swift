import Foundation
import Testing

@testable import HealthStore

@Suite struct SourcePriorityTests {
  private func origin(
    _ bundle: String, product: String? = nil, model: String? = nil, entered: Bool = false,
    name: String = "Name"
  ) -> SourcePriority.Origin {
    SourcePriority.origin(
      of: HKSource(name: name, bundleIdentifier: bundle), productType: product,
      device: model.map { Make.device(model: $0) }, wasUserEntered: entered)
  }

  @Test func `the user has the highest priority, then Watch, iPhone and everything else`() {
    let ordered = [
      origin("z", product: "Watch7,1", entered: true), origin("y", product: "Watch7,1"),
      origin("x", product: "iPhone15,2"), origin("a", product: "Scale1,1"),
    ]
    for (number, one) in ordered.enumerated() {
      for (position, other) in ordered.enumerated() {
        #expect(SourcePriority().prefers(one, to: other) == (number < position))
      }
    }
    #expect(origin("a").recorder == .other)
  }

  @Test func `the device's model replaces an unknown product type`() {
    #expect(origin("a", model: "Watch").recorder == .watch)
    #expect(origin("a", product: "", model: "iPhone").recorder == .phone)
    #expect(origin("a", product: HKSourceRevisionAnyProductType, model: "Watch").recorder == .watch)
    #expect(origin("a", product: "iPhone15,2", model: "Watch").recorder == .phone)
    #expect(origin("a", product: "My Watch", model: "Watch").recorder == .other)
  }

  @Test func `ties are resolved by the bytes of the bundle identifier, then of the name`() {
    let priority = SourcePriority()
    #expect(priority.prefers(origin("org.B"), to: origin("org.a")))
    #expect(priority.prefers(origin("org.a"), to: origin("org.ab")))
    #expect(priority.prefers(origin("z\u{301}"), to: origin("é")))
    #expect(priority.prefers(origin("a", name: "A"), to: origin("a", name: "B")))
    #expect(!priority.prefers(origin("a"), to: origin("a")))
  }

  @Test func `an explicit order precedes the default one, which orders the rest`() {
    let priority = SourcePriority(bundleIdentifiers: ["second", "first", "second"])
    let origins = [
      origin("first", entered: true), origin("second"), origin("b", product: "Watch1,1"),
      origin("a"), origin("second", product: "Watch1,1"),
    ]
    let ranks = ranked(origins, by: priority)
    #expect(origins.map { ranks.origins.firstIndex(of: $0) } == [2, 1, 3, 4, 0])
    #expect(ranks.sources.map(\.bundleIdentifier) == ["first", "second", "b", "a"])
    #expect(ranks.sourceOfRank == [1, 1, 0, 2, 3])
  }

  private func ranked(
    _ origins: [SourcePriority.Origin], by priority: SourcePriority = SourcePriority()
  ) -> SourceRanks {
    var ranks = SourceRanks(by: priority)
    for origin in origins { _ = ranks.rank(of: origin) }
    return ranks
  }

  @Test func `equal origins share a rank, and a new one moves those below it`() {
    var ranks = SourceRanks(by: SourcePriority())
    func add(_ origin: SourcePriority.Origin) -> [Int] {
      let (rank, isNew) = ranks.rank(of: origin)
      return [rank, isNew ? 1 : 0]
    }
    #expect(add(origin("b")) == [0, 1])
    #expect(add(origin("a")) == [0, 1])
    #expect(add(origin("b")) == [1, 0])
    #expect(add(origin("b", entered: true)) == [0, 1])
    #expect(add(origin("a")) == [1, 0])
    #expect(ranks.sourceOfRank == [0, 1, 0])
  }
}
