import Foundation
import Testing

@testable import HealthStore

@Suite struct SourcePriorityTests {
  private func claim(
    _ bundle: String, product: String? = nil, model: String? = nil, entered: Bool = false,
    name: String = "Name"
  ) -> SourcePriority.Claim {
    SourcePriority.claim(
      of: HKSource(name: name, bundleIdentifier: bundle), productType: product,
      device: model.map { Make.device(model: $0) }, wasUserEntered: entered)
  }

  @Test func `the user comes first, then Watch, then iPhone, then everything else`() {
    let ordered = [
      claim("z", product: "Watch7,1", entered: true), claim("y", product: "Watch7,1"),
      claim("x", product: "iPhone15,2"), claim("a", product: "Scale1,1"),
    ]
    for (number, one) in ordered.enumerated() {
      for (place, other) in ordered.enumerated() {
        #expect(SourcePriority().prefers(one, to: other) == (number < place))
      }
    }
    #expect(claim("a").recorder == .other)
  }

  @Test func `the device's model stands in for a product type that is not known`() {
    #expect(claim("a", model: "Watch").recorder == .watch)
    #expect(claim("a", product: "", model: "iPhone").recorder == .phone)
    #expect(claim("a", product: HKSourceRevisionAnyProductType, model: "Watch").recorder == .watch)
    #expect(claim("a", product: "iPhone15,2", model: "Watch").recorder == .phone)
    #expect(claim("a", product: "My Watch", model: "Watch").recorder == .other)
  }

  @Test func `ties go by the bytes of the bundle identifier, then of the name`() {
    let priority = SourcePriority()
    #expect(priority.prefers(claim("org.B"), to: claim("org.a")))
    #expect(priority.prefers(claim("org.a"), to: claim("org.ab")))
    #expect(priority.prefers(claim("z\u{301}"), to: claim("é")))
    #expect(priority.prefers(claim("a", name: "A"), to: claim("a", name: "B")))
    #expect(!priority.prefers(claim("a"), to: claim("a")))
  }

  @Test func `an explicit order comes before the default one, which orders the rest`() {
    let priority = SourcePriority(bundleIdentifiers: ["second", "first", "second"])
    let claims = [
      claim("first", entered: true), claim("second"), claim("b", product: "Watch1,1"),
      claim("a"), claim("second", product: "Watch1,1"),
    ]
    let ranks = SourceRanks(claims, by: priority)
    #expect(claims.map { ranks.ranks[$0] } == [2, 1, 3, 4, 0])
    #expect(ranks.sourceOfRank == [0, 0, 1, 2, 3])
    #expect(ranks.sources.map(\.bundleIdentifier) == ["second", "first", "b", "a"])
  }

  @Test func `a sample's claim is that of its revision, device and metadata`() throws {
    let watch = HKSourceRevision(
      source: HKSource(name: "W", bundleIdentifier: "w"), version: nil, productType: "Watch7,1",
      operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    func sample(
      _ metadata: [String: Any]?, _ revision: HKSourceRevision, _ device: HKDevice? = nil
    ) throws -> HKSample {
      try HKQuantitySample.validated(
        type: Make.heartRate, quantity: HKQuantity(unit: Make.bpm, doubleValue: 60),
        start: Make.date(0), end: Make.date(0), device: device, metadata: metadata,
        sourceRevision: revision)
    }
    #expect(SourcePriority.claim(of: try sample(nil, watch)).recorder == .watch)
    let entered = try sample([HKMetadataKeyWasUserEntered: true], watch)
    #expect(SourcePriority.claim(of: entered).recorder == .user)
    let notEntered = try sample([HKMetadataKeyWasUserEntered: false], watch)
    #expect(SourcePriority.claim(of: notEntered).recorder == .watch)
    let any = HKSourceRevision(source: watch.source, version: nil)
    let model = try sample(nil, any, Make.device(model: "iPhone"))
    #expect(SourcePriority.claim(of: model) == claim("w", model: "iPhone", name: "W"))
  }

  @Test func `equal claims share a rank`() {
    let ranks = SourceRanks(
      [claim("a"), claim("b"), claim("a"), claim("a", entered: true)], by: SourcePriority())
    #expect(ranks.ranks.count == 3)
    #expect(ranks.sourceOfRank == [0, 0, 1])
    #expect(SourceRanks([], by: SourcePriority()).sources.isEmpty)
  }
}
