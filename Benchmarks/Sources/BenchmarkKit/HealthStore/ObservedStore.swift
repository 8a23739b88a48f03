import Dispatch
import Foundation
import HealthStore
import SampleLog

/// A store in which observers follow many people, and nobody follows one more.
final class ObservedStore {
  /// The maximum number of subjects to which the observers are dealt in turn.
  static let subjectCount = 1_000

  let observerCount: Int
  private let directory: String
  /// Sees the person whom nobody follows.
  private let unobserved: HKHealthStore
  private let database: HealthDatabase
  private let subjects: [HKHealthStore]
  private var observers: [HKObserverQuery] = []
  private let calls = ObserverCalls()
  private let type = HKQuantityType(.heartRate)
  private let unit: HKUnit
  private var saved = 0

  /// Opens a fresh store in a directory; whatever is there is removed.
  ///
  /// - Parameters:
  ///   - directory: Where.
  ///   - count: How many observers there will be.
  ///   - subjects: The number of subjects to which the observers are dealt in turn; 1,000 at most
  ///     unless given.
  ///   - durability: When a save returns.
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
    unobserved = database.store(subject: "nobody's")
    self.subjects = (0..<(subjects ?? min(count, Self.subjectCount))).map { number in
      database.store(subject: "person \(number)")
    }
  }

  /// Enables background delivery for everybody who is followed.
  func enableDelivery() throws {
    for store in subjects {
      try blocking { [type] in
        try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
      }
    }
  }

  /// Executes all observers; returns the seconds until each has had its first call.
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

  /// Saves one sample of the person whom nobody follows; returns the seconds from the call to the
  /// call of its completion handler.
  func save() throws -> Double { try save(to: unobserved) }

  /// Saves one sample of one of those who are followed, and waits until the observers were called;
  /// returns the seconds from the call to the call of its completion handler.
  func saveFollowed() throws -> Double {
    let before = calls.count
    let seconds = try save(to: subjects[saved % subjects.count])
    try calls.wait(for: before + observerCount / subjects.count)
    return seconds
  }

  /// Stops all observers; returns the seconds until the last call of `stop` has returned.
  func stop() -> Double {
    let watch = Stopwatch()
    for (number, observer) in observers.enumerated() {
      subjects[number % subjects.count].stop(observer)
    }
    return watch.seconds
  }

  /// Checks that no save of the one person called an observer, and that a save of a person who is
  /// followed calls those who follow.
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
          + "\(followers) follow who was saved to.")
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
