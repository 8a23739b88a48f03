/// A call that a server makes thousands of times per second, each time for one person.
enum Call: String, CaseIterable, Sendable {
  case newest
  case day
  case sum
  case days
  case firstRead
  case poll
  case handle
  case save

  var title: String {
    switch self {
    case .newest: "newest heart rate"
    case .day: "a day of heart rates, \(CallSubjects.samplesOfDay) samples"
    case .sum: "sum of a day's steps"
    case .days: "daily totals of \(CallSubjects.days) days"
    case .firstRead: "first anchored read, \(CallSubjects.samples) samples"
    case .poll: "anchored poll, nothing new"
    case .handle: "handle, then the newest"
    case .save: "save of one, durable"
    }
  }
}

/// A store with the people's samples.
protocol CallStore: Sendable {
  /// Returns a new client for one task.
  func client() throws -> any CallClient
}

/// The access of one task to a store.
protocol CallClient: AnyObject {
  /// Makes a call for a person and returns a number that depends on everything that was read except
  /// identifiers.
  func make(_ call: Call, for subject: Int) async throws -> Double
}
