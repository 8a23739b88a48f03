/// One of the calls that a server makes thousands of times a second, each for one person.
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

/// A store of the people's samples that tasks ask.
protocol CallStore: Sendable {
  /// Returns what one task asks; a task has its own.
  func client() throws -> any CallClient
}

/// One task's way to a store.
protocol CallClient: AnyObject {
  /// Makes a call for a person; returns a number that depends on all that was read, and on no
  /// identifiers.
  func make(_ call: Call, for subject: Int) async throws -> Double
}
