import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

/// Every attribute of every element, with any text.
@Suite struct OneBadAttributeTests {
  private static let texts = [
    "NaN", "inf", "-inf", "1e999", "", "1,5", "-5", "0x10", "2024-02-30 08:00:00 +0000", "now",
    "99999-01-01 00:00:00 +0000", "1582-10-10", "2024-02-01 08:00:00",
  ]

  /// The attributes that an import deliberately ignores, as Docs/exports.md says.
  private static let leftOut: Set<String> = [
    "WorkoutStatistics startDate", "WorkoutStatistics endDate", "WorkoutActivity duration",
    "WorkoutActivity durationUnit", "WorkoutRoute endDate", "WorkoutRoute startDate",
  ]

  private func importing(_ item: ElementText) throws -> (StoreContents, ImportSummary) {
    let store = HKHealthStore.inMemory()
    let body = [ElementText.heartRate(8), item, .heartRate(9)].map(\.text).joined()
    let summary = try store.importing(export(body))
    #expect(summary.reading.end == .complete)
    return (try StoreContents(store), summary)
  }

  @Test(arguments: ElementText.items.indices)
  func `A bad attribute does not end the import, and is named unless its text is stored`(
    index: Int
  ) throws {
    let item = ElementText.items[index]
    let (whole, good) = try importing(item)
    #expect(good.broken == nil && good.unrepresented.isEmpty)
    let neighbours = Set(
      try importing(ElementText("Tomorrow", "")).0.samples.map(\.uuid))
    for path in item.paths {
      for (number, attribute) in item[path[...]].attributes.enumerated() {
        var without = item
        without[path[...]].attributes.remove(at: number)
        let (absent, _) = try importing(without)
        for text in Self.texts where text != attribute.value {
          var bad = item
          bad[path[...]].attributes[number].value = text
          let (contents, summary) = try importing(bad)
          let name = "\(item[path[...]].name) \(attribute.name)"
          #expect(
            neighbours.isSubset(of: contents.samples.map(\.uuid)), "\(name) = \(text)")
          if summary.broken != nil || text.isEmpty { continue }
          let isThere = contents != absent && contents != whole
          #expect(isThere || Self.leftOut.contains(name), "\(name) = \(text) is lost")
        }
      }
    }
  }
}
