import Foundation
import HealthStore
import SampleLog

/// The people in the stores: each has one heart rate and one step count every ten minutes for four
/// days.
enum CallSubjects {
  static let days = 4
  static let samplesOfDay = 144
  /// The samples of each type of each person.
  static let samples = days * samplesOfDay
  static let interval = 600.0
  /// The midnight of the first samples, in seconds since 2001.
  static let start = 699_926_400.0
  /// The day that calls query.
  static let askedDay = start + 86_400
  static let unit = HKUnit.count().unitDivided(by: .minute())
  static let heartRate = HKQuantityType(.heartRate)
  static let steps = HKQuantityType(.stepCount)
  /// The type that savers save, which no other call reads.
  static let saved = HKQuantityType(.respiratoryRate)

  static func name(_ subject: Int) -> String { "person \(subject)" }

  static func value(_ number: Int, of subject: Int) -> Double {
    Double(60 + (number * 7 + subject) % 50)
  }

  static func start(_ number: Int) -> Double { start + Double(number) * interval }

  /// Returns a sample of a person; the number of the first one to be saved later is ``samples``.
  static func sample(_ type: HKQuantityType, _ number: Int, of subject: Int) -> HKQuantitySample {
    let date = Date(timeIntervalSinceReferenceDate: start(number))
    let isSteps = type == steps
    return HKQuantitySample(
      type: type,
      quantity: HKQuantity(
        unit: isSteps ? .count() : unit, doubleValue: value(number, of: subject)),
      start: date, end: isSteps ? date + interval : date)
  }

  /// Fills a store through `HKHealthStore.save`, so that the library generates the identifiers.
  static func fill(_ directory: String, subjects: Int) throws {
    let database = try HealthDatabase(
      directory: URL(fileURLWithPath: directory), options: buffered)
    for subject in 0..<subjects {
      let objects = (0..<samples).flatMap {
        [sample(heartRate, $0, of: subject), sample(steps, $0, of: subject)]
      }
      try blocking { try await database.store(subject: name(subject)).save(objects) }
    }
    try database.close()
  }

  /// Fills a store through the engine, with random identifiers, as another program's samples have.
  static func fillForeign(_ directory: String, subjects: Int) throws {
    let database = try Database(path: directory, options: buffered)
    var random = SplitMix(seed: 37)
    let (source, device) = (database.name("com.example.source"), Name.empty)
    for subject in 0..<subjects {
      var batch = database.makeBatch()
      for number in 0..<samples {
        for type in [heartRate, steps] {
          let start = start(number)
          batch.add(
            to: database.series(subject: name(subject), type: type.identifier),
            id: Identifier(high: random.next(), low: random.next()), start: start,
            end: type == steps ? start + interval : start, value: value(number, of: subject),
            unit: database.name(type == steps ? "count" : "count/min"), source: source,
            device: device)
        }
      }
      try database.commit(batch)
    }
    try database.seal()
    try database.close()
  }

  private static var buffered: Database.Options {
    var options = Database.Options()
    options.durability = .buffered
    return options
  }
}
