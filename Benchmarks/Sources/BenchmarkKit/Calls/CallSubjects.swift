import Foundation
import HealthStore
import SampleLog

/// Subjects with four days of heart rates and step counts, one of each every ten minutes.
enum CallSubjects {
  static let days = 4
  static let samplesOfDay = 144
  /// The number of samples per subject and type.
  static let samples = days * samplesOfDay
  static let interval = 600.0
  /// The start of the first day, a midnight in seconds since 2001-01-01 00:00 UTC.
  static let start = 699_926_400.0
  /// The start of the day that calls query.
  static let askedDay = start + 86_400
  static let unit = HKUnit.count().unitDivided(by: .minute())
  static let heartRate = HKQuantityType(.heartRate)
  static let steps = HKQuantityType(.stepCount)
  /// The type of newly saved samples, which no other call reads, so answers remain the same.
  static let saved = HKQuantityType(.respiratoryRate)

  static func name(_ subject: Int) -> String { "person \(subject)" }

  static func value(_ number: Int, of subject: Int) -> Double {
    Double(60 + (number * 7 + subject) % 50)
  }

  static func start(_ number: Int) -> Double { start + Double(number) * interval }

  /// Returns a sample of a subject; numbers below ``samples`` are stored before the measurement.
  static func sample(_ type: HKQuantityType, _ number: Int, of subject: Int) -> HKQuantitySample {
    let date = Date(timeIntervalSinceReferenceDate: start(number))
    let isSteps = type == steps
    return HKQuantitySample(
      type: type,
      quantity: HKQuantity(
        unit: isSteps ? .count() : unit, doubleValue: value(number, of: subject)),
      start: date, end: isSteps ? date + interval : date)
  }

  /// Fills a store through `HKHealthStore.save`, with identifiers that the library generates.
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

  /// Fills a store through the engine, with random identifiers as from another program.
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
