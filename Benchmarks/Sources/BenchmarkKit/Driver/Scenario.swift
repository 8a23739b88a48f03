/// A scenario in which every peer is measured, in order of execution.
package enum Scenario: String, CaseIterable, Sendable {
  case durable1 = "durable-1"
  case savers
  case durable100 = "durable-100"
  case durable1000 = "durable-1000"
  case durable10000 = "durable-10000"
  case subscriber
  case observers
  case routes
  case workouts
  case calls
  case bulk
  case bulkObjects = "bulk-objects"
  case size
  case day
  case scan
  case scanObjects = "scan-objects"
  case newest
  case above
  case uuid
  case daily
  case statistics
  case delete
  case catchUp = "catch-up"
  case catchUpOfType = "catch-up-type"
  case poll
  case compactedSize = "compacted-size"
  case compacted
  case ownSize = "own-size"
  case open
  case durableFull = "durable-full"
  case openKilled = "open-killed"

  /// The state of a store before the scenario starts.
  enum Preparation: String, Codable {
    case nothing, loaded, thinned
  }

  var preparation: Preparation {
    switch self {
    case .durable1, .savers, .durable100, .durable1000, .durable10000, .subscriber, .observers,
      .routes, .workouts, .calls, .bulk, .bulkObjects, .ownSize:
      .nothing
    case .size, .day, .scan, .scanObjects, .newest, .above, .uuid, .daily, .statistics, .delete:
      .loaded
    case .catchUp, .catchUpOfType, .poll, .compactedSize, .compacted, .open, .durableFull,
      .openKilled:
      .thinned
    }
  }

  /// Whether only our store takes part, because the others have no HealthKit objects, or because
  /// compaction is compared with our own earlier figures; calls bring a SQLite of their own.
  var isOurs: Bool {
    switch self {
    case .observers, .routes, .workouts, .calls, .bulkObjects, .scanObjects, .compacted, .ownSize:
      true
    default: false
    }
  }

  /// Whether figures depend on the disk's sync time, and are shown with a bare sync.
  var isDurable: Bool {
    switch self {
    case .durable1, .savers, .durable100, .durable1000, .durable10000, .subscriber, .observers,
      .routes, .calls, .delete, .durableFull:
      true
    default: false
    }
  }

  /// The description in `--help`.
  var summary: String {
    switch self {
    case .durable1: "1,500 samples into a new store, 1 a durable commit"
    case .savers: "8 threads that save 1 a durable commit each, and the ratio to one thread"
    case .durable100: "60,000 samples into a new store, 100 a durable commit"
    case .durable1000: "400,000 samples into a new store, 1,000 a durable commit"
    case .durable10000: "1,000,000 samples into a new store, 10,000 a durable commit"
    case .subscriber: "from the call of a durable save of 100 until another thread has read them"
    case .observers: "a save to a person without observers, while other people have some"
    case .routes: "a route of 10,000 points: saved, read, and its size"
    case .workouts: "one workout's samples and one activity's workouts, among all samples"
    case .calls: "HealthKit's calls for one person, from many tasks, beside SQLite"
    case .bulk: "all samples, 10,000 a commit, made durable at the end"
    case .bulkObjects: "the same as HKQuantitySample through HKHealthStore.save"
    case .size: "bytes on disk for a sample, after the bulk load"
    case .day: "200 random days of heart rate, sorted by start"
    case .scan: "every heart rate sample, sorted by start"
    case .scanObjects: "the same as HKQuantitySample, by HKSampleQueryDescriptor"
    case .newest: "the newest sample of a type, 2,000 times"
    case .above: "heart rate above 150 in the first year: rows, and their count and sum"
    case .uuid: "20,000 random samples by UUID"
    case .daily: "count, sum, minimum and maximum of everybody's heart rate by UTC day"
    case .statistics: "HealthKit's statistics by day and hour, two sources merged, and updates"
    case .delete: "one sample in 200 by UUID, 1,000 a durable commit"
    case .catchUp: "the changes since the last million samples began, 1,000 a batch"
    case .catchUpOfType: "the glucose changes from the beginning, 1,000 a batch"
    case .poll: "asking for changes when there are none, 20,000 times"
    case .compactedSize: "bytes on disk for a sample, after deleting and compacting"
    case .compacted: "day, scan and catch-up again, after compacting"
    case .ownSize: "as compacted-size, for samples whose identifiers the library generated"
    case .open: "opening the store in a new process, and reading the newest glucose sample"
    case .durableFull: "100,000 samples into the full store, 1,000 a durable commit"
    case .openKilled: "opening after kill -9, right after saving 100,000 samples"
    }
  }
}
