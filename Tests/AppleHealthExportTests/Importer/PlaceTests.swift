import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

/// Elements in positions that Apple does not use.
@Suite struct PlaceTests {
  private func importing(_ items: [ElementText]) throws -> (StoreContents, ImportSummary) {
    let store = HKHealthStore.inMemory()
    let body = ElementText.heartRate(8).text + items.map(\.text).joined()
    let summary = try store.importing(export(body + ElementText.heartRate(9).text))
    return (try StoreContents(store), summary)
  }

  private static let wrapper = ElementText("Tomorrow", "")

  @Test func `An item inside any other element is imported, and so is everything around it`() throws
  {
    let nested = ElementText.items + [.heartRate(7)]
    for outer in ElementText.items + [Self.wrapper] {
      for inner in nested where inner.text != outer.text {
        // A record in a correlation is a member.
        if outer.name == "Correlation", inner.name == "Record" { continue }
        let (expected, _) = try importing([outer, inner])
        for path in outer.paths {
          for position in Set([0, outer[path[...]].children.count]) {
            var whole = outer
            whole[path[...]] = outer[path[...]].with(inner, at: position)
            let (contents, summary) = try importing([whole])
            let what = "\(inner.name) in \(outer.name) at \(path), \(position)"
            #expect(contents == expected, "\(what)")
            #expect(summary.broken == nil && summary.reading.mismatchedTags == 0, "\(what)")
          }
        }
      }
    }
  }

  @Test func `A part belongs to its workout, whatever elements lie between the two`() throws {
    let parts: [ElementText] = [.distance, .activity(2), .route, .event]
    let places: [ElementText] = [
      Self.wrapper.with(Self.wrapper, at: 0), .statistics, .event, .route, .heartRate(4),
      .hearingTest, .day,
    ]
    for part in parts {
      for place in places where place.name != part.name {
        func workout(_ children: ElementText...) -> ElementText {
          var workout = ElementText.workout
          workout.children = children
          return workout
        }
        let (expected, _) = try importing([workout(part, place)])
        let (contents, summary) = try importing([workout(place.with(part, at: 0))])
        #expect(contents == expected, "\(part.name) in \(place.name)")
        #expect(summary.broken == nil, "\(part.name) in \(place.name)")
      }
    }
  }

  @Test func `Activities and events nested in others of their kind are all kept`() async throws {
    let store = HKHealthStore.inMemory()
    var workout = ElementText.workout
    var lap = ElementText.event
    lap.attributes[1].value = "2024-03-04 10:00:40 +0000"
    workout.children = [
      ElementText.activity(1).with(.activity(2), at: 0), ElementText.event.with(lap, at: 0),
    ]
    let summary = try store.importing(export(workout.text))
    #expect(summary.broken == nil)
    let found = try #require(await store.workouts().first)
    #expect(found.workoutActivities.map(\.allStatistics.count) == [1, 1])
    #expect(found.workoutActivities.map { $0.metadata?.count } == [1, 1])
    #expect(found.workoutEvents?.map { $0.metadata?.count } == [1, 1])
  }

  @Test func `Effort scores rate the nearest enclosing workout`() async throws {
    let store = HKHealthStore.inMemory()
    var score = ElementText.heartRate(4)
    score.attributes[0].value = "HKQuantityTypeIdentifierWorkoutEffortScore"
    score.attributes[4].value = "appleEffortScore"
    score.attributes[5].value = "4"
    var inner = ElementText.workout.with(Self.wrapper.with(score, at: 0), at: 0)
    inner.attributes[0].value = "HKWorkoutActivityTypeSwimming"
    inner.attributes = inner.attributes.map {
      ($0.name, $0.value.replacing("2024-03-04", with: "2024-03-05"))
    }
    inner.children = [Self.wrapper.with(score, at: 0)]
    _ = try store.importing(export(ElementText.workout.with(inner, at: 1).text))
    let related = try await HKWorkoutEffortRelationshipQueryDescriptor(
      predicate: nil, anchor: nil, option: .default
    ).result(for: store).relationships.filter { $0.samples?.isEmpty == false }
    #expect(related.map(\.workout.workoutActivityType) == [.swimming])
  }

  @Test func `Unclosed items and the items after them are kept`() throws {
    for outer in ElementText.items where !["Me", "ActivitySummary"].contains(outer.name) {
      let behind: [ElementText] = [.workout, .pressure, .sleep, .day, .hearingTest]
        .filter { $0.text != outer.text }
      let (expected, _) = try importing([outer] + behind)
      // The correlation takes the records after it as its members.
      if outer.name == "Correlation" { continue }
      let open = outer.text.dropLast("</\(outer.name)>".count)
      let store = HKHealthStore.inMemory()
      let summary = try store.importing(
        export(
          ElementText.heartRate(8).text + open + behind.map(\.text).joined()
            + ElementText.heartRate(9).text))
      #expect(try StoreContents(store) == expected, "\(outer.name)")
      #expect(summary.reading.mismatchedTags > 0)
    }
  }

  @Test(arguments: ["Record", "Workout", "Correlation", "Audiogram", "Tomorrow", "WorkoutEvent"])
  func `Items after a thousand unclosed elements are imported`(
    name: String
  ) throws {
    let body = String(repeating: "<\(name)>", count: 1000) + ElementText.workout.text
    let store = HKHealthStore.inMemory()
    _ = try store.importing(export(body + ElementText.heartRate(9).text))
    let types = try StoreContents(store).samples.map(\.type)
    #expect(types.contains("HKWorkoutTypeIdentifier"))
    #expect(types.contains("HKQuantityTypeIdentifierHeartRate"))
  }

  @Test func `The items inside and around an oversized item are kept`() throws {
    let long = String(
      repeating: "<MetadataEntry key=\"a\" value=\"\(String(repeating: "x", count: 900_000))\"/>",
      count: 80)
    let inner =
      ElementText.hearingTest.startTag + long + ElementText.pressure.text
      + "</Audiogram>"
    let outer = ElementText.workout.startTag + inner + ElementText.statistics.text + "</Workout>"
    let (items, summary) = try read(export(outer))
    #expect(items.workouts.map(\.statistics.count) == [1])
    #expect(items.correlations.map(\.records.count) == [2])
    #expect(summary.problems == [.itemTooLong: 1])
    #expect(summary.firstProblems.map(\.element) == ["Audiogram"])
    let dropped =
      ElementText.pressure.startTag + ElementText.pressure.children[0].text + long
      + ElementText.pressure.children[1].text + "</Correlation>"
    let (members, _) = try read(export(dropped))
    #expect(members.correlations.isEmpty && members.records.map(\.isPart) == [true, true])
  }
}
