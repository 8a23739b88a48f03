import Dispatch
import Foundation
import HealthStore
import SampleLog

/// A store with observers of many people, and one person without an observer.
final class ObservedStore {
  /// The maximum number of subjects among which the observers are distributed.
  static let subjectCount = 1_000

  let observerCount: Int
  private let directory: String
  /// The handle of the person without an observer.
  private let unobserved: HKHealthStore
  private let database: HealthDatabase
  private let subjects: [HKHealthStore]
  private var observers: [HKObserverQuery] = []
  private let calls = ObserverCalls()
  private let type = HKQuantityType(.heartRate)
  private let unit: HKUnit
  private var saved = 0

  /// Opens a new store in a directory, removing its previous content.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - count: The number of observers.
  ///   - subjects: The number of subjects among which the observers are distributed (default: at
  ///     most 1,000).
  ///   - durability: The durability of saves.
  /// - Throws: When the store cannot be opened.
  init(
    directory: String, observers count: Int, subjects: Int? = nil, durability: Durability
  ) throws {
    observerCount = count
    self.directory = directory
    unit = try HKUnit.parse("count/min")
    try? FileManager.default.removeItem(atPath: directory)
    var options = Database.Options()
    options.durability = durability
    let directory = URL(fileURLWithPath: directory)
    let database = try HealthDatabase(directory: directory, options: options)
    self.database = database
    unobserved = database.store(subject: "unobserved")
    self.subjects = (0..<(subjects ?? min(count, Self.subjectCount))).map { number in
      database.store(subject: "person \(number)")
    }
  }

  /// Enables background delivery for all observed people.
  func enableDelivery() throws {
    for store in subjects {
      try blocking { [type] in
        try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
      }
    }
  }

  /// Executes all observers.
  ///
  /// Returns the seconds until each has had its first call.
  func start() throws -> Double {
    observers = (0..<observerCount).map { _ in
      HKObserverQuery(sampleType: type, predicate: nil) { [calls] _, completion, error in
        calls.note(error)
        completion()
      }
    }
    let watch = Stopwatch()
    for (number, observer) in observers.enumerated() {
      subjects[number % subjects.count].execute(observer)
    }
    try calls.wait(for: observerCount)
    return watch.seconds
  }

  /// Saves one sample of the person without an observer.
  ///
  /// Returns the seconds from the call to the call of its completion handler.
  func save() throws -> Double { try save(to: unobserved) }

  /// Saves one sample of an observed person and waits until the observers were called.
  ///
  /// Returns the seconds from the call to the call of its completion handler.
  func saveObserved() throws -> Double {
    let before = calls.count
    let seconds = try save(to: subjects[saved % subjects.count])
    try calls.wait(for: before + observerCount / subjects.count)
    return seconds
  }

  /// Stops all observers.
  ///
  /// Returns the seconds until the last call of `stop` has returned.
  func stop() -> Double {
    let watch = Stopwatch()
    for (number, observer) in observers.enumerated() {
      subjects[number % subjects.count].stop(observer)
    }
    return watch.seconds
  }

  /// Checks that no save of the unobserved person called an observer, and that a save of an
  /// observed person calls its observers.
  func checkCalls() throws {
    guard let first = subjects.first else { return }
    let before = calls.count
    _ = try save(to: first)
    let followers = (observerCount + subjects.count - 1) / subjects.count
    try calls.wait(for: observerCount + followers)
    guard before == observerCount, calls.count == observerCount + followers else {
      throw BenchmarkError.wrongAnswer(
        peer: PeerKind.own.name, scenario: "observers",
        problem: "\(before) and \(calls.count) calls of \(observerCount) observers, of which "
          + "\(followers) observe the person saved to.")
    }
  }

  /// Closes the store and removes its files.
  func close() throws {
    observers = []
    try database.close()
    try FileManager.default.removeItem(atPath: directory)
  }

  private func save(to store: HKHealthStore) throws -> Double {
    let date = Date(timeIntervalSince1970: Double(SampleStream.epoch) / 1000 + Double(saved))
    saved += 1
    let sample = try HKQuantitySample.validated(
      type: type, quantity: HKQuantity(unit: unit, doubleValue: 60), start: date, end: date)
    let failure = Failure()
    let done = DispatchSemaphore(value: 0)
    let watch = Stopwatch()
    store.save(sample) { _, error in
      if let error { failure.note(error) }
      done.signal()
    }
    done.wait()
    let seconds = watch.seconds
    try failure.rethrow()
    return seconds
  }
}
