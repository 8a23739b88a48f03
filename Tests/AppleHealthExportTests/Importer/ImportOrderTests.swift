import Foundation
import HealthStore
import Testing

@testable import AppleHealthExport

/// Importing several exports of a phone, in any order, gives the same store as the last one alone.
@Suite struct ImportOrderTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `Importing a later export after an earlier one gives the same store as importing it alone`(
    seed: UInt64
  ) throws {
    for round in 0..<40 {
      var random = RandomExports(seed: seed << 32 | UInt64(round))
      let (first, last) = random.pair()
      let (store, alone) = (HKHealthStore.inMemory(), HKHealthStore.inMemory())
      try store.importing(first)
      let later = try store.importing(last)
      try alone.importing(last)
      let (found, wanted) = (try contents(of: store), try contents(of: alone))
      #expect(found == wanted, "seed \(seed), round \(round)\n\(first)\n\(last)")
      #expect(later.rejected == 0)
      let again = try store.importing(random.shuffled(last: last))
      #expect(again.added == 0, "seed \(seed), round \(round), again\n\(first)\n\(last)")
      #expect(try contents(of: store) == wanted, "seed \(seed), round \(round), again")
      if found != wanted || again.added > 0 { return }
    }
  }

  /// The contents of each object with those of its members and related objects, sorted.
  private func contents(of store: HKHealthStore) throws -> [String] {
    let objects = try StoredObjects(store)
    var result: [String] = []
    func text(_ object: StoredObject, _ type: String) throws -> String {
      let metadata = try objects.metadata(of: object).map { "\($0.key)=\($0.value)" }.sorted()
      let source = objects.sourceRevision(of: object)
      return [
        type, "\(object.start)", "\(object.end)", "\(object.value)",
        source.source.name, source.version ?? "", objects.device(of: object)?.name ?? "",
        metadata.joined(separator: ","),
      ].joined(separator: " ")
    }
    func text(of id: UUID) throws -> String {
      guard let object = try objects.object(id), let sample = object.sample else {
        return "gone"
      }
      return try text(object, sample.sampleType.identifier)
    }
    for type in objects.types {
      try objects.forEach(type) { object in
        var line = try text(object, type)
        let members = try objects.members(of: object).map { try text(of: $0) }
        line += " members \(members.sorted())"
        if object.sample is HKWorkout {
          let efforts = try objects.efforts(of: object).map {
            try "\($0.activity == nil) \(text(of: $0.sample))"
          }
          line += " efforts \(efforts.sorted())"
        }
        result.append(line)
      }
    }
    return result.sorted()
  }
}

/// Small exports whose samples differ in one attribute each.
///
/// The seed determines them.
private struct RandomExports {
  private var random: SplitMix
  private var names = 0
  private var workouts = 0
  private static let activities = ["Running", "Walking", "Yoga", "Cycling", "Hiking", "Rowing"]

  init(seed: UInt64) { random = SplitMix(state: seed) }

  /// The elements of one object: a container with the top-level copies of its content.
  private struct Object {
    var elements: [String]
  }

  mutating func pair() -> (String, String) {
    let count = 1 + below(6)
    let all = (0..<count).map { _ in object() }
    // The first export has some of the objects, in an earlier version.
    let first = all.filter { _ in below(3) > 0 }.map { $0.first }
    return (document(first), document(all.map { $0.last }))
  }

  mutating func shuffled(last: String) -> String {
    let lines = last.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let isElement = { (line: String) in line.hasPrefix("!") }
    var body = lines.filter(isElement)
    body.shuffle(using: &random)
    let rest = lines.filter { !isElement($0) }
    return rest.dropLast().joined(separator: "\n") + "\n" + body.joined(separator: "\n") + "\n"
      + (rest.last ?? "")
  }

  private mutating func document(_ objects: [Object]) -> String {
    var elements = objects.flatMap(\.elements)
    elements.shuffle(using: &random)
    return export("\n" + elements.map { "!" + $0 }.joined(separator: "\n"))
  }

  private mutating func below(_ bound: Int) -> Int { Int(random.next() >> 33) % bound }

  private mutating func one(_ texts: String...) -> String { texts[below(texts.count)] }

  private mutating func object() -> (first: Object, last: Object) {
    switch below(5) {
    case 0: return correlation()
    case 1: return workout()
    case 2: return versioned()
    default:
      let element = one(record(), category())
      return (Object(elements: [element]), Object(elements: [element]))
    }
  }

  /// Attributes that do not affect identities, each with few possible values.
  private mutating func origin() -> String {
    let version = one("", " sourceVersion=\"1\"")
    let device = one("", " device=\"&lt;&lt;HKDevice: 0x1&gt;, name:A&gt;\"")
    return "sourceName=\"App\"\(version)\(device)"
  }

  private mutating func dates() -> String {
    "startDate=\"2024-02-01 08:00:0\(below(2)) +0000\" "
      + "endDate=\"2024-02-01 08:00:05 +0000\""
  }

  private mutating func entry() -> String {
    one(
      "", "<MetadataEntry key=\"HKFoodType\" value=\"Pear\"/>",
      "<MetadataEntry key=\"HKFoodType\" value=\"Apple\"/>",
      "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>")
  }

  private func version(_ name: Int, _ number: Int) -> String {
    "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"s\(name)\"/>"
      + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"\(number)\"/>"
  }

  private mutating func record() -> String {
    let value = one("61", "61", "61.0001")
    return
      "<Record type=\"HKQuantityTypeIdentifierBodyMass\" unit=\"kg\" \(origin()) \(dates()) "
      + "value=\"\(value)\">\(entry())</Record>"
  }

  private mutating func category() -> String {
    let value = one("HKCategoryValueSleepAnalysisInBed", "HKCategoryValueSleepAnalysisOfLater")
    return "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" \(origin()) \(dates()) "
      + "value=\"\(value)\">\(entry())</Record>"
  }

  private mutating func versioned() -> (first: Object, last: Object) {
    names += 1
    let name = names
    let (origin, dates) = (origin(), dates())
    let texts = (1...2).map { number in
      "<Record type=\"HKQuantityTypeIdentifierBodyMass\" unit=\"kg\" \(origin) \(dates) "
        + "value=\"\(60 + number)\">\(version(name, number))</Record>"
    }
    return (Object(elements: [texts[0]]), Object(elements: [texts[1]]))
  }

  private mutating func correlation() -> (first: Object, last: Object) {
    let (origin, dates, meal) = (origin(), dates(), entry())
    let nutrients = ["EnergyConsumed", "Protein"].prefix(1 + below(2))
    let hasTwins = below(4) > 0
    var results = [Object(elements: []), Object(elements: [])]
    var members = ["", ""]
    for nutrient in nutrients {
      let isVersioned = below(3) == 0
      if isVersioned { names += 1 }
      let entry = isVersioned ? "" : entry()
      for number in 0...1 {
        let unit = nutrient == "Protein" ? "g" : "kcal"
        let value = isVersioned ? 100 + number : 100
        let record =
          "<Record type=\"HKQuantityTypeIdentifierDietary\(nutrient)\" unit=\"\(unit)\" "
          + "\(origin) \(dates) value=\"\(value)\">"
          + (isVersioned ? version(names, number + 1) : entry) + "</Record>"
        members[number] += record
        if hasTwins { results[number].elements.append(record) }
      }
    }
    for number in 0...1 {
      results[number].elements.append(
        "<Correlation type=\"HKCorrelationTypeIdentifierFood\" \(origin) \(dates)>\(meal)"
          + members[number] + "</Correlation>")
    }
    return (results[0], results[1])
  }

  private mutating func workout() -> (first: Object, last: Object) {
    let (origin, dates, entry) = (origin(), dates(), entry())
    let type = Self.activities[workouts % Self.activities.count]
    workouts += 1
    let score = below(3)
    let effort =
      "<Record type=\"HKQuantityTypeIdentifierWorkoutEffortScore\" unit=\"appleEffortScore\" "
      + "sourceName=\"App\" startDate=\"2024-02-01 08:00:00 +0000\" "
      + "endDate=\"2024-02-01 08:0\(workouts):00 +0000\" value=\"5\"/>"
    let activity =
      "<WorkoutActivity uuid=\"00000000-0000-4000-8000-0000000000\(10 + workouts)\" "
      + "startDate=\"2024-02-01 08:00:01 +0000\" endDate=\"2024-02-01 08:00:02 +0000\" "
      + "duration=\"1\" durationUnit=\"s\">"
      + (score == 2 ? effort : "") + "</WorkoutActivity>"
    let text =
      "<Workout workoutActivityType=\"HKWorkoutActivityType\(type)\" duration=\"1\" "
      + "durationUnit=\"s\" \(origin) \(dates)>\(entry)\(score > 0 ? effort : "")"
      + "\(activity)</Workout>"
    let object = Object(elements: score > 0 && below(2) == 0 ? [effort, text] : [text])
    return (object, object)
  }
}
